import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import type { DatabaseConnection, RoleAudit, TableDetail, VerifiedQuery } from "@/api/types";
import { createQueryClient } from "@/routes/queryClient";
import { createAppRouter } from "@/routes/router";
import { server } from "@/testing/server";

export const NOW = new Date().toISOString();
export const AUDIT: RoleAudit = {
  checkedAt: NOW,
  role: "etl_user",
  verdict: "may_write",
  findings: [{ code: "write_grants", severity: "warning", detail: "It may write 2 tables." }],
  writableTables: ["public.bin", "public.mov_ln"],
  writableTableCount: 2,
  grantScript: "CREATE ROLE knowledgestack_reader LOGIN;\nGRANT SELECT ON ALL TABLES;",
};
export const LEDGER: DatabaseConnection = {
  id: "11111111-1111-7111-8111-111111111111",
  name: "Sales ledger",
  description: "Orders and returns",
  engine: "postgresql",
  host: "db.example",
  port: 5432,
  database: "erp",
  username: "reader",
  tls: "verify",
  hasCaCertificate: false,
  state: "reachable",
  stateMessage: null,
  lastCheckedAt: NOW,
  lastReachedAt: NOW,
  latencyMs: 12,
  serverVersion: "16.4",
  audit: { ...AUDIT, verdict: "read_only", findings: [], writableTables: [], writableTableCount: 0 },
  deniedColumns: [],
  holdings: { tableCount: 2, rowEstimate: 8_400_000, takenAt: NOW },
  createdAt: NOW,
};
export const RETURNS: TableDetail = {
  schema: "public",
  name: "ret_ln",
  kind: "table",
  rowEstimate: 38_114,
  comment: null,
  description: null,
  synonyms: [],
  readable: true,
  primaryKey: ["ret_no"],
  uniqueKeys: [],
  foreignKeys: [],
  referencedBy: [],
  partitions: [],
  notes: [],
  columns: [
    {
      name: "amt_mc",
      type: "bigint",
      position: 1,
      nullable: false,
      default: null,
      inPrimaryKey: false,
      enumValues: null,
      comment: null,
      description: null,
      synonyms: [],
      readable: true,
      denied: false,
      notes: [
        {
          linkId: "link-1",
          state: "proposed",
          score: 0.9,
          documentId: "22222222-2222-7222-8222-222222222222",
          chunkId: null,
          title: "Finance handbook",
          headingPath: ["Returns"],
          quote: "Credit granted, in thousandths of a euro.",
          range: { start: 40, end: 81 },
        },
      ],
    },
    {
      name: "dpt_cd",
      type: "char(2)",
      position: 2,
      nullable: true,
      default: null,
      inPrimaryKey: false,
      enumValues: null,
      comment: null,
      description: null,
      synonyms: [],
      readable: true,
      denied: false,
      notes: [],
    },
  ],
};
export const QUERY: VerifiedQuery = {
  id: "33333333-3333-7333-8333-333333333333",
  databaseConnectionId: LEDGER.id,
  database: LEDGER.name,
  question: "Return rate by region",
  description: "",
  sql: "select 1",
  tables: ["public.ret_ln"],
  state: "stale",
  staleReason: "public.ret_ln.qty was renamed",
  createdBy: null,
  createdByName: "Jonas Weber",
  createdAt: NOW,
  updatedAt: NOW,
  lastTestedAt: NOW,
  mayEdit: true,
};

export const ROOT = `/api/database-connections/${LEDGER.id}`;
export const page = <Item,>(items: Item[]) => HttpResponse.json({ items, nextCursor: null });

/** What the page is answered with, and what it sent. */
export const seen: { connections: DatabaseConnection[]; bodies: { path: string; body: unknown }[] } = {
  connections: [],
  bodies: [],
};

export async function kept(request: Request): Promise<void> {
  seen.bodies.push({ path: new URL(request.url).pathname, body: await request.json() });
}

export function asRole(role: "owner" | "member" | "viewer") {
  const activeWorkspace = { id: "w", name: "Alderway", role, memberCount: 1, createdAt: NOW };
  const user = { id: "u", name: "Marta Ricci", email: "marta@example.org", instanceOwner: false };
  server.use(http.get("/api/auth/session", () => HttpResponse.json({ user, activeWorkspace })));
}

export function open(address: string) {
  window.history.replaceState(null, "", address);
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={createAppRouter(client)} />
    </QueryClientProvider>,
  );
}

/** A workspace with one database, asked by an owner. */
export function oneDatabase(): void {
  window.scrollTo = () => {};
  seen.connections = [LEDGER];
  seen.bodies = [];
  asRole("owner");
  const tables = [
    { schema: "public", name: "ord_hdr", summary: "Orders", rowEstimate: 412_000 },
    { schema: "public", name: "ret_ln", summary: "Returned units", rowEstimate: 38_114 },
  ].map((table) => ({ ...table, kind: "table", columnCount: 2, readable: true }));
  server.use(
    http.get("/api/sources", () => page([])),
    http.get("/api/sources/connectors", () =>
      HttpResponse.json({ uploads: { fileExtensions: [], maxBytes: 1 }, providers: [] }),
    ),
    http.get("/api/chat", () => page([])),
    http.get("/api/workspaces", () => page([])),
    http.get("/api/database-connections", () => page(seen.connections)),
    http.get(`${ROOT}/catalogue`, () =>
      HttpResponse.json({
        state: "current",
        takenAt: NOW,
        checkedAt: NOW,
        tableCount: 2,
        rowEstimate: 1,
        message: null,
      }),
    ),
    http.get(`${ROOT}/tables`, ({ request }) => {
      const q = new URL(request.url).searchParams.get("q") ?? "";
      return page(tables.filter((table) => table.name.includes(q)));
    }),
    http.get(`${ROOT}/tables/public/:table`, ({ params }) =>
      HttpResponse.json({ ...RETURNS, name: params["table"] }),
    ),
    http.get(`${ROOT}/catalogue/changes`, () => page([])),
    http.get(`${ROOT}/document-links`, () => page([])),
    http.get(`${ROOT}/completion`, () => HttpResponse.json({ items: [], complete: true })),
    http.get("/api/verified-queries", () => page([QUERY])),
  );
}
