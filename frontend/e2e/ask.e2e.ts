import { describe, expect, it } from "vitest";
import { expectAccessible, visit, withBrowser } from "./support";

const WARRANTY = "How long is the warranty on a refurbished machine bought last March?";

withBrowser();

async function asked(question: string, options: Parameters<typeof visit>[1] = {}) {
  const opened = await visit("/", options);
  await opened.page.fill("#composer", question);
  await opened.page.keyboard.press("Enter");
  await opened.page.waitForURL(/\/chat\//);
  await opened.page.getByRole("button", { name: /^(Regenerate|Rigenera)$/ }).waitFor();
  return opened;
}

describe("asking the handbook", () => {
  it("answers with marks, each of which opens the exact passage", async () => {
    const { page, complaints, strangers } = await asked(WARRANTY);
    const answer = page.locator(".answer");
    expect(await answer.innerText()).toContain("12 months");

    await answer.locator("a.mark").first().click();
    const rail = page.getByRole("complementary", { name: "Citations" });
    await rail.locator("mark").first().waitFor();
    expect(await rail.innerText()).toContain("Warranty, version FY26");
    expect(page.url()).toContain("citation=1");
    await expectAccessible(page);

    await rail.getByRole("link", { name: "Open" }).click();
    await page.waitForURL(/\/documents\//);
    const marked = page.locator(".read mark").first();
    await marked.waitFor();
    expect((await marked.innerText()).length).toBeGreaterThan(0);
    await page.goBack();
    await rail.locator("mark").first().waitFor();

    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  });

  it("says plainly what is not there, and what comes nearest", async () => {
    const { page } = await asked("What does the CEO earn?");
    expect(await page.locator(".answer").innerText()).toContain("This is not in your documents");
    expect(
      await page.getByRole("region", { name: "Closest passages" }).getByRole("link").count(),
    ).toBeGreaterThan(0);
  });

  it("keeps the chat: its title, its place in the list, its answer after a reload", async () => {
    const { page } = await asked("May I work six weeks from another country?");
    const before = await page.locator(".answer").innerText();
    await page.reload();
    await page.locator(".answer").waitFor();
    expect(await page.locator(".answer").innerText()).toBe(before);
    expect(await page.getByRole("navigation", { name: "Chats" }).innerText()).toMatch(/six weeks/i);
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

  it("moves between citations by keyboard", async () => {
    const { page } = await asked(WARRANTY);
    await page.locator("a.mark").first().click();
    await page.locator("h1").first().click();
    await page.keyboard.press("]");
    await page.waitForURL(/citation=2/);
    await page.keyboard.press("[");
    await page.waitForURL(/citation=1/);
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
