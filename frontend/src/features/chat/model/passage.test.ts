import { describe, expect, it } from "vitest";
import { citedRanges, citedWords, quoteOf, statementsOf } from "./passage";

const PASSAGE =
  "Codes below 40 are ours. Code 41 is damage in transit. It is the carrier's, not ours: leave it out of every return rate. Code 44 does count.";

function words(statement: string): string {
  const { start, end } = citedWords(PASSAGE, statement);
  return PASSAGE.slice(start, end);
}

describe("the words of a passage that a statement rests on", () => {
  it("are the sentence that says the same", () => {
    expect(words("Damage in transit has the code 41.")).toBe("Code 41 is damage in transit.");
  });

  it("are the quoted words where the statement is a quote", () => {
    expect(words("leave it out of every return rate")).toBe("leave it out of every return rate");
  });

  it("are the whole passage where no sentence fits", () => {
    expect(words("Bananas grow in warm places")).toBe(PASSAGE);
  });
});

describe("the statement that carries a mark", () => {
  it.each([
    ["First fact [1]. Second fact [2].", 2, "Second fact"],
    ["- **Refurbished machine** — 12 months [3]\n- Other [4]", 3, "Refurbished machine — 12 months"],
    ["Twelve months [1]; see Discounts [2].", 2, "Twelve months; see Discounts"],
  ])("%s", (answer, number, expected) => {
    expect(statementsOf(answer, number)).toEqual([expected]);
  });

  it("is none where nothing is cited, and each one where the mark stands again", () => {
    expect(statementsOf("Nothing cited here.", 1)).toEqual([]);
    expect(statementsOf("One [1]. Two [1].", 1)).toEqual(["One", "Two"]);
  });
});

const TABLE =
  "## How long\n\n| What | Warranty |\n| --- | --- |\n| New machine | 36 months |\n| Refurbished machine | 12 months |";

describe("a table row", () => {
  it("is cited as a whole row", () => {
    const { start, end } = citedWords(TABLE, "Refurbished machine — 12 months");
    expect(TABLE.slice(start, end)).toBe("| Refurbished machine | 12 months |");
  });

  it("is quoted without the signs of the table", () => {
    const range = citedWords(TABLE, "Refurbished machine — 12 months");
    expect(quoteOf(TABLE, range)).toEqual({
      before: "",
      words: "Refurbished machine · 12 months",
      after: "",
    });
  });
});

describe("the words of several statements", () => {
  it("are all marked, and the whole passage only where none of them names words", () => {
    const both = citedRanges(PASSAGE, ["Codes below 40 are ours.", "Code 44 does count.", "Bananas grow"]);
    expect(both.map(({ start, end }) => PASSAGE.slice(start, end))).toEqual([
      "Codes below 40 are ours.",
      "Code 44 does count.",
    ]);
    expect(citedRanges(PASSAGE, ["Bananas grow"])).toEqual([{ start: 0, end: PASSAGE.length }]);
  });
});
