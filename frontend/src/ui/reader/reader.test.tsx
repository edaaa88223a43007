import { render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { Reader } from "./Reader";
import { listHeadings, splitMarkdown } from "./segments";

const marked = () => [...document.querySelectorAll("mark")].map((mark) => mark.textContent).join("");

function rangeOf(text: string, words: string) {
  const start = [...text.slice(0, text.indexOf(words))].length;
  return { start, end: start + [...words].length };
}

test("marks the cited words, counted in whole signs, without the signs of Markdown", () => {
  const text = "# 🪣🪣 Pails\n\nA **pail** holds\n`12` litres &amp; more.";
  render(<Reader type="markdown" text={text} ranges={[rangeOf(text, "**pail** holds\n`12` litres")]} />);
  expect(marked().replace(/\s+/g, " ")).toBe("pail holds 12 litres");
});

test("shows markup in a document as words, never as markup", () => {
  const text = 'See <script>alert(1)</script> and <img src=x onerror="y"> [here](javascript:alert(1))';
  render(<Reader type="html" text={text} ranges={[]} />);
  expect(document.querySelector("script, img, a")).toBeNull();
  expect(document.body).toHaveTextContent("<script>");
});

test("a long document begins at the cited words and is whole in the end", async () => {
  const part = (number: number) => `## Part ${number}\n\n${"Some words here. ".repeat(700)}\n\n`;
  const text = Array.from({ length: 12 }, (_part, number) => part(number)).join("");
  const target = text.indexOf("## Part 9");
  render(<Reader type="markdown" text={text} ranges={[{ start: target + 3, end: target + 9 }]} />);
  expect(marked()).toBe("Part 9");
  expect(screen.queryByRole("heading", { name: "Part 0" })).toBeNull();
  await waitFor(() => expect(document.querySelectorAll("h2")).toHaveLength(12), { timeout: 10_000 });
});

test("parts of a document add up to it, with and without headings", () => {
  const plain = `${"One paragraph of words.\n\n".repeat(300)}`;
  for (const text of [plain, `# A\n\n${plain}# B\n\n${plain}`]) {
    const parts = splitMarkdown(text, 1000);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map((part) => part.text).join("")).toBe(text);
  }
});

test("lists headings in reading order and none of a code fence", () => {
  const text = "Title\n=====\n\n## **Two** [link](x)\n\n```\n# no heading\n```\n\n### Three ###\n";
  expect(listHeadings(text).map(({ level, title }) => [level, title])).toEqual([
    [1, "Title"],
    [2, "Two link"],
    [3, "Three"],
  ]);
});

test("plain text keeps its lines and marks what is cited", () => {
  const text = "first\n  second 🪣\nthird";
  render(<Reader type="text" text={text} ranges={[rangeOf(text, "🪣\nth")]} />);
  expect(marked()).toBe("🪣\nth");
});
