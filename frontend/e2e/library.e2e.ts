import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { expectAccessible, ORIGIN, visit, withBrowser } from "./support";

withBrowser();

const RUN = Date.now().toString(36);
const WORD = `quillwort${RUN}`;
const HANDBOOK = `handbook-${RUN}.md`;
const DROPPED = `dropped-${RUN}.md`;
const TABLE = `stock-${RUN}.csv`;

const MARKDOWN = `# Pump room handbook

## Morning round

The **${WORD}** valve is opened before the first pump starts. It stays open until the evening.

${"Walk along the line and listen. ".repeat(120)}

## Evening round

| Step | Who |
| --- | --- |
| Close the valve | Night shift |

Emojis count as one sign: 🪣🪣. The ${WORD} valve is closed last of all.
`;

const page = (at: Page) => at.getByRole("region", { name: "Document", exact: true });
const row = (at: Page, name: string) => at.getByRole("listitem").filter({ hasText: name }).last();

async function choose(at: Page, name: string, content: string | Buffer): Promise<void> {
  await at
    .getByLabel("Upload files")
    .and(at.locator("input"))
    .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
}

async function drop(at: Page, name: string, content: string): Promise<void> {
  const data = await at.evaluateHandle(
    ([fileName, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text ?? ""], fileName ?? "", { type: "text/markdown" }));
      return transfer;
    },
    [name, content],
  );
  await at.dispatchEvent("main", "dragenter", { dataTransfer: data });
  await at.getByText(/^Drop 1 item into/).waitFor();
  await at.dispatchEvent("main", "drop", { dataTransfer: data });
}

async function ready(at: Page, name: string): Promise<void> {
  await at
    .getByRole("listitem")
    .filter({ has: at.getByRole("link", { name }) })
    .last()
    .getByText("Ready")
    .waitFor();
}

async function sideways(at: Page): Promise<boolean> {
  return at.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

async function inUpperHalf(at: Page): Promise<boolean> {
  const box = await page(at).locator("mark").first().boundingBox();
  return box !== null && box.y > 0 && box.y < (at.viewportSize()?.height ?? 0) / 2;
}

afterAll(async () => {
  const { page: at } = await visit("/sources");
  const answer = await at.request.get(`${ORIGIN}/api/sources`);
  for (const source of (await answer.json()).items) {
    const documents = await at.request.get(`${ORIGIN}/api/sources/${source.id}/documents?limit=100`);
    for (const document of (await documents.json()).items) {
      if (!document.name.includes(RUN)) continue;
      await at.request.delete(`${ORIGIN}/api/documents/${document.id}`, { headers: { Origin: ORIGIN } });
    }
  }
});

describe("the library", () => {
  it("takes a file, finds it by its words, opens it at them, and lets it go again", async () => {
    const { page: at, complaints, strangers } = await visit("/sources");
    await choose(at, HANDBOOK, MARKDOWN);
    await ready(at, HANDBOOK);

    await at.goto(`${ORIGIN}/search`);
    await at.getByRole("searchbox").fill(`${WORD} closed last`);
    const hit = at.getByRole("option").filter({ hasText: "Pump room handbook" }).first();
    await hit.waitFor();
    expect(await hit.textContent()).not.toMatch(/##|\*\*/);
    await at.getByRole("complementary").locator("mark").first().waitFor();
    await at.keyboard.press("ArrowDown");
    await at.keyboard.press("ArrowUp");
    await at.keyboard.press("Enter");
    await at.waitForURL(/\/documents\/.*start=/);
    await page(at).locator("mark").first().waitFor();
    expect(await inUpperHalf(at)).toBe(true);

    const contents = at.getByRole("navigation", { name: "Contents" });
    await contents.getByRole("link", { name: "Morning round" }).click();
    await contents.locator("[aria-current]", { hasText: "Morning round" }).waitFor();

    await at.getByRole("button", { name: "Find in this document" }).click();
    await at.getByRole("searchbox", { name: "Find in this document" }).fill(WORD);
    await at.getByText("1 of 2").waitFor();
    await at.keyboard.press("Enter");
    await at.getByText("2 of 2").waitFor();
    await at.keyboard.press("Escape");
    await at.getByRole("searchbox", { name: "Find in this document" }).waitFor({ state: "detached" });

    await at.getByRole("button", { name: "Text and chunks" }).click();
    await at.getByRole("heading", { name: "Chunk 1", exact: true }).waitFor();
    expect(at.url()).toContain("view=text");

    await at.getByRole("button", { name: "Delete document" }).click();
    await at.getByRole("alertdialog", { name: `Delete ${HANDBOOK}?` }).waitFor();
    await at.getByRole("alertdialog").getByRole("button", { name: "Delete document" }).click();
    await at.waitForURL(/\/sources/);
    await at.getByText(`${HANDBOOK} was deleted`).waitFor();
    await at.getByRole("link", { name: HANDBOOK }).waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  });

  it("takes a file that is dropped, and notices the same one and a new version", async () => {
    const { page: at } = await visit("/sources");
    const panel = at.getByRole("region", { name: "Uploads" });
    await drop(at, DROPPED, `# Dropped ${RUN}\n\nFirst words.`);
    await ready(at, DROPPED);
    await drop(at, DROPPED, `# Dropped ${RUN}\n\nFirst words.`);
    await panel.getByText("Already here, unchanged").waitFor();
    await drop(at, DROPPED, `# Dropped ${RUN}\n\nOther words.`);
    await panel.getByText("Replaces the earlier file").waitFor();
    await drop(at, `twin-${DROPPED}`, `# Dropped ${RUN}\n\nOther words.`);
    await panel.getByText(`${DROPPED} has the same content.`).waitFor();
    await ready(at, `twin-${DROPPED}`);
  });

  it("says in a sentence why a picture that calls itself Markdown is refused", async () => {
    const { page: at } = await visit("/sources");
    const picture = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    await choose(at, `picture-${RUN}.md`, picture);
    const reason = row(at, `picture-${RUN}.md`);
    await reason.getByText(/^(Refused|Failed)$/).waitFor();
    expect(await reason.textContent()).toMatch(/[A-Z].{15,}\./);
  });

  it("shows a CSV file as a table and finds its rows", async () => {
    const rows = Array.from({ length: 400 }, (_row, index) => `A-${index},${index * 3},shelf ${index % 9}`);
    const { page: at } = await visit("/sources");
    await choose(at, TABLE, ["sku,units,place", ...rows].join("\n"));
    await ready(at, TABLE);
    await at.getByRole("link", { name: TABLE }).click();
    await at.getByRole("columnheader", { name: "units" }).waitFor();
    await at.getByRole("button", { name: "Find in this document" }).click();
    await at.getByRole("searchbox", { name: "Find in this document" }).fill("A-377");
    await at.getByText("1 of 1").waitFor();
    await at.getByRole("cell", { name: "1131" }).waitFor();
    await expectAccessible(at);
  });

  it("says that a document is not there", async () => {
    const { page: at } = await visit("/documents/0199aaaa-0000-7000-8000-000000000000");
    await at.getByRole("heading", { name: "This document is not here" }).waitFor();
    await expectAccessible(at);
  });

  it.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 360],
    ["dark", 360],
  ] as const)("is within reach of everybody, %s at %i pixels", async (theme, width) => {
    const { page: at } = await visit("/sources", { theme, width });
    await at.getByRole("link", { name: /warranty-fy26/ }).waitFor();
    await expectAccessible(at);
    expect(await sideways(at)).toBe(false);

    await at.goto(`${ORIGIN}/search?q=return%20rate`);
    await at.getByRole("option").first().waitFor();
    await expectAccessible(at);
    expect(await sideways(at)).toBe(false);

    await at.getByRole("option").first().click();
    await page(at).locator("mark").first().waitFor();
    await expectAccessible(at);
    expect(await sideways(at)).toBe(false);
    expect(await inUpperHalf(at)).toBe(true);

    await at.getByRole("button", { name: /^(Text and chunks|Chunks)$/ }).click();
    await at.getByRole("heading", { name: "Chunk 1", exact: true }).waitFor();
    await expectAccessible(at);
    expect(await sideways(at)).toBe(false);
  });
});
