import type { SearchHit } from "@/api/types";
import type { TextRange } from "@/lib/ranges";

/**
 * Signs of Markdown that mean nothing to who reads a snippet: heading and quote signs, table bars with their delimiter
 * row, code ticks, signs of emphasis, the frame of a link, backslashes. An underscore stays: it is part of names.
 */
const SIGNS = new RegExp(
  [
    String.raw`(?:^|(?<=\s))(?:#{1,6}|>)\s+`,
    String.raw`[\s|]*\|(?:\s*:?-{2,}:?\s*\|)+[\s|]*`,
    String.raw`\s*\|[\s|]*`,
    "`+|~~+",
    String.raw`\*{1,3}(?=\S)|(?<=\S)\*{1,3}`,
    String.raw`!?\[(?=[^\]\s][^\]]*\]\()|\]\([^)\s]*\)`,
    String.raw`\\(?=[!-/:-@[-${"`"}{-~])`,
  ].join("|"),
  "g",
);
const BETWEEN_CELLS = " · ";

/**
 * A snippet of Markdown in the words alone; `ranges` (UTF-16 units, ascending) move with their words. The heading that
 * stands above the snippet anyway is left out where the snippet begins with it.
 */
export function plainSnippet(
  text: string,
  ranges: readonly TextRange[],
  heading = "",
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
  const rest = heading && plain.startsWith(heading) ? plain.slice(heading.length) : "";
  const cut = /^\s/.test(rest) ? plain.length - rest.replace(/^[\s·]+/, "").length : 0;
  const moved = ranges.map(({ start, end }) => ({
    start: Math.max(0, (places[start] ?? plain.length) - cut),
    end: (places[end] ?? plain.length) - cut,
  }));
  return { text: plain.slice(cut), ranges: moved.filter((range) => range.end > range.start) };
}

/** Where a passage stands below its document's title, which is shown beside it. */
export function headingPath({ title, headingPath: path }: Pick<SearchHit, "title" | "headingPath">): string {
  return (path[0] === title ? path.slice(1) : path).join(" › ");
}
