import { useTranslation } from "react-i18next";
import { duration } from "./model/shown";

interface ResultSummaryProps {
  rowCount: number;
  durationMs: number;
  database: string;
}

/** How many rows, how long it took, and where: "6 rows · 84 ms · Sales ledger". */
export function ResultSummary({ rowCount, durationMs, database }: ResultSummaryProps) {
  const { t, i18n } = useTranslation();
  return (
    <span className="result-summary tabular-nums truncate">
      {[t("results.rows", { count: rowCount }), duration(durationMs, i18n.language), database].join(" · ")}
    </span>
  );
}
