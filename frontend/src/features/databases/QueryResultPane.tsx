import { CircleAlert, LoaderCircle, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { QueryResult, VerifiedQuery } from "@/api/types";
import { ResultTable } from "@/features/results/ResultTable";
import { Status } from "@/ui/Badge";
import { Time } from "@/ui/Time";

interface QueryResultPaneProps {
  question: string;
  query: VerifiedQuery | undefined;
  running: boolean;
  result: QueryResult | null;
  /** Why there are no rows. */
  message: string | null;
}

/** What a query gave when it was last run here. */
export function QueryResultPane({ question, query, running, result, message }: QueryResultPaneProps) {
  const { t } = useTranslation();
  return (
    <section className="grid gap-3 min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-strong">{t("databases.query.result")}</h3>
        {query && (
          <span className="text-xs text-ink-3">
            {t("databases.query.tested")} <Time iso={query.lastTestedAt} />
          </span>
        )}
      </div>
      {query?.state === "stale" && (
        <p className="flex gap-2 text-warn">
          <TriangleAlert size={15} aria-hidden className="mt-0.5" />
          <span className="min-w-0 break-words">
            {t("databases.query.staleReason", { reason: query.staleReason ?? "" })}
          </span>
        </p>
      )}
      <div role="status">
        {running && (
          <Status tone="run" icon={<LoaderCircle className="spin" aria-hidden />}>
            {t("databases.query.running")}
          </Status>
        )}
        {!running && message && (
          <div className="flex items-start gap-2.5 rounded-md p-3 bg-bad-soft">
            <CircleAlert size={18} aria-hidden className="text-bad mt-0.5" />
            <div className="min-w-0">
              <p className="font-strong">{t("databases.query.refused")}</p>
              <p className="break-words">{message}</p>
            </div>
          </div>
        )}
        {!running && !message && !result && <p className="text-ink-3">{t("databases.query.notRun")}</p>}
        {!running && !message && result && (
          <p className="text-ink-2 tabular-nums">
            {t(result.truncatedReason === "rows" ? "databases.query.firstOf" : "databases.query.rowsOf", {
              count: result.rowCount,
              ms: result.durationMs,
            })}
          </p>
        )}
      </div>
      {!running && !message && result && (
        <div className="border border-line rounded-md overflow-hidden">
          <ResultTable
            columns={result.columns}
            rows={result.rows}
            label={t("databases.query.label", { question })}
            height="max-h-[20rem]"
          />
        </div>
      )}
    </section>
  );
}
