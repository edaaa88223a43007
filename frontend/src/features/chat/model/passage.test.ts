import { describe, expect, it } from "vitest";
import { citedWords, statementOf } from "./passage";

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
    ["Nothing cited here.", 1, ""],
  ])("%s", (answer, number, expected) => {
    expect(statementOf(answer, number)).toBe(expected);
  });
});
