import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { server } from "@/testing/server";
import { RunDialog } from "./RunDialog";

// The editor measures what it draws, which only a browser can.
vi.mock("./EditorLayer", () => ({
  EditorLayer: ({
    value,
    onChange,
    label,
  }: {
    value: string;
    onChange: (sql: string) => void;
    label: string;
  }) => <textarea aria-label={label} value={value} onChange={(event) => onChange(event.target.value)} />,
}));

const QUERIES = "/api/database-connections/db/queries";
const ANSWER = {
  columns: [{ name: "n", type: "integer" }],
  rows: [["7"]],
  rowCount: 1,
  truncated: false,
  truncatedReason: null,
  durationMs: 12,
  receipt: {},
};

function show(runAtOnce = false) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RunDialog
        open
        onOpenChange={() => {}}
        databaseConnectionId="db"
        database="Sales ledger"
        sql="select 7 as n"
        runAtOnce={runAtOnce}
      />
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  server.use(
    http.get("/api/database-connections/db/completion", () =>
      HttpResponse.json({ items: [], complete: true }),
    ),
  );
});

describe("a statement to change and run", () => {
  it("runs again at once what was run before", async () => {
    const asked: unknown[] = [];
    server.use(
      http.post(QUERIES, async ({ request }) => {
        asked.push(await request.json());
        return HttpResponse.json(ANSWER);
      }),
    );
    show(true);
    expect(await screen.findByRole("cell", { name: "7" })).toBeInTheDocument();
    expect(asked).toEqual([{ sql: "select 7 as n", orderBy: null }]);
  });

  it("says why a statement failed beside its field, and keeps the text", async () => {
    server.use(
      http.post(QUERIES, () =>
        HttpResponse.json(
          { status: 422, code: "sql_failed", detail: 'column "m" does not exist (SQLSTATE 42703)' },
          { status: 422 },
        ),
      ),
    );
    show();
    const field = await screen.findByLabelText("SQL for Sales ledger");
    await userEvent.clear(field);
    await userEvent.type(field, "select m");
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByRole("alert")).toHaveTextContent('column "m" does not exist (SQLSTATE 42703)');
    expect(field).toHaveValue("select m");
  });

  it("leaves the line when it is stopped, so that the database stops too", async () => {
    let left = false;
    server.use(
      http.post(QUERIES, async ({ request }) => {
        request.signal.addEventListener("abort", () => {
          left = true;
        });
        await new Promise(() => {});
        return HttpResponse.json(ANSWER);
      }),
    );
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Run" }));
    await userEvent.click(await screen.findByRole("button", { name: "Stop" }));
    expect(screen.getByRole("button", { name: "Run" })).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();
    await vi.waitFor(() => expect(left).toBe(true));
  });
});
