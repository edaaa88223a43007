/** A half-open range of positions in a text: `start` is in, `end` is out. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * Turns ranges of Unicode code points, as the server counts them, into ranges of UTF-16 code units, as
 * JavaScript strings are indexed. Positions beyond the text are moved to its end; empty ranges are left out.
 * The result is in ascending order; overlapping and touching ranges are joined.
 */
export function toUtf16Ranges(text: string, ranges: readonly TextRange[]): TextRange[] {
  const wanted = [...new Set(ranges.flatMap((range) => [range.start, range.end]))].sort((a, b) => a - b);
  const units = new Map<number, number>();
  let unit = 0;
  let point = 0;
  for (const target of wanted) {
    while (point < target && unit < text.length) {
      unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
      point += 1;
    }
    units.set(target, unit);
  }
  return joinRanges(
    ranges.map((range) => ({ start: units.get(range.start) ?? 0, end: units.get(range.end) ?? 0 })),
  );
}

/** Sorts ranges, joins those that touch or overlap and drops empty ones. */
export function joinRanges(ranges: readonly TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (range.end <= range.start) continue;
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else joined.push({ ...range });
  }
  return joined;
}

export interface TextPiece {
  text: string;
  marked: boolean;
}

/** Cuts a text at UTF-16 ranges (ascending, not overlapping) into marked and unmarked pieces. */
export function splitAtRanges(text: string, ranges: readonly TextRange[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { start, end } of ranges) {
    if (end <= from || start >= text.length) continue;
    if (start > from) pieces.push({ text: text.slice(from, start), marked: false });
    pieces.push({ text: text.slice(Math.max(start, from), end), marked: true });
    from = Math.min(end, text.length);
  }
  if (from < text.length) pieces.push({ text: text.slice(from), marked: false });
  return pieces;
}

/** Every place where `query` stands in `text`, ignoring case, as UTF-16 ranges; at most `limit` of them. */
export function findRanges(text: string, query: string, limit = 1000): TextRange[] {
  const needle = query.trim();
  if (!needle) return [];
  const pattern = new RegExp(needle.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu");
  const found: TextRange[] = [];
  for (const match of text.matchAll(pattern)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    if (found.length === limit) break;
  }
  return found;
}
