import { useMemo } from "react";
import { type TextRange, toUtf16Ranges } from "@/lib/ranges";
import { CsvTable } from "./CsvTable";
import { MarkdownDocument } from "./MarkdownDocument";
import { PlainText } from "./PlainText";

interface ReaderProps {
  /** The document's type as the server names it; null is read as plain text. */
  type: string | null;
  text: string;
  /** The cited places, in Unicode code points as the server counts. */
  ranges: readonly TextRange[];
  /** A position that must be drawn at once, in UTF-16 units (a heading that was picked). */
  reach?: number;
  /** The table row that a search in the page stands on. */
  currentRow?: number | null;
}

/** A document as a reader knows it: Markdown and converted HTML as set text, CSV as a table, the rest as it stands. */
export function Reader({ type, text, ranges, reach, currentRow = null }: ReaderProps) {
  const marks = useMemo(() => toUtf16Ranges(text, ranges), [text, ranges]);
  if (type === "markdown" || type === "html") {
    return <MarkdownDocument text={text} marks={marks} {...(reach !== undefined && { reach })} />;
  }
  if (type === "csv") return <CsvTable text={text} marks={marks} current={currentRow} />;
  return <PlainText text={text} marks={marks} code={type === "json"} />;
}
