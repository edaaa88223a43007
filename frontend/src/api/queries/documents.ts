import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { request, send, withQuery } from "../client";
import type {
  DocumentChunkPage,
  DocumentText,
  SearchResults,
  SourceDocument,
  SourceDocumentPage,
} from "../types";

const BUSY: ReadonlySet<SourceDocument["state"]> = new Set(["queued", "reading", "indexing"]);
const POLL_MS = 1500;

/** Whether a document is still on its way to being searchable. */
export function isBusy(document: SourceDocument): boolean {
  return BUSY.has(document.state);
}

export function documentQuery(id: string) {
  return queryOptions({
    queryKey: ["documents", id],
    queryFn: ({ signal }) => request<SourceDocument>(`/api/documents/${id}`, { signal }),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? POLL_MS : false),
  });
}

/** The stored text. With `version` (when it was indexed) a text that was read anew is fetched anew. */
export function documentTextQuery(id: string, version: string | null = null) {
  return queryOptions({
    queryKey: ["documents", id, "text", version],
    queryFn: ({ signal }) => request<DocumentText>(`/api/documents/${id}/text`, { signal }),
    staleTime: 300_000,
  });
}

export function documentChunksQuery(id: string, version: string | null) {
  return infiniteQueryOptions({
    queryKey: ["documents", id, "chunks", version],
    queryFn: ({ pageParam, signal }) =>
      request<DocumentChunkPage>(
        withQuery(`/api/documents/${id}/chunks`, { cursor: pageParam, limit: 100 }),
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** The documents of one source, those in trouble first (the server orders them). */
export function sourceDocumentsQuery(sourceId: string, active: boolean) {
  return infiniteQueryOptions({
    queryKey: ["sources", sourceId, "documents"],
    queryFn: ({ pageParam, signal }) =>
      request<SourceDocumentPage>(
        withQuery(`/api/sources/${sourceId}/documents`, { cursor: pageParam, limit: 50 }),
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) =>
      active || state.data?.pages.some((page) => page.items.some(isBusy)) ? POLL_MS : false,
  });
}

export function useRetryDocument() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(`/api/documents/${id}/retry`, { method: "POST" }),
    onSettled: (_answer, _error, id) =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["sources"] }),
        client.invalidateQueries({ queryKey: ["documents", id] }),
      ]),
  });
}

export function useDeleteDocument() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(`/api/documents/${id}`, { method: "DELETE" }),
    onSuccess: (_answer, id) => {
      client.removeQueries({ queryKey: ["documents", id] });
      return Promise.all([
        client.invalidateQueries({ queryKey: ["sources"] }),
        client.invalidateQueries({ queryKey: ["search"] }),
      ]);
    },
  });
}

export interface SearchFilters {
  q: string;
  sourceId?: string | undefined;
  type?: string | undefined;
}

export function searchQuery({ q, sourceId, type }: SearchFilters) {
  return queryOptions({
    queryKey: ["search", q, sourceId, type],
    queryFn: async ({ signal }) => {
      const started = performance.now();
      const page = await request<SearchResults>(withQuery("/api/search", { q, limit: 30, sourceId, type }), {
        signal,
      });
      return { ...page, milliseconds: Math.round(performance.now() - started) };
    },
    enabled: q.trim() !== "",
    staleTime: 30_000,
  });
}
