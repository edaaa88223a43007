import { startTransition, useEffect, useMemo, useState } from "react";
import type { TextRange } from "@/lib/ranges";
import { Markdown } from "./Markdown";
import { splitMarkdown } from "./segments";

interface MarkdownDocumentProps {
  text: string;
  /** UTF-16 ranges of the cited words. */
  marks: readonly TextRange[];
  /** The position that must be drawn before anything else follows, in UTF-16 units. */
  reach?: number;
}

/**
 * A whole Markdown document. A long one is drawn part by part: first down to the cited words, then one part after
 * each painted frame, so that the page answers while the rest comes.
 */
export function MarkdownDocument({ text, marks, reach = 0 }: MarkdownDocumentProps) {
  const segments = useMemo(() => splitMarkdown(text), [text]);
  const place = Math.max(reach, marks.at(-1)?.end ?? 0);
  const needed = Math.max(1, segments.filter((segment) => segment.offset <= place).length);
  const parts = useMemo(
    () =>
      segments.map((segment, index) =>
        marksWithin(marks, segment.offset, segments[index + 1]?.offset ?? text.length),
      ),
    [segments, marks, text.length],
  );
  const [drawn, setDrawn] = useState(needed);
  const shown = Math.max(drawn, needed);
  useEffect(() => {
    if (shown >= segments.length) return;
    const timer = setTimeout(() => startTransition(() => setDrawn(shown + 1)), 16);
    return () => clearTimeout(timer);
  }, [shown, segments.length]);
  return (
    <div className="read">
      {segments.slice(0, shown).map((segment, index) => (
        <div key={segment.offset}>
          <Markdown text={segment.text} offset={segment.offset} marks={parts[index] ?? []} />
        </div>
      ))}
    </div>
  );
}

function marksWithin(marks: readonly TextRange[], from: number, to: number): TextRange[] {
  return marks
    .filter((mark) => mark.start < to && mark.end > from)
    .map((mark) => ({ start: Math.max(mark.start, from) - from, end: Math.min(mark.end, to) - from }));
}
