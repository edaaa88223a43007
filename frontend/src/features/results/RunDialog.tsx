import { useQuery } from "@tanstack/react-query";
import { Play, Square } from "lucide-react";
import { useEffect, useEffectEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { QueryResult } from "@/api/generated";
import { completionQuery } from "@/api/queries/statements";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { useFailure } from "@/ui/failure";
import { CutNote } from "./CutNote";
import { ExportMenu } from "./ExportMenu";
import { lacksRows } from "./model/shown";
import type { Sort } from "./model/values";
import { ResultSummary } from "./ResultSummary";
import { ResultTable } from "./ResultTable";
import { SaveVerified } from "./SaveVerified";
import { SqlEditor } from "./SqlEditor";
import { useFormattedSql } from "./useFormattedSql";
import { useStatement } from "./useStatement";

export interface RunDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  databaseConnectionId: string;
  database: string;
  /** The statement to begin with. */
  sql: string;
  /** Runs it at once. */
  runAtOnce?: boolean;
  /** The question that the statement answers, where it is saved. */
  question?: string | undefined;
}

/** A statement to change and run, with its rows below it. */
export function RunDialog({ open, onOpenChange, ...rest }: RunDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("results.run.title", { name: rest.database })}
      wide="extra"
    >
      <Workbench {...rest} />
    </Dialog>
  );
}

function Workbench(props: Omit<RunDialogProps, "open" | "onOpenChange">) {
  const { databaseConnectionId, database, sql: given, runAtOnce = false, question } = props;
  const { t } = useTranslation();
  const failure = useFailure();
  const note = useId();
  const formatted = useFormattedSql(given);
  const [written, setWritten] = useState<string | null>(null);
  const [sort, setSort] = useState<Sort | null>(null);
  const [ran, setRan] = useState(given);
  const { data: completion } = useQuery(completionQuery(databaseConnectionId));
  const { run, stop, running, result, error } = useStatement(databaseConnectionId);
  const sql = written ?? formatted;
  const start = (orderBy: Sort | null = null) => {
    if (running || sql.trim() === "") return;
    setSort(orderBy);
    setRan(sql);
    run({ sql, orderBy });
  };
  const first = useEffectEvent(() => {
    if (runAtOnce) run({ sql: given, orderBy: null });
  });
  useEffect(() => first(), []);
  return (
    <div className="mt-3 flex flex-col gap-3 min-w-0">
      <SqlEditor
        value={sql}
        onChange={setWritten}
        onRun={() => start()}
        label={t("results.run.field", { name: database })}
        completion={completion}
        describedBy={error ? note : undefined}
        autoFocus={!runAtOnce}
      />
      <div className="flex items-center gap-2 flex-wrap">
        {running ? (
          <Button icon={<Square size={14} aria-hidden />} onClick={stop}>
            {t("results.run.stop")}
          </Button>
        ) : (
          <Button tone="primary" icon={<Play size={15} aria-hidden />} onClick={() => start()}>
            {t("results.run.run")}
          </Button>
        )}
        <span role="status" className="text-xs text-ink-3">
          {running ? t("results.run.running", { name: database }) : t("results.run.keys")}
        </span>
      </div>
      {error !== null && !running && (
        <p id={note} role="alert" className="text-sm text-bad bg-bad-soft rounded-sm px-3 py-2 break-words">
          {failure(error).detail}
        </p>
      )}
      {result && (
        <Rows
          {...{ databaseConnectionId, database, question, result, running }}
          sql={ran}
          sort={sort}
          onSort={start}
        />
      )}
    </div>
  );
}

interface RowsProps {
  databaseConnectionId: string;
  database: string;
  question: string | undefined;
  sql: string;
  result: QueryResult;
  running: boolean;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
}

function Rows({ databaseConnectionId, database, question, sql, result, running, sort, onSort }: RowsProps) {
  const { t } = useTranslation();
  return (
    <div className="border border-line rounded-md overflow-hidden" aria-busy={running || undefined}>
      <ResultTable
        columns={result.columns}
        rows={result.rows}
        label={t("results.table.label", { name: database })}
        sort={sort}
        onSort={lacksRows(result) ? onSort : undefined}
        height="max-h-[40dvh]"
      />
      <footer className="result-foot">
        <ResultSummary rowCount={result.rowCount} durationMs={result.durationMs} database={database} />
        <CutNote result={result} />
        <span className="grow" />
        <SaveVerified databaseConnectionId={databaseConnectionId} sql={sql} question={question} />
        <ExportMenu databaseConnectionId={databaseConnectionId} sql={sql} orderBy={sort} />
      </footer>
    </div>
  );
}
