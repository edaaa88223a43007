import { describe, expect, it } from "vitest";
import { answered, ask, expectAccessible, withBrowser } from "./support";

const WARRANTY = "How long is the warranty on a refurbished machine bought last March?";

withBrowser();

async function asked(question: string, options: Parameters<typeof ask>[1] = {}) {
  const opened = await ask(question, options);
  await answered(opened.page);
  return opened;
}

describe("asking the handbook", () => {
  it("answers with marks, each of which opens the exact passage", async () => {
    const { page, complaints, strangers } = await asked(WARRANTY);
    const answer = page.locator(".answer");
    expect(await answer.textContent()).toContain("12 months");

    await answer.locator("a.mark").first().click();
    const rail = page.getByRole("complementary", { name: "Citations" });
    await rail.locator("mark").first().waitFor();
    expect(await rail.textContent()).toContain("Warranty, version FY26");
    expect(page.url()).toContain("citation=1");
    await expectAccessible(page);

    await rail.getByRole("link", { name: "Open" }).click();
    await page.waitForURL(/\/documents\//);
    await rail.waitFor({ state: "detached" });
    const marked = page.locator(".read mark").first();
    await marked.waitFor();
    expect(await marked.textContent()).not.toBe("");
    await page.goBack();
    await rail.locator("mark").first().waitFor();

    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  });

  it("says plainly what is not there, and what comes nearest", async () => {
    const { page } = await asked("What does the CEO earn?");
    expect(await page.locator(".answer").textContent()).toContain("This is not in your documents");
    expect(
      await page.getByRole("region", { name: "Closest passages" }).getByRole("link").count(),
    ).toBeGreaterThan(0);
  });

  it("keeps the chat: its title, its place in the list, its answer after a reload", async () => {
    const { page } = await asked("May I work six weeks from another country?");
    const before = await page.locator(".answer").textContent();
    await page.reload();
    await page.locator(".answer").waitFor();
    expect(await page.locator(".answer").textContent()).toBe(before);
    expect(await page.getByRole("navigation", { name: "Chats" }).textContent()).toMatch(/six weeks/i);
  });

  it("keeps versions of a question that is asked again in other words", async () => {
    const { page } = await asked("What is an active customer?");
    await page.getByRole("heading", { level: 2, name: "What is an active customer?" }).hover();
    await page.getByRole("button", { name: "Edit the question" }).click();
    await page
      .getByRole("textbox", { name: "Edit the question" })
      .fill("When does a customer count as active?");
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByText("2 / 2").waitFor();
    await page.getByRole("button", { name: "Previous version" }).click();
    await page.getByRole("heading", { level: 2, name: "What is an active customer?" }).waitFor();
    expect(await page.getByText("1 / 2").count()).toBe(1);
  });

  it("renames at once, and brings a deleted chat back", async () => {
    const { page } = await asked("What is a bin?");
    const name = `Bins and shelves ${Date.now()}`;
    const link = page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name });
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Rename" }).fill(name);
    await page.keyboard.press("Enter");
    await link.waitFor();

    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText("Chat deleted").waitFor();
    await link.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { level: 2, name: "What is a bin?" }).waitFor();
    await link.waitFor();
  });

  it("answers from the chosen document alone", async () => {
    const { page } = await asked(WARRANTY);
    await page.getByRole("button", { name: /^Looks at/ }).click();
    await page.getByRole("searchbox", { name: "Find a document" }).fill("FY24");
    await page
      .getByRole("region", { name: "Documents" })
      .getByText("Warranty, version FY24 (superseded)")
      .click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Looks at: 1 document" }).waitFor();
    await page.fill("#composer", "How long is the warranty on a refurbished machine?");
    await page.keyboard.press("Enter");
    const answer = page.locator("article").nth(1);
    await answer.getByRole("button", { name: "Regenerate" }).waitFor();
    await answer.locator("a.mark").first().waitFor();
    const names = await answer.locator("a.mark").evaluateAll((marks) => marks.map((mark) => mark.ariaLabel));
    expect(names.every((name) => name?.includes("FY24"))).toBe(true);
  });

  it("moves between citations by keyboard", async () => {
    const { page } = await asked(WARRANTY);
    await page.locator("a.mark").first().click();
    await page.locator("h1").first().click();
    await page.keyboard.press("]");
    await page.waitForURL(/citation=2/);
    await page.keyboard.press("[");
    await page.waitForURL(/citation=1/);
  });

  it.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 390],
    ["dark", 390],
  ] as const)("is within reach of everybody, %s at %i pixels", async (theme, width) => {
    const { page } = await asked(WARRANTY, { theme, width });
    await expectAccessible(page);
    await page.locator("a.mark").first().click();
    await page.getByLabel("Citations").locator("mark").first().waitFor();
    await expectAccessible(page);
    await page.goto(new URL("/", page.url()).href);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expectAccessible(page);
  });

  it("works at 360 pixels, with the evidence in a sheet from below", async () => {
    const { page } = await asked(WARRANTY, { width: 360, height: 740 });
    await page.locator("a.mark").first().click();
    await page.getByRole("dialog", { name: "Citations" }).locator("mark").first().waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide).toBe(false);
  });

  it("speaks Italian, and in the dark too nothing is out of reach", async () => {
    const { page } = await asked("Quanto dura la garanzia di una macchina ricondizionata?", {
      language: "it-IT",
      theme: "dark",
    });
    expect(await page.getByRole("button", { name: "Copia" }).count()).toBe(1);
    await expectAccessible(page);
  });
});
