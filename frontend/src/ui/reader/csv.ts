import type { TextRange } from "@/lib/ranges";

export interface CsvRow {
  cells: string[];
  /** Where the row stands in the text, in UTF-16 units. */
  start: number;
  end: number;
}

export interface CsvTableData {
  header: string[];
  rows: CsvRow[];
  /** Per column: every filled cell is a number, so it is set at the right. */
  numeric: boolean[];
  /** Per column: a width in characters that fits most cells. */
  widths: number[];
}

const SAMPLE = 200;
const NUMBER = /^\s*[-+−]?[\d.,\s]*\d\s*%?\s*$/;

/** Reads the stored text of a CSV file: a Markdown table, its header and delimiter row first. */
export function readCsv(text: string): CsvTableData {
  const rows: CsvRow[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    if (line !== "") rows.push({ cells: cellsOf(line), start, end });
    start = end + 1;
  }
  const header = rows.shift()?.cells ?? [];
  rows.shift();
  const sample = rows.slice(0, SAMPLE);
  return {
    header,
    rows,
    numeric: header.map((_name, column) => isNumeric(sample, column)),
    widths: header.map((name, column) => {
      const longest = Math.max(name.length, ...sample.map((row) => row.cells[column]?.length ?? 0));
      return Math.min(Math.max(longest, 4), 42) + 3;
    }),
  };
}

/** The cells of a table row, between its bars; a backslash keeps the bar or backslash behind it. */
function cellsOf(line: string): string[] {
  const cells = line.match(/(?:\\.|[^|\\])+/g) ?? [];
  return cells.map((cell) => cell.replace(/\\([|\\])/g, "$1").trim());
}

function isNumeric(rows: readonly CsvRow[], column: number): boolean {
  const filled = rows.map((row) => row.cells[column] ?? "").filter((cell) => cell !== "");
  return filled.length > 0 && filled.every((cell) => NUMBER.test(cell));
}

/** The numbers of the rows that a range touches. */
export function rowsWithin(rows: readonly CsvRow[], ranges: readonly TextRange[]): number[] {
  return rows.flatMap((row, index) =>
    ranges.some((range) => range.start < row.end && range.end > row.start) ? [index] : [],
  );
}
