import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sessionQuery } from "@/api/queries/session";
import type { Session } from "@/api/types";
import { server } from "@/testing/server";
import type { ShownResult } from "./model/shown";
import { ResultCard } from "./ResultCard";

const RESULT: ShownResult = {
  title: "Return rate by region",
  databaseConnectionId: "db",
  database: "Sales ledger",
  sql: "select region, rate from rates",
  columns: [
    { name: "region", type: "text" },
    { name: "rate", type: "numeric" },
  ],
  rows: [
    ["Iberia", "4.63"],
    ["Italy", "3.19"],
  ],
  rowCount: 2,
  truncated: false,
  truncatedReason: null,
  durationMs: 84,
  receipt: {
    statementId: "s",
    database: "Sales ledger",
    role: "reader",
    tables: ["public.rates"],
    columns: [],
    costEstimate: null,
    timeZone: "UTC",
    today: "2026-11-12",
    startedAt: "2026-11-12T09:41:00Z",
  },
};
const CUT: ShownResult = { ...RESULT, truncated: true, truncatedReason: "rows", rowCount: 1000 };

function show(
  result: ShownResult,
  role: "member" | "viewer" = "member",
  { question = "Whose rate rose?", onAsk }: { question?: string; onAsk?: (question: string) => void } = {},
) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  client.setQueryData(sessionQuery.queryKey, { activeWorkspace: { role } } as Session);
  render(
    <QueryClientProvider client={client}>
      <ResultCard result={result} question={question} onAsk={onAsk} />
    </QueryClientProvider>,
  );
}

const QUERIES = "/api/database-connections/db/queries";

afterEach(() => vi.unstubAllGlobals());

describe("a result as a card", () => {
  it("says how many rows, how long and where, and has its statement behind a button", async () => {
    show(RESULT);
    expect(screen.getByText(/^2 rows · 84\sms · Sales ledger$/)).toBeInTheDocument();
    const button = screen.getByRole("button", { name: "SQL" });
    expect(button).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(button);
    expect(screen.getByRole("group", { name: "SQL" })).toHaveTextContent(
      /select.*region,.*rate.*from.*rates/s,
    );
    expect(screen.getByRole("button", { name: "Run again" })).toBeInTheDocument();
  });

  it("says how to see rows that an older result of a long chat came without", async () => {
    show({ ...CUT, rows: [], truncatedReason: "left_out" });
    expect(screen.getByText("Rows not loaded")).toBeInTheDocument();
    expect(screen.getByRole("status")).toHaveTextContent(/Run its statement again to see the rows/);
    expect(screen.queryByRole("radio", { name: /chart/i })).not.toBeInTheDocument();
  });

  it("has the model explain its statement", async () => {
    const onAsk = vi.fn();
    show(RESULT, "viewer", { onAsk });
    await userEvent.click(screen.getByRole("button", { name: "SQL" }));
    await userEvent.click(screen.getByRole("button", { name: "Explain" }));
    expect(onAsk).toHaveBeenCalledWith(
      expect.stringMatching(/^Explain in plain words .*select region, rate/s),
    );
  });

  it("gives who may only read neither runs nor files", async () => {
    show(RESULT, "viewer");
    await userEvent.click(screen.getByRole("button", { name: "SQL" }));
    expect(screen.getByRole("button", { name: "Copy" })).toBeInTheDocument();
    for (const name of ["Run again", "Edit and run", "Save as verified", "Download all rows"]) {
      expect(screen.queryByRole("button", { name })).toBeNull();
    }
  });

  it("has the database order a result of which it has only the first rows", async () => {
    const asked: unknown[] = [];
    server.use(
      http.post(QUERIES, async ({ request }) => {
        asked.push(await request.json());
        return HttpResponse.json({ ...CUT, rows: [["Ticino", "9.99"]] });
      }),
    );
    show(CUT);
    expect(screen.getByText("First 1,000 of more")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: /rate/ }));
    expect(await screen.findByText("Ticino")).toBeInTheDocument();
    expect(screen.getByText("Ordered in the database over all rows, just now.")).toBeInTheDocument();
    expect(asked).toEqual([{ sql: CUT.sql, orderBy: { column: 1, descending: true } }]);
  });

  it("says why the order failed and keeps the rows", async () => {
    server.use(
      http.post(QUERIES, () =>
        HttpResponse.json(
          { status: 422, code: "sql_timeout", detail: "It took more than 60 s." },
          { status: 422 },
        ),
      ),
    );
    show(CUT);
    await userEvent.click(screen.getByRole("button", { name: /rate/ }));
    expect(
      await screen.findByText("The rows stay in their order. It took more than 60 s."),
    ).toBeInTheDocument();
    expect(screen.getByText("Iberia")).toBeInTheDocument();
  });

  it("draws no part of a result and offers to count the whole", async () => {
    server.use(
      http.get("/api/database-connections/db/completion", () =>
        HttpResponse.json({ items: [], complete: true }),
      ),
    );
    show(CUT);
    await userEvent.click(screen.getByRole("button", { name: "Chart" }));
    expect(screen.getByText(/A chart of a part would mislead/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Count in groups" }));
    expect(await screen.findByRole("dialog", { name: "Query Sales ledger" })).toBeInTheDocument();
  });

  it("saves its statement with the question that it answers", async () => {
    const saved: unknown[] = [];
    server.use(
      http.post("/api/verified-queries", async ({ request }) => {
        saved.push(await request.json());
        return HttpResponse.json({ id: "v" }, { status: 201 });
      }),
    );
    show(RESULT);
    await userEvent.click(screen.getByRole("button", { name: "Save as verified" }));
    const dialog = await screen.findByRole("dialog", { name: "Save as a verified query" });
    expect(within(dialog).getByLabelText("Question it answers")).toHaveValue("Whose rate rose?");
    await userEvent.type(within(dialog).getByLabelText("Notes"), "Without transit damage");
    await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(saved).toEqual([
      {
        databaseConnectionId: "db",
        question: "Whose rate rose?",
        sql: RESULT.sql,
        description: "Without transit damage",
      },
    ]);
  });

  it("hands over all rows as a file under the server's name", async () => {
    const asked: unknown[] = [];
    server.use(
      http.post(`${QUERIES}/export`, async ({ request }) => {
        asked.push(await request.json());
        return new HttpResponse("region;rate", {
          headers: {
            "Content-Disposition": `attachment; filename="x.csv"; filename*=UTF-8''return%20rate.csv`,
          },
        });
      }),
    );
    URL.createObjectURL = () => "blob:rows";
    URL.revokeObjectURL = () => {};
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    show(RESULT);
    await userEvent.click(screen.getByRole("button", { name: "Download all rows" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "CSV, all rows" }));
    await vi.waitFor(() => expect(names).toEqual(["return rate.csv"]));
    expect(asked).toEqual([{ sql: RESULT.sql, format: "csv", orderBy: null }]);
  });
});
