import { BookmarkCheck, ChartColumn, Code, Table } from "lucide-react";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { useFailure } from "@/ui/failure";
import { Segments } from "@/ui/Segments";
import { CutNote } from "./CutNote";
import { ExportMenu } from "./ExportMenu";
import { groupedSql } from "./model/aggregate";
import { measuresOf } from "./model/chart";
import { lacksRows, type ShownResult } from "./model/shown";
import type { Sort } from "./model/values";
import { ResultChart } from "./ResultChart";
import { ResultSummary } from "./ResultSummary";
import { ResultTable } from "./ResultTable";
import { SaveVerified } from "./SaveVerified";
import { SqlBlock } from "./SqlBlock";
import { StatementActions } from "./StatementActions";
import { useMayRun } from "./useMayRun";
import { useStatement } from "./useStatement";

const RunDialog = lazy(() => import("./RunDialog").then((module) => ({ default: module.RunDialog })));

export interface ResultCardProps {
  result: ShownResult;
  /** The mark that the text cites it by. */
  mark?: ReactNode;
  /** Cells that the text cites, as "row:column". */
  cited?: ReadonlySet<string>;
  /** The question that it answers, where it is saved as a verified query. */
  question?: string | undefined;
  /** Puts a question about the result; without it nothing offers to. */
  onAsk?: ((question: string) => void) | undefined;
  /** The statement is one that a person has checked: it says so, and is not offered to be saved again. */
  verified?: boolean;
  className?: string;
}

/** A query result: its rows or a picture of them, the statement behind a button, and what one does with both. */
export function ResultCard({
  result,
  mark,
  cited,
  question,
  onAsk,
  verified = false,
  className,
}: ResultCardProps) {
  const { t } = useTranslation();
  const mayRun = useMayRun();
  const [view, setView] = useState<"table" | "chart">("table");
  const [showsSql, setShowsSql] = useState(false);
  const ordered = useOrdered(result);
  const { columns, rows, rowCount, durationMs } = ordered.shown;
  const drawable = useMemo(() => measuresOf(columns, rows).length > 0, [columns, rows]);
  const title = result.title || t("results.untitled");
  const cut = lacksRows(result);
  const said = ordered.said ?? (result.truncatedReason === "left_out" ? t("results.cut.left_outHelp") : null);
  return (
    <figure className={cx("result-card", className)} aria-label={title}>
      <header>
        {mark}
        <b className="font-strong min-w-0 grow">{title}</b>
        {verified && (
          <Badge tone="good" icon={<BookmarkCheck aria-hidden />}>
            {t("results.verified")}
          </Badge>
        )}
        <CutNote result={ordered.shown} />
        {drawable && (
          <Segments
            label={t("results.view.label")}
            value={view}
            onChange={setView}
            options={[
              { value: "table", label: t("results.view.table"), icon: <Table aria-hidden /> },
              { value: "chart", label: t("results.view.chart"), icon: <ChartColumn aria-hidden /> },
            ]}
          />
        )}
      </header>
      {view === "chart" && cut && <ChartRefused result={result} question={question} />}
      {view === "chart" && !cut && <ResultChart columns={columns} rows={rows} label={title} onAsk={onAsk} />}
      {view === "table" && (
        <div aria-busy={ordered.running || undefined}>
          <ResultTable
            columns={columns}
            rows={rows}
            label={title}
            cited={ordered.sort ? undefined : cited}
            sort={ordered.sort}
            onSort={cut && mayRun ? ordered.order : undefined}
          />
          {said && (
            <p role="status" className="px-3 py-2 text-xs text-ink-3 border-t border-line">
              {said}
            </p>
          )}
        </div>
      )}
      {showsSql && (
        <>
          <SqlBlock sql={result.sql} className="border-t border-line max-h-[22rem]" />
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
      )}
      <footer className="result-foot">
        <ResultSummary rowCount={rowCount} durationMs={durationMs} database={result.database} />
        <span className="grow" />
        <Button
          tone="quiet"
          size="sm"
          icon={<Code size={15} aria-hidden />}
          aria-expanded={showsSql}
          onClick={() => setShowsSql(!showsSql)}
        >
          {t("results.sql.label")}
        </Button>
        {mayRun && (
          <>
            {!verified && (
              <SaveVerified
                databaseConnectionId={result.databaseConnectionId}
                sql={result.sql}
                question={question}
              />
            )}
            <ExportMenu
              databaseConnectionId={result.databaseConnectionId}
              sql={result.sql}
              orderBy={ordered.sort}
            />
          </>
        )}
      </footer>
    </figure>
  );
}

/** The rows in another order: only the database can order a result of which the first rows are here. */
function useOrdered(result: ShownResult) {
  const { t } = useTranslation();
  const failure = useFailure();
  const [sort, setSort] = useState<Sort | null>(null);
  const { run, running, result: answer, error } = useStatement(result.databaseConnectionId);
  const shown = sort && answer ? answer : result;
  const said = running
    ? t("results.order.running")
    : sort && error !== null
      ? t("results.order.failed", { detail: failure(error).detail })
      : sort && answer
        ? t("results.order.done")
        : null;
  return {
    shown,
    sort,
    running,
    said,
    order: (next: Sort | null) => {
      setSort(next);
      if (next) run({ sql: result.sql, orderBy: next });
    },
  };
}

/** A picture of a part would be wrong: the whole is counted in the database instead. */
function ChartRefused({ result, question }: { result: ShownResult; question: string | undefined }) {
  const { t } = useTranslation();
  const mayRun = useMayRun();
  const [open, setOpen] = useState(false);
  return (
    <div className="p-4 flex flex-col items-start gap-3">
      <p className="text-md text-ink-2 max-w-[60ch]">
        {t("results.cut.noChart", { count: result.rowCount })}
      </p>
      {mayRun && (
        <Button size="sm" onClick={() => setOpen(true)}>
          {t("results.cut.group")}
        </Button>
      )}
      {open && (
        <Suspense>
          <RunDialog
            open={open}
            onOpenChange={setOpen}
            databaseConnectionId={result.databaseConnectionId}
            database={result.database}
            sql={groupedSql(result.sql, result.columns, result.rows)}
            question={question}
          />
        </Suspense>
      )}
    </div>
  );
}
