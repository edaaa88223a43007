import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { request, send, withQuery } from "../client";
import type {
  NewVerifiedQuery,
  VerifiedQuery,
  VerifiedQueryChange,
  VerifiedQueryPage,
  VerifiedQueryTested,
} from "../types";

/** The verified queries of one database. */
export function verifiedQueriesQuery(databaseConnectionId: string) {
  return queryOptions({
    queryKey: ["verified-queries", databaseConnectionId],
    queryFn: ({ signal }) =>
      request<VerifiedQueryPage>(withQuery("/api/verified-queries", { databaseConnectionId, limit: 200 }), {
        signal,
      }),
  });
}

/** The newest verified queries of the workspace, whatever database they ask. */
export const allVerifiedQueriesQuery = queryOptions({
  queryKey: ["verified-queries"],
  queryFn: ({ signal }) => request<VerifiedQueryPage>("/api/verified-queries?limit=20", { signal }),
});

export function useSaveVerifiedQuery() {
  const client = useQueryClient();
  return useMutation({
    meta: { shownInPlace: true },
    mutationFn: (body: NewVerifiedQuery) =>
      request<VerifiedQuery>("/api/verified-queries", { method: "POST", body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["verified-queries"] }),
  });
}

export function useChangeVerifiedQuery() {
  const client = useQueryClient();
  return useMutation({
    meta: { shownInPlace: true },
    mutationFn: ({ id, change }: { id: string; change: VerifiedQueryChange }) =>
      request<VerifiedQuery>(`/api/verified-queries/${id}`, { method: "PATCH", body: change }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["verified-queries"] }),
  });
}

/** Runs a verified query as it is stored; where it no longer runs, it says why. */
export function useTestVerifiedQuery() {
  const client = useQueryClient();
  return useMutation({
    meta: { shownInPlace: true },
    mutationFn: (id: string) =>
      request<VerifiedQueryTested>(`/api/verified-queries/${id}/test`, { method: "POST" }),
    onSettled: () => client.invalidateQueries({ queryKey: ["verified-queries"] }),
  });
}

export function useDeleteVerifiedQuery() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(`/api/verified-queries/${id}`, { method: "DELETE" }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["verified-queries"] }),
  });
}
