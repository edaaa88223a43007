import type { TextRange } from "@/lib/ranges";

/**
 * Signs of Markdown that mean nothing to who reads a snippet: heading and quote signs, table bars with their delimiter
 * row, code ticks, signs of emphasis, the frame of a link, backslashes. An underscore stays: it is part of names.
 */
const SIGNS = new RegExp(
  [
    String.raw`(?:^|(?<=\s))(?:#{1,6}|>)\s+`,
    String.raw`\s*\|(?:\s*:?-{2,}:?\s*\|)+\s*\|?`,
    String.raw`\s*\|[\s|]*`,
    "`+|~~+",
    String.raw`\*{1,3}(?=\S)|(?<=\S)\*{1,3}`,
    String.raw`!?\[(?=[^\]\s][^\]]*\]\()|\]\([^)\s]*\)`,
    String.raw`\\(?=[!-/:-@[-${"`"}{-~])`,
  ].join("|"),
  "g",
);
const BETWEEN_CELLS = " · ";

/** A snippet of Markdown in the words alone; `ranges` (UTF-16 units, ascending) move with their words. */
export function plainSnippet(
  text: string,
  ranges: readonly TextRange[],
): { text: string; ranges: TextRange[] } {
  const places: number[] = [];
  let plain = "";
  let from = 0;
  const keep = (to: number) => {
    for (let at = from; at < to; at += 1) places[at] = plain.length + at - from;
    plain += text.slice(from, to);
  };
  for (const sign of text.matchAll(SIGNS)) {
    if (sign[0] === "") continue;
    keep(sign.index);
    from = sign.index + sign[0].length;
    for (let at = sign.index; at < from; at += 1) places[at] = plain.length;
    const bar = sign[0].includes("|");
    if (bar && plain !== "" && from < text.length && !plain.endsWith(BETWEEN_CELLS)) plain += BETWEEN_CELLS;
  }
  keep(text.length);
  places[text.length] = plain.length;
  const moved = ranges.map(({ start, end }) => ({
    start: places[start] ?? plain.length,
    end: places[end] ?? plain.length,
  }));
  return { text: plain, ranges: moved.filter((range) => range.end > range.start) };
}
