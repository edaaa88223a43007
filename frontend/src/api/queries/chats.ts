import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { pageHeaders, request, send, withQuery } from "../client";
import type { Chat, ChatDetail, SuggestionList, Turn } from "../generated";
import type { ChatPage } from "../types";

/** Chats that are taken away and not yet deleted for good: no list shows them meanwhile. */
const leaving = new Set<string>();

/** The chats of the person in this workspace, the last touched first. */
export const chatsQuery = infiniteQueryOptions({
  queryKey: ["chats"],
  queryFn: async ({ pageParam, signal }) => {
    const page = await request<ChatPage>(withQuery("/api/chat", { cursor: pageParam, limit: 50 }), {
      signal,
    });
    return { ...page, items: page.items.filter((chat) => !leaving.has(chat.id)) };
  },
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

/** Shows the new title at once, in the chat and in the list; a refusal brings the old one back. */
export function useRenameChat(chatId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (title: string) => request<Chat>(`/api/chat/${chatId}`, { method: "PATCH", body: { title } }),
    onMutate: async (title) => {
      await client.cancelQueries({ queryKey: ["chats"] });
      const before = {
        detail: client.getQueryData(chatQuery(chatId).queryKey),
        list: client.getQueryData(chatsQuery.queryKey),
      };
      client.setQueryData(
        chatQuery(chatId).queryKey,
        (detail: ChatDetail | undefined) => detail && { ...detail, chat: { ...detail.chat, title } },
      );
      changeList(client, (items) => items.map((chat) => (chat.id === chatId ? { ...chat, title } : chat)));
      return before;
    },
    onError: (_error, _title, before) => {
      client.setQueryData(chatQuery(chatId).queryKey, before?.detail);
      client.setQueryData(chatsQuery.queryKey, before?.list);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["chats"] }),
  });
}

/** Takes a chat out of the list. It is deleted by `finish`, or when the page is left, unless it is kept before. */
export function takeChatAway(
  client: QueryClient,
  chatId: string,
): { finish: () => Promise<void>; keep: () => void } {
  const path = `/api/chat/${chatId}`;
  const leave = () =>
    void fetch(path, {
      method: "DELETE",
      keepalive: true,
      credentials: "same-origin",
      headers: pageHeaders(),
    });
  const settle = () => {
    leaving.delete(chatId);
    removeEventListener("pagehide", leave);
    void client.invalidateQueries({ queryKey: chatsQuery.queryKey, exact: true });
  };
  leaving.add(chatId);
  changeList(client, (items) => items.filter((chat) => chat.id !== chatId));
  addEventListener("pagehide", leave);
  return {
    keep: settle,
    finish: async () => {
      try {
        await send(path, { method: "DELETE" });
        client.removeQueries(chatQuery(chatId));
      } finally {
        settle();
      }
    },
  };
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

interface Rating {
  turnId: string;
  rating: "up" | "down";
  reason?: string;
}

/** Shows the rating at once; a refusal brings the earlier one back. */
export function useRateTurn(chatId: string) {
  const client = useQueryClient();
  const { queryKey } = chatQuery(chatId);
  return useMutation({
    mutationFn: ({ turnId, ...feedback }: Rating) =>
      send(`/api/chat/${chatId}/turns/${turnId}/feedback`, { method: "POST", body: feedback }),
    onMutate: ({ turnId, rating }) =>
      client.setQueryData(
        queryKey,
        (detail: ChatDetail | undefined) =>
          detail && { ...detail, turns: rated(detail.turns, turnId, rating) },
      ),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

function rated(turns: readonly Turn[], turnId: string, feedback: Rating["rating"]): Turn[] {
  return turns.map((turn) => (turn.id === turnId ? { ...turn, feedback } : turn));
}

function changeList(client: QueryClient, change: (items: Chat[]) => Chat[]): void {
  client.setQueryData(
    chatsQuery.queryKey,
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) },
  );
}
