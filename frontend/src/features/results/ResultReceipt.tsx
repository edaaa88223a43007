import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { duration, type ShownResult } from "./model/shown";
import { ResultTable } from "./ResultTable";
import { SqlBlock } from "./SqlBlock";
import { StatementActions } from "./StatementActions";

export interface ResultReceiptProps {
  result: ShownResult;
  /** Cells that are cited, as "row:column". */
  cited: ReadonlySet<string>;
  question?: string | undefined;
  onAsk?: ((question: string) => void) | undefined;
}

const FEW = 3;

/** What a query read and how: its cited rows, the statement, tables, role, time and clock. */
export function ResultReceipt({ result, cited, question, onAsk }: ResultReceiptProps) {
  const { t, i18n } = useTranslation();
  const [whole, setWhole] = useState(false);
  const part = useMemo(() => partOf(result, cited), [result, cited]);
  const less = part.rows.length < result.rows.length || part.columns.length < result.columns.length;
  const shown = whole || !less ? { columns: result.columns, rows: result.rows, cited } : part;
  const { receipt } = result;
  const names = receipt.tables.map((table) => table.replace(/^public\./, "")).join(", ");
  const time = duration(result.durationMs, i18n.language);
  const rows = t("results.rows", { count: result.rowCount });
  return (
    <>
      <div className="border-t border-line">
        <ResultTable
          columns={shown.columns}
          rows={shown.rows}
          cited={shown.cited}
          label={result.title || t("results.untitled")}
          height="max-h-[19rem]"
          plain
        />
      </div>
      {less && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="w-full text-left px-3 py-2 max-sm:min-h-11 border-t border-line text-xs text-accent underline hover:bg-hover"
        >
          {whole
            ? t("results.receipt.fewerRows")
            : t("results.receipt.moreRows", { count: result.rows.length, columns: result.columns.length })}
        </button>
      )}
      <SqlBlock sql={result.sql} className="border-t border-line max-h-[18rem] text-xs" />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-3 py-2.5 border-t border-line text-xs">
        <Line name={t("results.receipt.read")}>
          <span className="font-mono break-words" title={receipt.columns.join("\n")}>
            {names === ""
              ? t("results.receipt.noTable")
              : receipt.columns.length > 0
                ? t("results.receipt.columns", { tables: names, count: receipt.columns.length })
                : names}
          </span>
        </Line>
        <Line name={t("results.receipt.role")}>
          <code>{receipt.role}</code>
        </Line>
        <Line name={t("results.receipt.took")}>
          {t(result.truncated ? "results.receipt.cut" : "results.receipt.whole", { time, rows })}
        </Line>
        {receipt.costEstimate !== null && (
          <Line name={t("results.receipt.cost")}>
            {new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 }).format(receipt.costEstimate)}
          </Line>
        )}
        <Line name={t("results.receipt.clock")}>
          {t("results.receipt.clockValue", {
            date: dayOf(receipt.today, i18n.language),
            zone: receipt.timeZone,
          })}
        </Line>
      </dl>
      <div className="result-foot">
        <StatementActions
          databaseConnectionId={result.databaseConnectionId}
          database={result.database}
          sql={result.sql}
          question={question}
          onAsk={onAsk}
        />
      </div>
    </>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="tabular-nums min-w-0">{children}</dd>
    </>
  );
}

/** What a narrow place shows: the cited rows, or the first few, with their first column and the cited ones. */
function partOf(result: ShownResult, cited: ReadonlySet<string>) {
  const cells = [...cited].map((cell) => cell.split(":").map(Number) as [number, number]);
  const inside = cells.filter(([row]) => row < result.rows.length);
  const chosenRows = ascending(
    inside.map(([row]) => row),
    result.rows.length,
  );
  const citedColumns = inside.map(([, column]) => column);
  const all = citedColumns.length === 0 || result.columns.length <= FEW;
  const chosenColumns = all
    ? result.columns.map((_column, at) => at)
    : ascending([0, ...citedColumns], result.columns.length);
  const moved = inside.map(([row, column]) => `${chosenRows.indexOf(row)}:${chosenColumns.indexOf(column)}`);
  return {
    columns: chosenColumns.flatMap((at) => result.columns[at] ?? []),
    rows: chosenRows.map((row) => chosenColumns.map((at) => result.rows[row]?.[at] ?? null)),
    cited: new Set(moved),
  };
}

function ascending(places: readonly number[], count: number): number[] {
  if (places.length === 0) return Array.from({ length: Math.min(FEW, count) }, (_place, at) => at);
  return [...new Set(places)].sort((a, b) => a - b);
}

function dayOf(today: string, locale: string): string {
  const day = new Date(`${today}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return today;
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(day);
}
