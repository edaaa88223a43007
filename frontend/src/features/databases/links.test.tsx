import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import type { Statement } from "@/api/types";
import { kept, NOW, oneDatabase, open, page, RETURNS, ROOT, seen } from "@/testing/databases";
import { server } from "@/testing/server";

beforeEach(oneDatabase);

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
    expect(seen.bodies[0]?.body).toEqual({ state: "refused" });
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
