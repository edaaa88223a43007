import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Citation, Figure, QueryRows, Turn } from "@/api/generated";
import { sessionQuery } from "@/api/queries/session";
import type { Session } from "@/api/types";
import { AnswerText } from "./AnswerText";
import { CitationContext } from "./CitationContext";
import { askedTurn } from "./model/turn";

const CITATION: Citation = {
  index: 1,
  chunkId: "c",
  documentId: "d",
  title: "Warranty",
  url: null,
  provider: "upload",
  headingPath: ["Warranty", "How long"],
  text: "Twelve months.",
  similarityScore: 0.7,
  matchKind: "both",
  range: { start: 0, end: 14 },
  author: null,
  updatedAt: null,
  documentState: "current",
};

const RESULT: QueryRows = {
  mark: "Q1",
  stepId: "s",
  title: "Return rate",
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
    tables: [],
    columns: [],
    costEstimate: null,
    timeZone: "UTC",
    today: "2026-11-12",
    startedAt: "2026-11-12T09:41:00Z",
  },
};

const TURN: Turn = {
  ...askedTurn({ question: "How long?", modelId: "m", scope: null, turnIndex: 0, parentTurnId: null }),
  id: "t",
  state: "done",
  citations: [CITATION, { ...CITATION, index: 2, documentState: "changed" }],
  queryResults: [RESULT],
};

async function show(answer: string, { running = false, figures = [] as Figure[] } = {}) {
  const turn = { ...TURN, answer, figures };
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: "/",
    component: () => (
      <CitationContext value={{ chatId: "chat", turn, open: null, onAsk: null }}>
        <AnswerText text={answer} figures={figures} running={running} />
      </CitationContext>
    ),
  });
  window.scrollTo = () => {};
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() });
  await router.load();
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(sessionQuery.queryKey, { activeWorkspace: { role: "viewer" } } as Session);
  const { container } = render(
    <QueryClientProvider client={client}>
      {/* biome-ignore lint/suspicious/noExplicitAny: a router of the test's own, not the registered one */}
      <RouterProvider router={router as any} />
    </QueryClientProvider>,
  );
  return container;
}

describe("an answer", () => {
  it("turns marks into links that name their document", async () => {
    await show("Twelve months [1]. **Bold too [2]**.");
    expect(screen.getByRole("link", { name: "Citation 1, Warranty" })).toHaveTextContent("1");
    expect(screen.getByRole("link", { name: "Citation 2, Warranty" })).toHaveClass("is-old");
  });

  it("leaves brackets in code alone, and numbers that nothing stands behind without a link", async () => {
    const page = await show("Read `list[1]` and [7].");
    expect(page.querySelector("code")).toHaveTextContent("list[1]");
    expect(screen.queryAllByRole("link")).toEqual([]);
  });

  it("shows a mark only when it has come whole", async () => {
    const page = await show("Twelve months [1", { running: true });
    expect(page).toHaveTextContent(/^Twelve months$/);
  });

  it("tags a sentence without a source once, though it is set in several pieces", async () => {
    const text = "Known [1]. This is **not** in there.";
    const unsupported: Figure = {
      start: text.indexOf("This"),
      end: text.length,
      kind: "unsupported",
      refs: [],
      formula: null,
    };
    const page = await show(text, { figures: [unsupported] });
    expect(screen.getAllByText("no source")).toHaveLength(1);
    expect(page.querySelectorAll(".unsupported").length).toBeGreaterThan(1);
  });

  it("shows the rows of a query once, below the words that cite them first", async () => {
    const page = await show("It rose [Q1].\n\nAgain [Q1] and [Q9].");
    const links = screen.getAllByRole("link", { name: "Query result Q1, Return rate" });
    expect(links.map((link) => link.closest("p, header")?.tagName)).toEqual(["P", "HEADER", "P"]);
    expect(screen.getAllByRole("table")).toHaveLength(1);
    expect(page.querySelector(".answer > p:first-child + .result-card")).not.toBeNull();
  });

  it("opens the cell of a figure and shows it in the rows", async () => {
    const text = "It rose to 4.63 % [Q1].";
    const start = text.indexOf("4.63");
    const figures: Figure[] = [{ start, end: start + 6, kind: "cell", refs: ["Q1:0:1"], formula: null }];
    await show(text, { figures });
    const link = screen.getByRole("link", { name: "4.63 % (a value of Q1)" });
    expect(link).toHaveAttribute("href", "/chat/chat?turn=t&citation=Q1&figure=0");
    expect(screen.getByRole("mark")).toHaveTextContent("4.63");
    expect(screen.getByRole("mark").closest("td")).not.toBeNull();
  });

  it("shows a query's mark only when it has come whole", async () => {
    const page = await show("It rose [Q", { running: true });
    expect(page).toHaveTextContent(/^It rose$/);
  });

  it("shows markup as text, kills unsafe links and never loads a picture", async () => {
    const page = await show(
      [
        "<script>alert(1)</script> <img src=x onerror=alert(1)>",
        "[click](javascript:alert(1)) [data](data:text/html,x) [good](https://example.org/a)",
        "![pixel](https://example.org/p.png) ![ref][r]",
        "[r]: https://example.org/r.png",
      ].join("\n\n"),
    );
    expect(page).toHaveTextContent("<script>alert(1)</script>");
    expect(page.querySelectorAll("script, img, iframe")).toHaveLength(0);
    expect([...page.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
      "https://example.org/a",
    ]);
  });
});
