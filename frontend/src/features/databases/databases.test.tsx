import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { DatabaseConnection, RoleAudit, Statement, TableDetail, VerifiedQuery } from "@/api/types";
import { createQueryClient } from "@/routes/queryClient";
import { createAppRouter } from "@/routes/router";
import { server } from "@/testing/server";

const NOW = new Date().toISOString();
const AUDIT: RoleAudit = {
  checkedAt: NOW,
  role: "etl_user",
  verdict: "may_write",
  findings: [{ code: "write_grants", severity: "warning", detail: "It may write 2 tables." }],
  writableTables: ["public.bin", "public.mov_ln"],
  writableTableCount: 2,
  grantScript: "CREATE ROLE knowledgestack_reader LOGIN;\nGRANT SELECT ON ALL TABLES;",
};
const LEDGER: DatabaseConnection = {
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
const RETURNS: TableDetail = {
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
const QUERY: VerifiedQuery = {
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

const ROOT = `/api/database-connections/${LEDGER.id}`;
const page = <Item,>(items: Item[]) => HttpResponse.json({ items, nextCursor: null });
let connections: DatabaseConnection[];
let bodies: { path: string; body: unknown }[];

async function kept(request: Request): Promise<void> {
  bodies.push({ path: new URL(request.url).pathname, body: await request.json() });
}

function asRole(role: "owner" | "member" | "viewer") {
  const activeWorkspace = { id: "w", name: "Alderway", role, memberCount: 1, createdAt: NOW };
  const user = { id: "u", name: "Marta Ricci", email: "marta@example.org", instanceOwner: false };
  server.use(http.get("/api/auth/session", () => HttpResponse.json({ user, activeWorkspace })));
}

function open(address: string) {
  window.history.replaceState(null, "", address);
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={createAppRouter(client)} />
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  window.scrollTo = () => {};
  connections = [LEDGER];
  bodies = [];
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
    http.get("/api/database-connections", () => page(connections)),
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
});

describe("the databases page", () => {
  it("says how each database stands and what its role may do", async () => {
    connections = [
      LEDGER,
      {
        ...LEDGER,
        id: "44444444-4444-7444-8444-444444444444",
        name: "Warehouse",
        state: "unreachable",
        tls: "off",
        audit: AUDIT,
      },
    ];
    open("/databases");
    const cards = await screen.findByRole("list", { name: "Connected databases" });
    const [ledger, warehouse] = within(cards).getAllByRole("listitem");
    expect(ledger).toHaveTextContent("Reachable, 12 ms");
    expect(ledger).toHaveTextContent("Orders and returns. 2 tables, 8.4 million rows.");
    expect(ledger).toHaveTextContent("Role cannot write");
    expect(ledger).toHaveTextContent("TLS verified");
    expect(warehouse).toHaveTextContent("Unreachable");
    expect(warehouse).toHaveTextContent("Role may write to 2 tables");
    expect(warehouse).toHaveTextContent("Not encrypted");
    expect(screen.getByText(/1 of 2 does not answer/)).toBeInTheDocument();
  });

  it("offers the first database to an owner and names who can connect it to a member", async () => {
    connections = [];
    asRole("member");
    open("/databases");
    expect(await screen.findByText(/takes an owner of this workspace/)).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Connect a database" })).toBeNull();
  });

  it("keeps what changes a database from a viewer", async () => {
    asRole("viewer");
    open("/databases");
    expect(await screen.findByText(/Credit granted/)).toBeInTheDocument();
    for (const name of ["Describe it", "Statement log", "New query", "Read again"]) {
      expect(screen.queryByText(name)).toBeNull();
    }
  });

  it("finds a table, keeps it in the address and shows the words of the document with the way to them", async () => {
    open("/databases");
    const list = await screen.findByRole("navigation", { name: "Tables of Sales ledger" });
    await within(list).findByRole("link", { name: /ord_hdr/ });
    await userEvent.type(within(list).getByRole("searchbox"), "ret");
    await waitFor(() => expect(within(list).queryByRole("link", { name: /ord_hdr/ })).toBeNull());
    await userEvent.keyboard("{ArrowDown}{Enter}");
    expect(await screen.findByRole("heading", { name: "ret_ln" })).toBeInTheDocument();
    expect(window.location.search).toContain("table=ret_ln");
    expect(screen.getByText(/Credit granted, in thousandths of a euro/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Document 1, Finance handbook" })).toHaveAttribute(
      "href",
      expect.stringMatching(/\/documents\/22222222.*start=40.*end=81/),
    );
  });

  it("stores what a person says of a column and the other names it has", async () => {
    server.use(
      http.patch(`${ROOT}/tables/public/ret_ln/columns/dpt_cd/description`, async ({ request }) => {
        await kept(request);
        const columns = RETURNS.columns.map((one) =>
          one.name === "dpt_cd" ? { ...one, description: "The depot" } : one,
        );
        return HttpResponse.json({ ...RETURNS, columns });
      }),
    );
    open("/databases?schema=public&table=ret_ln");
    await userEvent.click(await screen.findByRole("button", { name: "Describe it: dpt_cd" }));
    await userEvent.type(await screen.findByLabelText("What it means"), "The depot");
    await userEvent.type(screen.getByLabelText("Other names"), "depot, site,depot");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("The depot")).toBeInTheDocument();
    expect(bodies[0]?.body).toEqual({ description: "The depot", synonyms: ["depot", "site"] });
  });

  it("says why a verified query has to be looked at", async () => {
    open("/databases?schema=public&table=ret_ln&tab=queries");
    const said = "public.ret_ln.qty was renamed";
    const panel = await screen.findByRole("tabpanel", { name: /Verified queries/ });
    expect(await within(panel).findByText(said)).toBeInTheDocument();
  });
});

describe("connecting a database", () => {
  async function fill() {
    open("/databases?dialog=connect");
    const form = within(await screen.findByRole("dialog", { name: "Connect a database" }));
    await userEvent.type(form.getByLabelText("Name"), "Warehouse");
    await userEvent.click(form.getByLabelText("Host"));
    await userEvent.paste("postgres://etl_user:secret@10.20.4.7/wms?sslmode=require");
    return form;
  }

  it("names what is missing before anything is sent", async () => {
    open("/databases?dialog=connect");
    const form = within(await screen.findByRole("dialog", { name: "Connect a database" }));
    await userEvent.click(form.getByRole("button", { name: "Open and connect" }));
    expect(form.getByLabelText("Host")).toHaveAccessibleDescription("Name the machine that it runs on.");
    expect(form.getByLabelText("Password")).toBeInvalid();
  });

  it("says that nothing was stored where the database did not open", async () => {
    server.use(
      http.post("/api/database-connections", () =>
        HttpResponse.json({
          success: false,
          databaseConnection: null,
          audit: null,
          message: "Nothing answers at this address.",
        }),
      ),
    );
    const form = await fill();
    await userEvent.click(form.getByRole("button", { name: "Open and connect" }));
    expect(await form.findByText("Nothing answers at this address.")).toBeInTheDocument();
    expect(form.getByText(/Nothing was stored/)).toBeInTheDocument();
    expect(form.getByRole("button", { name: "Open again" })).toBeEnabled();
  });

  it("shows what the role may do, with the script of a safe one, and lets another role be given", async () => {
    const stored = { ...LEDGER, id: "55555555-5555-7555-8555-555555555555", name: "Warehouse", audit: AUDIT };
    server.use(
      http.post("/api/database-connections", async ({ request }) => {
        await kept(request);
        return HttpResponse.json({
          success: true,
          databaseConnection: { ...stored, username: "etl_user" },
          audit: AUDIT,
          message: null,
        });
      }),
    );
    const form = await fill();
    await userEvent.click(form.getByRole("button", { name: "Open and connect" }));
    expect(await form.findByText("mov_ln")).toBeInTheDocument();
    expect(form.getByRole("region", { name: "Script for a safe role" })).toHaveTextContent(
      "CREATE ROLE knowledgestack_reader LOGIN;",
    );
    expect(bodies[0]?.body).toEqual({
      name: "Warehouse",
      description: "",
      host: "10.20.4.7",
      port: 5432,
      database: "wms",
      username: "etl_user",
      password: "secret",
      tls: "require",
    });
    await userEvent.click(form.getByRole("button", { name: "Use another role" }));
    expect(form.getByLabelText("User")).toHaveFocus();
    expect(form.getByLabelText("Password")).toHaveValue("");
  });

  it("puts the server's sentence beside the field that it is about", async () => {
    server.use(
      http.patch(ROOT, () =>
        HttpResponse.json(
          {
            code: "invalid_request",
            detail: "The password has to be given again.",
            errors: [{ path: "password", message: "Give it again for the new host." }],
          },
          { status: 422 },
        ),
      ),
    );
    open(`/databases?connection=${LEDGER.id}&dialog=edit`);
    const form = within(await screen.findByRole("dialog", { name: "Edit Sales ledger" }));
    await userEvent.type(form.getByLabelText("Host"), ".org");
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(form.getByLabelText("Password")).toHaveAccessibleDescription("Give it again for the new host."),
    );
  });
});

describe("links to documents", () => {
  it("are confirmed and refused, each with its own name", async () => {
    const column = RETURNS.columns[0];
    const link = {
      id: "link-1",
      schema: "public",
      table: "ret_ln",
      column: "amt_mc",
      note: column?.notes[0],
    };
    let links = [link];
    server.use(
      http.get(`${ROOT}/document-links`, () => page(links)),
      http.patch("/api/document-links/link-1", async ({ request }) => {
        await kept(request);
        links = [];
        return HttpResponse.json(link);
      }),
    );
    open("/databases/links");
    await userEvent.click(
      await screen.findByRole("button", { name: "Refuse: Finance handbook is not about ret_ln.amt_mc" }),
    );
    expect(await screen.findByText("Nothing waits for you here")).toBeInTheDocument();
    expect(bodies[0]?.body).toEqual({ state: "refused" });
  });
});

describe("the statement log", () => {
  it("says how each statement came out, and opens to its text and the reason", async () => {
    const statement: Statement = {
      id: "s1",
      databaseConnectionId: null,
      database: "Old ledger",
      userId: "u",
      userName: "Tom Ashby",
      chatId: null,
      turnId: null,
      origin: "person",
      sql: "delete from orders",
      tables: [],
      startedAt: NOW,
      durationMs: 0,
      rowCount: null,
      outcome: "rejected",
      detail: "Only a SELECT is run here.",
    };
    const asked: string[] = [];
    server.use(
      http.get("/api/database-statements", ({ request }) => {
        asked.push(new URL(request.url).search);
        return page([statement]);
      }),
    );
    open("/databases/log?outcome=rejected");
    const list = within(await screen.findByRole("list", { name: "Statements" }));
    expect(list.getByRole("listitem")).toHaveTextContent(
      "Old ledger (deleted) · Tom Ashby · written by hand",
    );
    expect(list.getByText("Not run")).toBeInTheDocument();
    await userEvent.click(list.getByRole("button", { name: "Show the statement" }));
    expect(await list.findByText("Only a SELECT is run here.")).toBeInTheDocument();
    expect(asked[0]).toContain("outcome=rejected");
    await userEvent.click(screen.getByRole("button", { name: "Remove the filter Not run" }));
    await waitFor(() => expect(window.location.search).toBe(""));
  });
});
