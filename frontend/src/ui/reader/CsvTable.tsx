import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import type { TextRange } from "@/lib/ranges";
import { readCsv, rowsWithin } from "./csv";

interface CsvTableProps {
  text: string;
  /** UTF-16 ranges of the cited rows. */
  marks: readonly TextRange[];
  /** The row to bring into view and fill, counted from zero below the header. */
  current?: number | null;
}

const ROW_PX = 33;
const CELL = "px-3 py-[7px] border-b border-line truncate";

/** A CSV file as a table; only the rows on the screen are in the page. */
export function CsvTable({ text, marks, current = null }: CsvTableProps) {
  const { t } = useTranslation();
  const table = useMemo(() => readCsv(text), [text]);
  const cited = useMemo(() => new Set(rowsWithin(table.rows, marks)), [table, marks]);
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: table.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const target = current ?? cited.values().next().value ?? null;
  useEffect(() => {
    if (target !== null) virtual.scrollToIndex(target, { align: "center" });
  }, [target, virtual]);
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <section
      ref={scroller}
      tabIndex={0}
      aria-label={t("reader.table")}
      className="h-full overflow-auto bg-raised"
    >
      <table
        aria-rowcount={table.rows.length + 1}
        className="border-separate border-spacing-0 table-fixed text-sm tabular-nums lining-nums"
      >
        <colgroup>
          {table.widths.map((width, column) => (
            <col key={table.header[column]} style={{ width: `${width}ch` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {table.header.map((name, column) => (
              <th
                key={name}
                scope="col"
                title={name}
                className={cx(
                  CELL,
                  "sticky top-0 z-(--z-sticky) bg-sunken text-xs font-medium text-ink-2",
                  table.numeric[column] ? "text-right" : "text-left",
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} />}
          {items.map(({ index }) => (
            <tr
              key={index}
              aria-rowindex={index + 2}
              className={cx(cited.has(index) && "csv-hit", index === current && "csv-current")}
            >
              {table.header.map((name, column) => {
                const cell = table.rows[index]?.cells[column] ?? "";
                return (
                  <td key={name} title={cell} className={cx(CELL, table.numeric[column] && "text-right")}>
                    {cell}
                  </td>
                );
              })}
            </tr>
          ))}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
    </section>
  );
}

function Gap({ height }: { height: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}
