import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { AUDIT, asRole, kept, LEDGER, oneDatabase, open, RETURNS, ROOT, seen } from "@/testing/databases";
import { server } from "@/testing/server";

beforeEach(oneDatabase);

describe("the databases page", () => {
  it("says how each database stands and what its role may do", async () => {
    seen.connections = [
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
    seen.connections = [];
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
    expect(seen.bodies[0]?.body).toEqual({ description: "The depot", synonyms: ["depot", "site"] });
  });

  it("says why a verified query has to be looked at", async () => {
    open("/databases?schema=public&table=ret_ln&tab=queries");
    const said = "public.ret_ln.qty was renamed";
    const panel = await screen.findByRole("tabpanel", { name: /Verified queries/ });
    expect(await within(panel).findByText(said)).toBeInTheDocument();
  });
});
