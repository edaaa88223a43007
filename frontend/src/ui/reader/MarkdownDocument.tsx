import { startTransition, useEffect, useMemo, useState } from "react";
import type { TextRange } from "@/lib/ranges";
import { Markdown } from "./Markdown";
import { type Segment, splitMarkdown } from "./segments";

interface MarkdownDocumentProps {
  text: string;
  /** UTF-16 ranges of the cited words. */
  marks: readonly TextRange[];
  /** A position that must be drawn at once, in UTF-16 units. */
  reach?: number;
}

const FRAME_MS = 16;
/** About what a UTF-16 unit of running text takes of the page's height, so that the scroll bar tells the truth early. */
const PIXELS_PER_UNIT = 0.5;

/**
 * A whole Markdown document. A long one is drawn part by part: first the cited words, then what follows them, then
 * what stands above, one part after each painted frame, so that the page answers meanwhile.
 */
export function MarkdownDocument({ text, marks, reach }: MarkdownDocumentProps) {
  const segments = useMemo(() => splitMarkdown(text), [text]);
  const parts = useMemo(
    () =>
      segments.map((segment, index) =>
        marksWithin(marks, segment.offset, segments[index + 1]?.offset ?? text.length),
      ),
    [segments, marks, text.length],
  );
  const first = segmentAt(segments, marks[0]?.start ?? 0);
  const cited = segmentAt(segments, marks.at(-1)?.end ?? 0) - first + 1;
  const wanted = reach === undefined ? -1 : segmentAt(segments, reach);
  const [count, setCount] = useState(1);
  const drawn = Math.max(count, cited);
  useEffect(() => {
    if (drawn >= segments.length) return;
    const timer = setTimeout(() => startTransition(() => setCount(drawn + 1)), FRAME_MS);
    return () => clearTimeout(timer);
  }, [drawn, segments.length]);
  return (
    <div className="read">
      {segments.map((segment, index) => {
        const turn = index >= first ? index - first : segments.length - 1 - index;
        if (turn >= drawn && index !== wanted) {
          return <div key={segment.offset} style={{ height: segment.text.length * PIXELS_PER_UNIT }} />;
        }
        return (
          <div key={segment.offset}>
            <Markdown text={segment.text} offset={segment.offset} marks={parts[index] ?? []} />
          </div>
        );
      })}
    </div>
  );
}

function segmentAt(segments: readonly Segment[], place: number): number {
  return Math.max(
    0,
    segments.findLastIndex((segment) => segment.offset <= place),
  );
}

function marksWithin(marks: readonly TextRange[], from: number, to: number): TextRange[] {
  return marks
    .filter((mark) => mark.start < to && mark.end > from)
    .map((mark) => ({ start: Math.max(mark.start, from) - from, end: Math.min(mark.end, to) - from }));
}
