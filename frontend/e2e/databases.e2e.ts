import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { answered, ask, expectAccessible, visit, withBrowser, withModel } from "./support";

interface DemoQuestion {
  number: number;
  question: string;
  questionIt: string;
  needs: "documents" | "database" | "both" | "refusal";
  query: string | null;
  pages: string[];
  facts: string[];
  assumption: string;
}

const DATA = resolve(import.meta.dirname, "../../backend/src/knowledgestack/demo/database/twelve.jsonl");
const QUESTIONS: DemoQuestion[] = readFileSync(DATA, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const RETURNS = questionOf(1);

withBrowser();

function questionOf(number: number): DemoQuestion {
  const found = QUESTIONS.find((one) => one.number === number);
  if (!found) throw new Error(`There is no question ${number}.`);
  return found;
}

/** Replaces the text of the editor by keys, as a person does. */
async function typeOver(editor: Locator, text: string): Promise<void> {
  await editor.click();
  await editor.press("ControlOrMeta+A");
  await editor.page().keyboard.insertText(text);
}

describe("the database of the demo company", () => {
  it("is connected, and its tables stand beside what the handbook says of them", async () => {
    const { page, complaints } = await visit("/databases");
    const tables = page.getByRole("navigation", { name: "Tables of BRAMBLE" });
    await tables.getByRole("link", { name: /cusm/ }).first().waitFor();
    expect(await page.locator("main").textContent()).toContain("23 tables");
    expect(await page.locator("main").textContent()).toContain("Role cannot write");

    await page.getByRole("searchbox", { name: "Find a table" }).fill("rtnh");
    await tables.getByRole("link", { name: /rtnh/ }).first().click();
    await page.getByRole("tab", { name: "Sample rows" }).click();
    await page.getByRole("table").first().waitFor();
    await page.getByRole("tab", { name: "In documents" }).click();
    await page
      .getByText(/Returns and return rate/)
      .first()
      .waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it("offers its checked questions", async () => {
    const { page } = await visit("/databases");
    await page
      .getByText(/8 verified queries/)
      .first()
      .waitFor();
    await page.getByText(RETURNS.question).first().waitFor();
  });
});

withModel("asking pages and rows", () => {
  it.each(QUESTIONS)("answers question $number: $question", async (known) => {
    const { page, complaints, strangers } = await ask(known.question);
    await answered(page);
    const answer = page.locator(".answer");
    const text = (await answer.textContent()) ?? "";
    for (const fact of [...known.facts, known.assumption]) expect(text).toContain(fact);
    expect(await answer.locator("a.mark:not(.is-query)").count()).toBeGreaterThanOrEqual(known.pages.length);
    const results = page.locator("figure.result-card");
    expect(await results.count()).toBe(known.query === null ? 0 : 1);
    if (known.query !== null) {
      expect(await results.getByRole("row").count()).toBeGreaterThan(1);
      expect(await answer.locator("a.figure").count()).toBeGreaterThan(0);
    }
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  });

  it.each([RETURNS, questionOf(9)])("answers question $number in Italian: $questionIt", async (known) => {
    const { page } = await ask(known.questionIt, { language: "it-IT" });
    await answered(page);
    const text = await page.locator(".answer").textContent();
    for (const fact of known.facts) expect(text).toContain(fact);
    expect(await page.locator("figure.result-card").count()).toBe(1);
  });

  it("leads from a number to its cell, and from the result to a statement of one's own", async () => {
    const { page, complaints } = await ask(RETURNS.question);
    await answered(page);
    await expectAccessible(page);

    await page.locator(".answer a.figure", { hasText: "27" }).first().click();
    const rail = page.getByRole("complementary");
    await rail.locator("mark, .is-cited, [data-cited]").first().waitFor();
    expect(page.url()).toMatch(/citation=Q1/);
    expect(await rail.textContent()).toContain("quillmoor_reader");

    const result = page.locator("figure.result-card");
    await result.getByRole("button", { name: "SQL" }).click();
    await result.getByRole("button", { name: "Run again" }).click();
    const dialog = page.getByRole("dialog", { name: "Query BRAMBLE" });
    await dialog.getByText(/4 rows/).waitFor();
    const editor = dialog.getByRole("textbox", { name: "SQL for BRAMBLE" });
    await typeOver(editor, "SELECT nm, hm_tel FROM tchm");
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await dialog.getByRole("alert").textContent()).toContain("Permission denied for table tchm");
    await typeOver(editor, "SELECT hub, nm FROM hubm WHERE rgc <> 90");
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await dialog.getByText(/8 rows/).waitFor();
    expect(complaints).toEqual([]);
  });

  it("keeps every statement in the log, those that were refused as well", async () => {
    const { page } = await ask(questionOf(12).question);
    await answered(page);
    const log = await visit("/databases");
    await log.page.getByRole("link", { name: "Statement log" }).click();
    await log.page.getByText("DELETE FROM cusm").first().waitFor();
  });
});
