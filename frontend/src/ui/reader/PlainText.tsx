import { useMemo } from "react";
import { cx } from "@/lib/cx";
import { splitAtRanges, type TextRange } from "@/lib/ranges";

interface PlainTextProps {
  text: string;
  /** UTF-16 ranges of the cited words. */
  marks: readonly TextRange[];
  /** Code keeps its own lines and letters; other text wraps like a letter. */
  code?: boolean;
}

const BLOCK_LINES = 200;

/** Text as it stands, line by line. Blocks outside the screen cost nothing to draw. */
export function PlainText({ text, marks, code }: PlainTextProps) {
  const blocks = useMemo(() => cutBlocks(text), [text]);
  return (
    <div
      className={cx("whitespace-pre-wrap break-words", code ? "font-mono text-sm leading-[1.65]" : "read")}
    >
      {blocks.map((block) => (
        <div key={block.offset} className="[content-visibility:auto] [contain-intrinsic-size:auto_4rem]">
          {splitAtRanges(block.text, shift(marks, block.offset)).map((piece, index) =>
            piece.marked ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a fixed text have no other name
              <mark key={index} data-mark={0}>
                {piece.text}
              </mark>
            ) : (
              piece.text
            ),
          )}
        </div>
      ))}
    </div>
  );
}

function cutBlocks(text: string): { text: string; offset: number }[] {
  const lines = text.split("\n");
  const blocks: { text: string; offset: number }[] = [];
  let offset = 0;
  for (let first = 0; first < lines.length; first += BLOCK_LINES) {
    const block = lines.slice(first, first + BLOCK_LINES).join("\n");
    blocks.push({ text: block, offset });
    offset += block.length + 1;
  }
  return blocks;
}

function shift(marks: readonly TextRange[], offset: number): TextRange[] {
  return marks
    .map((mark) => ({ start: mark.start - offset, end: mark.end - offset }))
    .filter((mark) => mark.end > 0)
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start) }));
}
