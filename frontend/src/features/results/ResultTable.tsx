import { ArrowDown, ArrowUp } from "lucide-react";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import type { LongValueShown } from "./LongValue";
import {
  type Column,
  formatValue,
  isNumeric,
  nextSort,
  type Row,
  type Sort,
  sortedPositions,
} from "./model/values";
import { useWindowOf } from "./useWindowOf";

const LongValue = lazy(() => import("./LongValue").then((module) => ({ default: module.LongValue })));

export interface ResultTableProps {
  columns: readonly Column[];
  rows: readonly Row[];
  /** What the rows are, for who cannot see the heading above the table. */
  label: string;
  /** Cells that are cited, as "row:column" counted from 0 in the order of `rows`. */
  cited?: ReadonlySet<string> | undefined;
  /** The order that the rows came in. With `onSort` the table never orders by itself. */
  sort?: Sort | null;
  /** Given where only the database can order: the rows are the first of more. Without it the table orders what it has. */
  onSort?: ((sort: Sort | null) => void) | undefined;
  /** Changes the height that the table may take before it scrolls (a class). */
  height?: string;
  /** Leaves the types under the names out. */
  plain?: boolean;
}

/** A query result: a sticky head with types that sorts, marks for NULL and for empty text, only seen rows in the page. */
export function ResultTable(props: ResultTableProps) {
  const {
    columns,
    rows,
    label,
    cited,
    sort: given = null,
    onSort,
    height = "max-h-[26rem]",
    plain = false,
  } = props;
  const { t } = useTranslation();
  const [own, setOwn] = useState<Sort | null>(null);
  const sort = onSort ? given : (own ?? given);
  const order = useMemo(
    () => sortedPositions(columns, rows, onSort ? null : own),
    [columns, rows, own, onSort],
  );
  const [long, setLong] = useState<LongValueShown | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const seen = useWindowOf(scroller, columns, rows, order, cited);
  const citedRows = useMemo(
    () => new Set([...(cited ?? [])].map((cell) => Number(cell.split(":")[0]))),
    [cited],
  );
  const shown = seen.columns.map((index) => ({ index, column: columns[index] as Column }));
  const span = shown.length + Number(seen.left > 0) + Number(seen.right > 0);
  if (columns.length === 0) {
    return (
      <p className="px-3 py-2.5 text-sm text-ink-3">{t("results.table.noColumns", { count: rows.length })}</p>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and a landmark for every table too many
    <div ref={scroller} role="group" tabIndex={0} aria-label={label} className={cx("result-scroll", height)}>
      <table
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        className={cx("result-table", seen.fixed && "is-fixed")}
      >
        {seen.fixed && (
          <colgroup>
            {seen.left > 0 && <col style={{ width: seen.left }} />}
            {shown.map(({ index }) => (
              <col key={index} style={{ width: seen.widths[index] }} />
            ))}
            {seen.right > 0 && <col style={{ width: seen.right }} />}
          </colgroup>
        )}
        <thead>
          <tr>
            {seen.left > 0 && <td aria-hidden />}
            {shown.map(({ index, column }) => (
              <Head
                key={index}
                column={column}
                position={index}
                direction={sort?.column === index ? (sort.descending ? "descending" : "ascending") : "none"}
                plain={plain}
                onPress={() => (onSort ?? setOwn)(nextSort(sort, index, column.type))}
              />
            ))}
            {seen.right > 0 && <td aria-hidden />}
          </tr>
        </thead>
        <tbody>
          {seen.above > 0 && <Gap height={seen.above} span={span} />}
          {seen.rows.map((place) => {
            const row = order[place] ?? 0;
            return (
              <tr key={row} aria-rowindex={place + 2} className={cx(citedRows.has(row) && "is-cited")}>
                {seen.left > 0 && <td aria-hidden />}
                {shown.map(({ index, column }) => (
                  <Cell
                    key={index}
                    value={rows[row]?.[index]}
                    column={column}
                    position={index}
                    cited={cited?.has(`${row}:${index}`) ?? false}
                    onWhole={setLong}
                  />
                ))}
                {seen.right > 0 && <td aria-hidden />}
              </tr>
            );
          })}
          {seen.below > 0 && <Gap height={seen.below} span={span} />}
        </tbody>
      </table>
      {long && (
        <Suspense>
          <LongValue shown={long} onClose={() => setLong(null)} />
        </Suspense>
      )}
      {rows.length === 0 && <p className="px-3 py-2.5 text-sm text-ink-3">{t("results.table.noRows")}</p>}
    </div>
  );
}

interface HeadProps {
  column: Column;
  position: number;
  direction: "ascending" | "descending" | "none";
  plain: boolean;
  onPress: () => void;
}

function Head({ column, position, direction, plain, onPress }: HeadProps) {
  const Arrow = direction === "ascending" ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={direction}
      aria-colindex={position + 1}
      className={cx(isNumeric(column) && "is-number")}
    >
      <button type="button" onClick={onPress} title={`${column.name} ${column.type}`}>
        <span className="result-name">
          {column.name}
          {direction !== "none" && <Arrow size={12} aria-hidden />}
        </span>
        {!plain && <small>{column.type}</small>}
      </button>
    </th>
  );
}

interface CellProps {
  value: string | null | undefined;
  column: Column;
  position: number;
  cited: boolean;
  /** Asks for a value that is too long for its cell. */
  onWhole: (value: LongValueShown) => void;
}

function Cell({ value, column, position, cited, onWhole }: CellProps) {
  const { t, i18n } = useTranslation();
  const shown =
    value === null || value === undefined ? (
      <i className="result-null" title={t("results.table.null")}>
        null
      </i>
    ) : value === "" ? (
      <span className="text-ink-3" title={t("results.table.empty")}>
        “”
      </span>
    ) : value.length > LONG ? (
      <button
        type="button"
        className="result-long"
        aria-haspopup="dialog"
        onClick={() => onWhole({ name: column.name, value })}
      >
        {value.slice(0, LONG)}…
      </button>
    ) : (
      formatValue(value, column, i18n.language)
    );
  return (
    <td
      aria-colindex={position + 1}
      title={value && value.length > WIDE && value.length <= LONG ? value : undefined}
      className={cx(
        isNumeric(column) && "is-number",
        cited && "is-cell",
        value && value.length > WIDE && "is-wide",
      )}
    >
      {cited ? <mark>{shown}</mark> : shown}
    </td>
  );
}

/** Characters beyond which a value may be cut at the edge of its cell, and beyond which it opens on its own. */
const WIDE = 24;
const LONG = 160;

function Gap({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  );
}
