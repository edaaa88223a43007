import Papa from "papaparse";
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

/** Reads comma, semicolon or tab separated text; the first row is the header. */
export function readCsv(text: string): CsvTableData {
  const rows: CsvRow[] = [];
  let start = 0;
  Papa.parse<string[]>(text, {
    step: ({ data, meta }) => {
      if (data.length > 1 || data[0] !== "") rows.push({ cells: data, start, end: meta.cursor });
      start = meta.cursor;
    },
  });
  const header = rows.shift()?.cells ?? [];
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
