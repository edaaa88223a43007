import { describe, expect, it } from "vitest";
import { findRanges, joinRanges, splitAtRanges, toUtf16Ranges } from "./ranges";

describe("toUtf16Ranges", () => {
  it("counts a character outside the basic plane as one point and two units", () => {
    const text = "a😀b😀c";
    const [range] = toUtf16Ranges(text, [{ start: 2, end: 4 }]);
    expect(text.slice(range?.start, range?.end)).toBe("b😀");
  });

  it("keeps positions of text without such characters", () => {
    expect(toUtf16Ranges("è già qui", [{ start: 2, end: 5 }])).toEqual([{ start: 2, end: 5 }]);
  });

  it("moves what lies beyond the text to its end and drops what is empty then", () => {
    const ranges = [
      { start: 1, end: 99 },
      { start: 50, end: 99 },
    ];
    expect(toUtf16Ranges("abc", ranges)).toEqual([{ start: 1, end: 3 }]);
  });

  it("agrees with slicing by code points at every place of a mixed text", () => {
    const text = "Straße 🛠️ 𝄞 e\u0301 日本\n🇮🇹 fine";
    const points = [...text];
    for (let start = 0; start < points.length; start += 1) {
      for (let end = start + 1; end <= points.length; end += 1) {
        const [range] = toUtf16Ranges(text, [{ start, end }]);
        expect(text.slice(range?.start, range?.end)).toBe(points.slice(start, end).join(""));
      }
    }
  });
});

describe("joinRanges", () => {
  it("joins what overlaps or touches, in reading order", () => {
    const ranges = [
      { start: 8, end: 9 },
      { start: 0, end: 3 },
      { start: 3, end: 5 },
      { start: 4, end: 4 },
    ];
    expect(joinRanges(ranges)).toEqual([
      { start: 0, end: 5 },
      { start: 8, end: 9 },
    ]);
  });
});

describe("splitAtRanges", () => {
  it("gives back the whole text, piece by piece", () => {
    const pieces = splitAtRanges("Take it back within 30 days.", [{ start: 13, end: 27 }]);
    expect(pieces).toEqual([
      { text: "Take it back ", marked: false },
      { text: "within 30 days", marked: true },
      { text: ".", marked: false },
    ]);
  });

  it("takes a range that ends beyond the text to its end", () => {
    expect(splitAtRanges("abc", [{ start: 1, end: 9 }]).map((piece) => piece.text)).toEqual(["a", "bc"]);
  });
});

describe("findRanges", () => {
  it("finds words in any case and over any white space, signs taken as they are", () => {
    expect(findRanges("C++ (fast)\nand c++  (FAST)", "c++ (fast)")).toHaveLength(2);
  });

  it("finds nothing for blanks", () => {
    expect(findRanges("a b", "  ")).toEqual([]);
  });
});
