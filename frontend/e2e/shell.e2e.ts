import { describe, expect, it } from "vitest";
import { expectAccessible, visit, withBrowser } from "./support";

withBrowser();

describe("the frame around every page", () => {
  it("leads by keys: commands, the list of keys, search, a new question", async () => {
    const { page, complaints } = await visit("/sources");
    await page.getByRole("heading", { level: 1, name: "Sources" }).waitFor();
    await page.keyboard.press("Control+k");
    const commands = page.getByRole("dialog", { name: "Commands" });
    await commands.getByRole("combobox").fill("settings");
    await commands.getByRole("option", { name: "Ask “settings”" }).waitFor();
    await expectAccessible(page);
    await commands.getByRole("option", { name: "Settings", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();

    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("n");
    expect(page.url()).toContain("/settings");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.waitForURL(/\/search/);
    await page.getByRole("searchbox").fill("n/?");
    expect(await page.getByRole("searchbox").inputValue()).toBe("n/?");
    expect(complaints).toEqual([]);
  });

  it("switches single keys off", async () => {
    const { page } = await visit("/settings");
    await page.getByRole("switch", { name: "Single keys" }).click();
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("/");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Commands" }).waitFor();
    expect(page.url()).toContain("/settings");
  });

  it.each(["light", "dark"] as const)("fits a narrow screen, its menu a drawer (%s)", async (theme) => {
    const { page } = await visit("/sources", { width: 360, height: 740, theme });
    await page.getByRole("heading", { level: 1, name: "Sources" }).waitFor();
    await page.getByRole("button", { name: "Open the menu" }).click();
    const drawer = page.getByRole("dialog", { name: "Main" });
    await drawer.getByRole("link", { name: "Search" }).waitFor();
    await expectAccessible(page);
    await drawer.getByRole("link", { name: "Search" }).click();
    await page.waitForURL(/\/search/);
    await drawer.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });

  it("says that one is offline, and loads anew by itself", async () => {
    const { page } = await visit("/sources");
    await page.getByRole("heading", { level: 1, name: "Sources" }).waitFor();
    await page.context().setOffline(true);
    await page.getByText("You are offline.").waitFor();
    await page.context().setOffline(false);
    await page.getByText("You are offline.").waitFor({ state: "detached" });
  });

  it("tells what is not there, and the way on", async () => {
    const { page } = await visit("/no/such/page");
    await page.getByText("There is no such page").waitFor();
    await page.getByRole("link", { name: "Ask a question" }).click();
    await page.waitForURL((url) => url.pathname === "/");
  });
});

describe("sign-in", () => {
  it("explains why it failed and where the link comes from", async () => {
    const { page, complaints } = await visit("/signin?error=state_mismatch");
    await page.getByRole("alert").getByText("was not started in this browser").waitFor();
    await page.getByText("make link").waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it("says that a link was used, and takes its token out of the address", async () => {
    const { page } = await visit("/enter#no-such-token");
    await page.getByText("This link no longer works").waitFor();
    expect(page.url()).not.toContain("no-such-token");
    await expectAccessible(page);
  });
});
