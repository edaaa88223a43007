import { infiniteQueryOptions } from "@tanstack/react-query";
import { request, withQuery } from "../client";
import type { Chat, Page } from "../types";

/** The chats of the person in this workspace, the last touched first. */
export const chatsQuery = infiniteQueryOptions({
  queryKey: ["chats"],
  queryFn: ({ pageParam, signal }) =>
    request<Page<Chat>>(withQuery("/api/chat", { cursor: pageParam, limit: 50 }), { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
});
