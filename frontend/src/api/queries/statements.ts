import { queryOptions } from "@tanstack/react-query";
import { request, send } from "../client";
import type { CompletionList, NewExport, NewQuery, QueryResult } from "../generated";

/** Runs a person's own SELECT. Leaving (the signal) ends the statement in the database too. */
export function runStatement(
  connectionId: string,
  query: NewQuery,
  signal: AbortSignal,
): Promise<QueryResult> {
  return request<QueryResult>(`/api/database-connections/${connectionId}/queries`, {
    method: "POST",
    body: query,
    signal,
  });
}

/** Runs a statement anew and hands over the whole of its rows as a file. */
export async function exportStatement(
  connectionId: string,
  wanted: NewExport,
): Promise<{ name: string; file: Blob }> {
  const response = await send(`/api/database-connections/${connectionId}/queries/export`, {
    method: "POST",
    body: wanted,
    headers: { Accept: "*/*" },
  });
  const disposition = response.headers.get("Content-Disposition");
  return { name: fileName(disposition) ?? `rows.${wanted.format}`, file: await response.blob() };
}

function fileName(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/i.exec(disposition ?? "")?.[1] ?? null;
}

/** Names of tables and columns for the editor. */
export function completionQuery(connectionId: string) {
  return queryOptions({
    queryKey: ["databases", connectionId, "completion"],
    queryFn: ({ signal }) =>
      request<CompletionList>(`/api/database-connections/${connectionId}/completion`, { signal }),
    staleTime: 300_000,
  });
}
