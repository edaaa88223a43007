import { type TextRange, toUtf16Ranges } from "./ranges";

/**
 * The part of a text around a place: about `reach` UTF-16 units on either side, from the start of a heading or
 * paragraph to the end of one. `range` counts code points, as does the range in the answer, within the part.
 */
export function surroundings(
  text: string,
  range: TextRange,
  reach: number,
): { text: string; range: TextRange } {
  const [place] = toUtf16Ranges(text, [range]);
  if (!place) return { text: text.slice(0, reach * 2), range: { start: 0, end: 0 } };
  const start = partStart(text, Math.max(0, place.start - reach), place.start);
  const end = partEnd(text, Math.min(text.length, place.end + reach), place.end);
  const before = codePoints(text.slice(start, place.start));
  const length = codePoints(text.slice(place.start, place.end));
  return { text: text.slice(start, end), range: { start: before, end: before + length } };
}

function partStart(text: string, from: number, place: number): number {
  if (from === 0) return 0;
  const heading = text.indexOf("\n#", from);
  if (heading !== -1 && heading < place) return heading + 1;
  const paragraph = text.indexOf("\n\n", from);
  return paragraph !== -1 && paragraph < place ? paragraph + 2 : text.lastIndexOf("\n", place) + 1;
}

function partEnd(text: string, to: number, place: number): number {
  if (to === text.length) return to;
  const paragraph = text.lastIndexOf("\n\n", to);
  return paragraph > place ? paragraph : to;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
