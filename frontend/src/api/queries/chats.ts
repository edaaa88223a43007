import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { request, send, withQuery } from "../client";
import type { Chat, ChatDetail, SuggestionList } from "../generated";
import type { ChatPage } from "../types";

/** The chats of the person in this workspace, the last touched first. */
export const chatsQuery = infiniteQueryOptions({
  queryKey: ["chats"],
  queryFn: ({ pageParam, signal }) =>
    request<ChatPage>(withQuery("/api/chat", { cursor: pageParam, limit: 50 }), { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
});

/** One chat with the turns of its shown path. */
export function chatQuery(chatId: string) {
  return queryOptions({
    queryKey: ["chats", chatId],
    queryFn: ({ signal }) => request<ChatDetail>(`/api/chat/${chatId}`, { signal }),
  });
}

/** Questions that the headings of this workspace suggest. */
export function suggestionsQuery(language: string) {
  return queryOptions({
    queryKey: ["suggestions", language],
    queryFn: ({ signal }) =>
      request<SuggestionList>("/api/chat/suggestions", { signal, headers: { "Accept-Language": language } }),
    staleTime: 60_000,
  });
}

export function createChat(): Promise<Chat> {
  return request<Chat>("/api/chat", { method: "POST", body: {} });
}

export function stopTurn(chatId: string, turnId: string): Promise<Response> {
  return send(`/api/chat/${chatId}/turns/${turnId}/stop`, { method: "POST" });
}

export function useRenameChat(chatId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (title: string) => request<Chat>(`/api/chat/${chatId}`, { method: "PATCH", body: { title } }),
    onMutate: (title) =>
      client.setQueryData(chatQuery(chatId).queryKey, (detail: ChatDetail | undefined) =>
        detail ? { ...detail, chat: { ...detail.chat, title } } : detail,
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ["chats"] }),
  });
}

export function deleteChat(chatId: string): Promise<Response> {
  return send(`/api/chat/${chatId}`, { method: "DELETE" });
}

/** Shows another version of a question. */
export function useShowVersion(chatId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (turnId: string) =>
      request<ChatDetail>(`/api/chat/${chatId}/path`, { method: "PUT", body: { turnId } }),
    onSuccess: (detail) => client.setQueryData(chatQuery(chatId).queryKey, detail),
  });
}

export function useRateTurn(chatId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ turnId, ...feedback }: { turnId: string; rating: "up" | "down"; reason?: string }) =>
      send(`/api/chat/${chatId}/turns/${turnId}/feedback`, { method: "POST", body: feedback }),
    onSuccess: () => client.invalidateQueries(chatQuery(chatId)),
  });
}
