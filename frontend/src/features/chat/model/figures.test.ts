import { describe, expect, it } from "vitest";
import type { Figure } from "@/api/generated";
import { answerMarks } from "./figures";

function figure(text: string, words: string, kind: Figure["kind"], refs: string[] = []): Figure {
  const start = [...text.slice(0, text.indexOf(words))].length;
  return { start, end: start + [...words].length, kind, refs, formula: null };
}

const shown = (text: string, figures: Figure[]) =>
  answerMarks(text, figures).map((mark) => [text.slice(mark.start, mark.end), mark.position, mark.group]);

describe("what of an answer is set out", () => {
  it("counts code points, and keeps each figure's place", () => {
    const text = "📈 It rose to 4.63 % from 3.11 %.";
    const figures = [
      figure(text, "3.11 %", "cell", ["Q1:0:3"]),
      figure(text, "4.63 %", "derived", ["Q1:0:4"]),
    ];
    expect(shown(text, figures)).toEqual([
      ["4.63 %", 1, -1],
      ["3.11 %", 0, -1],
    ]);
  });

  it("parts a sentence without a source around a figure that has one", () => {
    const text = "It will fall to 3 in May.";
    const figures = [figure(text, text, "unsupported"), figure(text, "3", "cell", ["Q1:0:0"])];
    expect(shown(text, figures)).toEqual([
      ["It will fall to ", -1, 0],
      ["3", 1, -1],
      [" in May.", -1, 0],
    ]);
  });

  it("leaves out words that a passage carries", () => {
    const text = "Twelve months.";
    expect(answerMarks(text, [figure(text, text, "passage", ["1"])])).toEqual([]);
  });
});
