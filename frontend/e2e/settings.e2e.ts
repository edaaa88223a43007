import { describe, expect, it } from "vitest";
import { expectAccessible, visit, withBrowser } from "./support";

const MODEL_URL = process.env["E2E_MODEL_URL"];

withBrowser();

describe("settings", () => {
  it("keeps theme and language of this browser", async () => {
    const { page, complaints } = await visit("/settings");
    await page.getByRole("button", { name: "Dark" }).click();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.getByRole("button", { name: "Italiano" }).click();
    await page.getByRole("heading", { level: 1, name: "Impostazioni" }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Impostazioni" }).waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    expect(complaints).toEqual([]);
  });

  it("says in words why a server cannot be used", async () => {
    const { page } = await visit("/settings");
    await page.getByRole("button", { name: "Add a model server" }).click();
    const form = page.getByRole("form", { name: "Model server" });
    await form.getByRole("button", { name: "Test with one call" }).click();
    await form.getByText("Give the server’s address.").waitFor();
    await form.getByLabel("Address").fill("http://169.254.169.254/v1");
    await form.getByRole("button", { name: "Test with one call" }).click();
    expect(await form.getByRole("status").textContent()).toMatch(/never opened/);
  });

  it.skipIf(!MODEL_URL)("tests a model server with one call, uses it, and gives it up again", async () => {
    const { page } = await visit("/settings");
    await page.getByRole("button", { name: "Add a model server" }).click();
    const form = page.getByRole("form", { name: "Model server" });
    await form.getByLabel("Address").fill(MODEL_URL ?? "");
    await form.getByRole("button", { name: "Test with one call" }).click();
    await form.getByRole("status").waitFor();
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Stop using this server" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Stop using this server" }).click();
    await page.getByText("No model key is set.").waitFor();
  });
});

describe("workspaces", () => {
  it("makes a workspace, opens it empty, and goes back", async () => {
    const { page } = await visit("/workspaces");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("Give the workspace a name.").waitFor();
    await page.getByLabel("Name").fill("Field service");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const row = page.getByRole("listitem").filter({ hasText: "Field service" }).last();
    await row.getByRole("button", { name: "Open" }).click();
    await page.getByText("There are no documents here yet.").waitFor();
    await page.goto(new URL("/workspaces", page.url()).href);
    await expectAccessible(page);
    const demo = page.getByRole("listitem").filter({ hasText: "Quillmoor Machines" });
    await demo.getByRole("button", { name: "Open" }).click();
    await page.getByText(/documents in/).waitFor();
  });
});
