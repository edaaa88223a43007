import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { AUDIT, kept, LEDGER, oneDatabase, open, ROOT, seen } from "@/testing/databases";
import { server } from "@/testing/server";

beforeEach(oneDatabase);

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
    expect(seen.bodies[0]?.body).toEqual({
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
