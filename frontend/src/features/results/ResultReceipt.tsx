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
}

const FEW = 3;

/** What a query read and how: its cited rows, the statement, tables, role, time and clock. */
export function ResultReceipt({ result, cited, question }: ResultReceiptProps) {
  const { t, i18n } = useTranslation();
  const [whole, setWhole] = useState(false);
  const part = useMemo(() => partOf(result, cited), [result, cited]);
  const more = result.rows.length - part.rows.length;
  const shown = whole || more <= 0 ? { rows: result.rows, cited } : part;
  const { receipt } = result;
  const names = receipt.tables.join(", ");
  const time = duration(result.durationMs, i18n.language);
  const rows = t("results.rows", { count: result.rowCount });
  return (
    <>
      <div className="border-t border-line">
        <ResultTable
          columns={result.columns}
          rows={shown.rows}
          cited={shown.cited}
          label={result.title || t("results.untitled")}
          height="max-h-[19rem]"
          plain
        />
      </div>
      {more > 0 && (
        <button
          type="button"
          onClick={() => setWhole(!whole)}
          className="w-full text-left px-3 py-2 max-sm:min-h-11 border-t border-line text-xs text-accent underline hover:bg-hover"
        >
          {whole ? t("results.receipt.fewerRows") : t("results.receipt.moreRows", { count: more })}
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

/** The cited rows, or the first few where none is; the cells move with their rows. */
function partOf(result: ShownResult, cited: ReadonlySet<string>) {
  const wanted = [...new Set([...cited].map((cell) => Number(cell.split(":")[0])))].sort((a, b) => a - b);
  const positions = wanted.filter((row) => row < result.rows.length);
  const chosen = positions.length > 0 ? positions : result.rows.map((_row, at) => at).slice(0, FEW);
  const moved = [...cited].flatMap((cell) => {
    const [row, column] = cell.split(":");
    const place = chosen.indexOf(Number(row));
    return place === -1 ? [] : [`${place}:${column}`];
  });
  return { rows: chosen.map((row) => result.rows[row] ?? []), cited: new Set(moved) };
}

function dayOf(today: string, locale: string): string {
  const day = new Date(`${today}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return today;
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(day);
}
