import type { Figure } from "@/api/generated";
import { joinRanges, type TextRange, toUtf16Ranges } from "@/lib/ranges";

/** A stretch of the answer (UTF-16) that is set out: a figure with its evidence, or words without any. */
export interface AnswerMark extends TextRange {
  /** The figure that a result carries; null for words that nothing carries. */
  figure: Figure | null;
  /** Its place in the turn's figures, -1 for words without evidence. */
  position: number;
  /** Pieces of one sentence share a group. */
  group: number;
}

/** What of an answer is set out, in ascending order and without overlaps: a figure inside a bare sentence parts it. */
export function answerMarks(text: string, figures: readonly Figure[]): AnswerMark[] {
  const carried: AnswerMark[] = [];
  const placed = figures
    .flatMap((figure, position) => {
      if (figure.kind !== "cell" && figure.kind !== "derived") return [];
      return toUtf16Ranges(text, [figure]).map((range) => ({ ...range, figure, position, group: -1 }));
    })
    .sort((a, b) => a.start - b.start);
  for (const mark of placed) {
    if (mark.start >= (carried.at(-1)?.end ?? 0)) carried.push(mark);
  }
  const bare = toUtf16Ranges(
    text,
    figures.filter((figure) => figure.kind === "unsupported"),
  );
  const pieces = joinRanges(bare).flatMap((range, group) =>
    without(range, carried).map((piece) => ({ ...piece, figure: null, position: -1, group })),
  );
  return [...carried, ...pieces].sort((a, b) => a.start - b.start);
}

function without(range: TextRange, holes: readonly TextRange[]): TextRange[] {
  const pieces: TextRange[] = [];
  let from = range.start;
  for (const hole of holes) {
    if (hole.end <= range.start || hole.start >= range.end) continue;
    if (hole.start > from) pieces.push({ start: from, end: hole.start });
    from = hole.end;
  }
  if (from < range.end) pieces.push({ start: from, end: range.end });
  return pieces;
}
