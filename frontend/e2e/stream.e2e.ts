import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { answered, ask, expectAccessible, withBrowser, withModel } from "./support";

const ABOUT = "how long is the warranty on a refurbished machine?";

withBrowser();

const stop = (page: Page) => page.getByRole("button", { name: "Stop" });
const answer = (page: Page) => page.locator(".answer").last();
const text = (page: Page) => answer(page).textContent();

withModel("answers that stream from a model", () => {
  it("shows steps and words as they come, and lets one type meanwhile", async () => {
    const { page, complaints, strangers } = await ask(`Say slowly: ${ABOUT}`);
    const steps = page.getByRole("list", { name: "What is being done" });
    await steps.getByText(/^Searching 1 source/).waitFor();
    await answer(page).getByText("Sentence 2").waitFor();
    await steps.getByText("Writing the answer").waitFor();
    await expectAccessible(page);
    await page.fill("#composer", "And a new one?");
    await page.keyboard.press("Enter");
    await answered(page);
    expect(await text(page)).toContain("Sentence 12");
    expect(await answer(page).locator("a.mark").count()).toBe(12);
    expect(await page.inputValue("#composer")).toBe("And a new one?");
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  });

  it("leaves a reader who scrolled away where they are, and leads back to the end", async () => {
    const { page } = await ask(`Say slowly: ${ABOUT}`, { width: 390, height: 420 });
    await answer(page).getByText("Sentence 5").waitFor();
    const latest = page.getByRole("button", { name: "Jump to latest" });
    await page.getByRole("heading", { level: 2 }).scrollIntoViewIfNeeded();
    await latest.waitFor();
    await answered(page);
    expect(await latest.isVisible()).toBe(true);
    await latest.click();
    await latest.waitFor({ state: "detached" });
  });

  it("stops at once and keeps the text so far, also after a reload", async () => {
    const { page } = await ask(`Say without end: ${ABOUT}`);
    await answer(page).getByText("After that").waitFor();
    await stop(page).click();
    await page.getByText("Stopped by you.").first().waitFor();
    await page.reload();
    await page.getByText("The text so far is kept.").waitFor();
    expect(await text(page)).toContain("After that");
    await page.getByRole("button", { name: "Try again" }).click();
    await answer(page).getByText("After that").waitFor();
    await stop(page).click();
    await page.getByText("2 / 2").waitFor();
  });

  it("gives Esc to the open card first, then to the running answer", async () => {
    const { page } = await ask(`Say without end: ${ABOUT}`);
    await answer(page).getByText("After that").waitFor();
    await answer(page).locator("a.mark").first().focus();
    const card = page.locator("[data-citation-card]");
    await card.waitFor();
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    expect(await stop(page).isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByText("Stopped by you.").first().waitFor();
  });

  it("takes the answer up again after a reload, and in a second tab", async () => {
    const { page } = await ask(`Say without end: ${ABOUT}`);
    await answer(page).getByText("After that").waitFor();
    const before = await text(page);
    await page.reload();
    await stop(page).waitFor();
    await answer(page).getByText("After that").waitFor();
    expect(await text(page)).toBe(before);
    expect(await page.getByRole("tab", { name: /^Cited/ }).textContent()).toBe("Cited1");
    const second = await page.context().newPage();
    await second.goto(page.url());
    await answer(second).getByText("After that").waitFor();
    await stop(second).click();
    await page.getByText("Stopped by you.").first().waitFor();
    await answered(page);
  });

  it("tells the second of two tabs that an answer is running, and keeps its question", async () => {
    const { page } = await ask(`Say: ${ABOUT}`);
    await answered(page);
    const second = await page.context().newPage();
    await second.goto(page.url());
    await answered(second);
    await page.fill("#composer", `Say without end: ${ABOUT}`);
    await page.keyboard.press("Enter");
    await answer(page).getByText("After that").waitFor();
    await second.fill("#composer", "A question too many");
    await second.keyboard.press("Enter");
    await second
      .getByText(/Another answer is running/)
      .first()
      .waitFor();
    await answer(second).getByText("After that").waitFor();
    expect(await second.inputValue("#composer")).toBe("A question too many");
    await stop(second).click();
    await second.getByText("Stopped by you.").first().waitFor();
  });

  it("never lets an answer that was cut off look complete", async () => {
    const { page } = await ask(`Say half: ${ABOUT}`);
    const failure = page.getByRole("alert");
    await failure.getByText("The model ended in mid-answer.").waitFor();
    expect(await text(page)).toContain("After that");
    await expectAccessible(page);
    expect((await page.locator("main [role=status]").allTextContents()).join()).not.toMatch(/complete/);
    await page.reload();
    await failure.getByText("The model ended in mid-answer.").waitFor();
    await failure.getByRole("button", { name: "Try again" }).waitFor();
  });

  it.each([
    ["Is there credit left?", "no credit left"],
    ["Is the key right?", "does not accept the key"],
  ])("says what failed and what to do: %s", async (question, words) => {
    const { page } = await ask(question);
    const failure = page.getByRole("alert");
    await failure.getByText(words).waitFor();
    await failure.getByRole("link", { name: "Open the settings" }).waitFor();
  });

  it("shows what a poisoned passage talked the model into, and fetches none of it", async () => {
    const { page, complaints, strangers } = await ask(`Be hostile: ${ABOUT}`);
    await answered(page);
    const shown = await text(page);
    expect(shown).toContain("<script>");
    expect(shown).toContain("The end.");
    expect(await answer(page).locator("img, script, iframe").count()).toBe(0);
    expect(await answer(page).locator("a[href^='javascript'], a[href^='data']").count()).toBe(0);
    expect(strangers).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
