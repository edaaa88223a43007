import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
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
                  />
                ))}
                {seen.right > 0 && <td aria-hidden />}
              </tr>
            );
          })}
          {seen.below > 0 && <Gap height={seen.below} span={span} />}
        </tbody>
      </table>
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
}

function Cell({ value, column, position, cited }: CellProps) {
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
    ) : (
      formatValue(value, column, i18n.language)
    );
  return (
    <td
      aria-colindex={position + 1}
      title={value && value.length > LONG ? value.slice(0, TITLE_MAX) : undefined}
      className={cx(isNumeric(column) && "is-number", cited && "is-cell")}
    >
      {cited ? <mark>{shown}</mark> : shown}
    </td>
  );
}

/** Values longer than this may be cut at the edge of their cell. */
const LONG = 24;
const TITLE_MAX = 2_000;

function Gap({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  );
}
