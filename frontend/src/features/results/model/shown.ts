import type { QueryReceipt } from "@/api/generated";
import type { Column, Row } from "./values";

/** A result with the statement it came from, as a card shows it. */
export interface ShownResult {
  title: string | null;
  databaseConnectionId: string;
  database: string;
  sql: string;
  columns: readonly Column[];
  rows: readonly Row[];
  rowCount: number;
  truncated: boolean;
  truncatedReason: "rows" | "bytes" | "cells" | "left_out" | null;
  durationMs: number;
  receipt: QueryReceipt;
}

/** Whether rows are missing: then nothing may be drawn or summed of those that are here. */
export function lacksRows({ truncatedReason }: Pick<ShownResult, "truncatedReason">): boolean {
  return truncatedReason !== null && truncatedReason !== "cells";
}

/** "84 ms", "1.2 s" in the words of a locale. */
export function duration(ms: number, locale: string): string {
  const seconds = ms >= 1000;
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: seconds ? 1 : 0 });
  return `${number.format(seconds ? ms / 1000 : ms)}\u00a0${seconds ? "s" : "ms"}`;
}

/** The cells that a list of references names in one result: "Q1:0:2" is row 0, column 2 of Q1. */
export function cellsOf(refs: Iterable<string>, mark: string): Set<string> {
  const cells = new Set<string>();
  for (const ref of refs) {
    const [of, row, column] = ref.split(":");
    if (of === mark && row !== undefined && column !== undefined) cells.add(`${row}:${column}`);
  }
  return cells;
}
