import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useMemo } from "react";
import { type Column, formatValue, type Row } from "./model/values";

interface Seen {
  /** Places in the shown order, from the first to the last that is drawn. */
  rows: readonly number[];
  /** Positions of the columns that are drawn. */
  columns: readonly number[];
  /** Pixels that stand for what is not drawn. */
  above: number;
  below: number;
  left: number;
  right: number;
  /** Widths are set, so that they do not jump while rows come and go. */
  fixed: boolean;
  /** Pixels of every column, where `fixed`. */
  widths: readonly number[];
}

const ROW_PX = 34;
/** Up to here everything is drawn and the browser finds the widths. */
const DRAWN_ROWS = 60;
const DRAWN_COLUMNS = 30;
const MEASURED_ROWS = 50;
const CHARACTER_PX = 7.4;
const SIDES_PX = 26;
const WIDEST_CHARACTERS = 36;

/** Which rows and columns of a large result are on the screen; a small one is drawn whole. */
export function useWindowOf(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column[],
  rows: readonly Row[],
  order: readonly number[],
  cited: ReadonlySet<string> | undefined,
): Seen {
  const fixed = rows.length > DRAWN_ROWS || columns.length > DRAWN_COLUMNS;
  const widths = useMemo(
    () => (fixed ? columns.map((column, at) => widthOf(column, at, rows)) : []),
    [fixed, columns, rows],
  );
  const down = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    enabled: fixed,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widths[index] ?? 0,
    overscan: 4,
    enabled: fixed,
  });
  const firstCited = useMemo(() => {
    const row = Math.min(...[...(cited ?? [])].map((cell) => Number(cell.split(":")[0])));
    return Number.isFinite(row) ? order.indexOf(row) : -1;
  }, [cited, order]);
  useEffect(() => {
    if (fixed && firstCited >= 0) down.scrollToIndex(firstCited, { align: "center" });
  }, [fixed, firstCited, down]);
  if (!fixed) {
    const whole = { above: 0, below: 0, left: 0, right: 0, fixed, widths };
    return { ...whole, rows: order.map((_row, place) => place), columns: columns.map((_column, at) => at) };
  }
  const shownRows = down.getVirtualItems();
  const shownColumns = across.getVirtualItems();
  return {
    rows: shownRows.map((item) => item.index),
    columns: shownColumns.map((item) => item.index),
    above: shownRows[0]?.start ?? 0,
    below: down.getTotalSize() - (shownRows.at(-1)?.end ?? 0),
    left: shownColumns[0]?.start ?? 0,
    right: across.getTotalSize() - (shownColumns.at(-1)?.end ?? 0),
    fixed,
    widths,
  };
}

function widthOf(column: Column, at: number, rows: readonly Row[]): number {
  let longest = Math.max(column.name.length + 2, Math.min(column.type.length, 20));
  for (const row of rows.slice(0, MEASURED_ROWS)) {
    longest = Math.max(longest, formatValue(row[at] ?? "null", column, "en").length);
  }
  return Math.round(Math.min(longest, WIDEST_CHARACTERS) * CHARACTER_PX + SIDES_PX);
}
