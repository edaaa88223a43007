import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { request, send, withQuery } from "../client";
import type {
  DatabaseConnectionChange,
  DatabaseConnectionPage,
  DatabaseConnectionSaved,
  DatabaseConnectionTested,
  NewDatabaseConnection,
  StatementOutcome,
  StatementPage,
} from "../types";

const POLL_MS = 2000;
const POLLS_MS = 60_000;

export const databasesQuery = queryOptions({
  queryKey: ["databases"],
  queryFn: ({ signal }) => request<DatabaseConnectionPage>("/api/database-connections?limit=200", { signal }),
  // Until a new database's tables are counted; one whose catalogue fails is not asked for ever.
  refetchInterval: ({ state }) =>
    state.data?.items.some((one) => !one.holdings && Date.now() - Date.parse(one.createdAt) < POLLS_MS)
      ? POLL_MS
      : false,
});

/** Registers a database: it is opened first, and an address that does not open is not stored. */
export function useConnectDatabase() {
  const client = useQueryClient();
  return useMutation({
    meta: { shownInPlace: true },
    mutationFn: (body: NewDatabaseConnection) =>
      request<DatabaseConnectionSaved>("/api/database-connections", { method: "POST", body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["databases"] }),
  });
}

/** Changes a connection; what leads elsewhere or to another role is opened first. */
export function useChangeDatabase(shownInPlace = true) {
  const client = useQueryClient();
  return useMutation({
    meta: { shownInPlace },
    mutationFn: ({ id, change }: { id: string; change: DatabaseConnectionChange }) =>
      request<DatabaseConnectionSaved>(`/api/database-connections/${id}`, { method: "PATCH", body: change }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["databases"] }),
  });
}

export function useTestDatabase() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      request<DatabaseConnectionTested>(`/api/database-connections/${id}/test`, { method: "POST" }),
    onSettled: () => client.invalidateQueries({ queryKey: ["databases"] }),
  });
}

export function useDeleteDatabase() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(`/api/database-connections/${id}`, { method: "DELETE" }),
    onSuccess: (_answer, id) => {
      client.removeQueries({ queryKey: ["databases", id] });
      return client.invalidateQueries({ queryKey: ["databases"] });
    },
  });
}

export interface StatementFilters {
  databaseConnectionId?: string | undefined;
  userId?: string | undefined;
  outcome?: StatementOutcome | undefined;
}

/** The log of statements, the newest first: an owner sees all of the workspace, others their own. */
export function statementsQuery(filters: StatementFilters) {
  return infiniteQueryOptions({
    queryKey: ["database-statements", filters],
    queryFn: ({ pageParam, signal }) =>
      request<StatementPage>(
        withQuery("/api/database-statements", { ...filters, cursor: pageParam, limit: 50 }),
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((one) => one.outcome === "running")) ? POLL_MS : false,
  });
}
