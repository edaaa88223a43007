import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { request, send } from "../client";
import type { ConnectorCatalogue, Source, SourcePage } from "../types";

const POLL_MS = 1500;

/** Whether a source is being read right now or will be in a moment. */
export function isReading(source: Source): boolean {
  return source.pass?.state === "queued" || source.pass?.state === "running";
}

export const sourcesQuery = queryOptions({
  queryKey: ["sources"],
  queryFn: ({ signal }) => request<SourcePage>("/api/sources?limit=200", { signal }),
  refetchInterval: ({ state }) => (state.data?.items.some(isReading) ? POLL_MS : false),
});

export const connectorsQuery = queryOptions({
  queryKey: ["connectors"],
  queryFn: ({ signal }) => request<ConnectorCatalogue>("/api/sources/connectors", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

function useSourceAction<Variables>(run: (variables: Variables) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSettled: () => client.invalidateQueries({ queryKey: ["sources"] }),
  });
}

export function useSyncSource() {
  return useSourceAction((id: string) => send(`/api/sources/${id}/sync`, { method: "POST" }));
}

export function useCancelSync() {
  return useSourceAction((id: string) => send(`/api/sources/${id}/cancel`, { method: "POST" }));
}

export function usePauseSource() {
  return useSourceAction(({ id, paused }: { id: string; paused: boolean }) =>
    send(`/api/sources/${id}`, { method: "PATCH", body: { paused } }),
  );
}

export function useRenameSource() {
  return useSourceAction(({ id, name }: { id: string; name: string }) =>
    send(`/api/sources/${id}`, { method: "PATCH", body: { name } }),
  );
}

export function useDeleteSource() {
  return useSourceAction((id: string) => send(`/api/sources/${id}`, { method: "DELETE" }));
}

/** Whether something in a source waits for a person. */
export function needsHand(source: Source): boolean {
  return source.state === "error" || source.state === "reauth_required" || (source.pass?.failed ?? 0) > 0;
}

const GIVEN_NAME = "Uploads";

/** The name of a source: the uploads have one in the reader's language until somebody gives them another. */
export function sourceName(source: Source, uploads: string): string {
  return source.provider === "upload" && source.name === GIVEN_NAME ? uploads : source.name;
}
