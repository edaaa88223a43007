import { expect, test } from "vitest";
import { headingPath, plainSnippet } from "./plainSnippet";

/** Snippets as people see them, marks in brackets. */
function shown(text: string, words: string[] = [], heading = ""): string {
  const ranges = words.map((word) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length }));
  const plain = plainSnippet(text, ranges, heading);
  let marked = plain.text;
  for (const { start, end } of [...plain.ranges].reverse())
    marked = `${marked.slice(0, start)}[${marked.slice(start, end)}]${marked.slice(end)}`;
  return marked;
}

test("headings, emphasis, code, links and quotes keep their words alone", () => {
  expect(shown("## How many means **returned units**: the sum of `RTNL.q`.")).toBe(
    "How many means returned units: the sum of RTNL.q.",
  );
  expect(shown("described in the [Incident notes](25-incident-notes.md), would")).toBe(
    "described in the Incident notes, would",
  );
  expect(shown("so. > Quoted *words* and ~~old~~ ones")).toBe("so. Quoted words and old ones");
});

test("a table becomes its cells", () => {
  expect(shown("| Letter | Meaning | | --- | :---: | | O | opened, not here yet |")).toBe(
    "Letter · Meaning · O · opened, not here yet",
  );
});

test("marks stay on their words", () => {
  expect(shown("## Return **rate** of `RTNL.q` | north |", ["Return", "rate", "north"])).toBe(
    "[Return] [rate] of RTNL.q · [north]",
  );
  expect(shown("🪣 **pails** and ## more", ["pails"])).toBe("🪣 [pails] and more");
});

test("the heading that stands above is not said twice", () => {
  expect(shown("## Return rate The return rate is", ["Return", "return"], "Return rate")).toBe(
    "The [return] rate is",
  );
  expect(
    shown("## Letters\n\n| Letter | Meaning |\n| --- | --- |\n| O | open |", ["Meaning"], "Letters"),
  ).toBe("Letter · [Meaning] · O · open");
  expect(shown("## Return rates differ", [], "Return rate")).toBe("Return rates differ");
});

test("names, sums and numbers are no signs", () => {
  const text = "amt_mc of C# is 3 * 4 - 2 [sic], issue #12";
  expect(shown(text)).toBe(text);
});

test("the path leaves out the title of the document", () => {
  expect(headingPath({ title: "Returns", headingPath: ["Returns", "Rates"] })).toBe("Rates");
  expect(headingPath({ title: "R", headingPath: ["Returns", "Rates"] })).toBe("Returns › Rates");
});
