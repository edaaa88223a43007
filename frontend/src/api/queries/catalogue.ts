import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { request, withQuery } from "../client";
import type {
  CatalogueChangePage,
  CatalogueStatus,
  DescriptionChange,
  DescriptionFile,
  DescriptionsImported,
  DocumentLink,
  DocumentLinkChange,
  DocumentLinkPage,
  LinkState,
  SampleRows,
  TableDetail,
  TablePage,
} from "../types";

const POLL_MS = 1500;

/** A table by its full name. */
export interface TableName {
  schema: string;
  table: string;
}

const root = (id: string) => `/api/database-connections/${id}`;
const path = (id: string, { schema, table }: TableName) =>
  `${root(id)}/tables/${encodeURIComponent(schema)}/${encodeURIComponent(table)}`;

export function catalogueQuery(id: string) {
  return queryOptions({
    queryKey: ["databases", id, "catalogue"],
    queryFn: ({ signal }) => request<CatalogueStatus>(`${root(id)}/catalogue`, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.state === "reading" || state.data?.state === "never" ? POLL_MS : false,
  });
}

/** The tables whose name, description, synonyms or columns fit `q`; all of them where it is empty. */
export function tablesQuery(id: string, q: string, takenAt: string | null) {
  return infiniteQueryOptions({
    queryKey: ["databases", id, "tables", q, takenAt],
    queryFn: ({ pageParam, signal }) =>
      request<TablePage>(withQuery(`${root(id)}/tables`, { q, cursor: pageParam, limit: 100 }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** The few tables of a database that fit `q` best. */
export function foundTablesQuery(id: string, q: string) {
  return queryOptions({
    queryKey: ["databases", id, "found", q],
    queryFn: ({ signal }) => request<TablePage>(withQuery(`${root(id)}/tables`, { q, limit: 5 }), { signal }),
    staleTime: 30_000,
  });
}

export function tableQuery(id: string, name: TableName) {
  return queryOptions({
    queryKey: ["databases", id, "table", name.schema, name.table],
    queryFn: ({ signal }) => request<TableDetail>(path(id, name), { signal }),
    staleTime: 30_000,
  });
}

export function sampleQuery(id: string, name: TableName) {
  return queryOptions({
    queryKey: ["databases", id, "sample", name.schema, name.table],
    queryFn: ({ signal }) => request<SampleRows>(`${path(id, name)}/sample`, { signal }),
    staleTime: 60_000,
  });
}

export function catalogueChangesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ["databases", id, "changes"],
    queryFn: ({ pageParam, signal }) =>
      request<CatalogueChangePage>(
        withQuery(`${root(id)}/catalogue/changes`, { cursor: pageParam, limit: 20 }),
        {
          signal,
        },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

export function documentLinksQuery(id: string, state: LinkState, limit = 50) {
  return infiniteQueryOptions({
    queryKey: ["databases", id, "links", state, limit],
    queryFn: ({ pageParam, signal }) =>
      request<DocumentLinkPage>(
        withQuery(`${root(id)}/document-links`, { state, cursor: pageParam, limit }),
        {
          signal,
        },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

export function useRefreshCatalogue(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<CatalogueStatus>(`${root(id)}/catalogue/refresh`, { method: "POST" }),
    onSuccess: (status) => client.setQueryData(catalogueQuery(id).queryKey, status),
  });
}

export interface Description extends TableName {
  /** Null for the table itself. */
  column: string | null;
  change: DescriptionChange;
}

/** Stores what people say of a table or a column, and the names they have for it. */
export function useDescribe(id: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { shownInPlace: true },
    mutationFn: ({ column, change, ...name }: Description) => {
      const place = column === null ? "" : `/columns/${encodeURIComponent(column)}`;
      return request<TableDetail>(`${path(id, name)}${place}/description`, { method: "PATCH", body: change });
    },
    onSuccess: (table, { schema, table: name }) => {
      client.setQueryData(tableQuery(id, { schema, table: name }).queryKey, table);
      return client.invalidateQueries({ queryKey: ["databases", id, "tables"] });
    },
  });
}

export function readDescriptions(id: string): Promise<DescriptionFile> {
  return request<DescriptionFile>(`${root(id)}/descriptions`);
}

export function useImportDescriptions(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (file: DescriptionFile) =>
      request<DescriptionsImported>(`${root(id)}/descriptions`, { method: "PUT", body: file }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["databases", id] }),
  });
}

/** Confirms, corrects or refuses a link from a document to a table or a column. */
export function useChangeLink(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ linkId, change }: { linkId: string; change: DocumentLinkChange }) =>
      request<DocumentLink>(`/api/document-links/${linkId}`, { method: "PATCH", body: change }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["databases", id, "links"] }),
        client.invalidateQueries({ queryKey: ["databases", id, "table"] }),
        client.invalidateQueries({ queryKey: ["databases", id, "tables"] }),
      ]),
  });
}
