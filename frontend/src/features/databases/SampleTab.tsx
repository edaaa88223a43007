import { useQuery } from "@tanstack/react-query";
import { EyeOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { sampleQuery } from "@/api/queries/catalogue";
import type { TableDetail } from "@/api/types";
import { ResultTable } from "@/features/results/ResultTable";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { ErrorState } from "@/ui/States";

/** A few rows as they are in the database, without the columns that are kept out. */
export function SampleTab({ connectionId, table }: { connectionId: string; table: TableDetail }) {
  const { t } = useTranslation();
  const name = { schema: table.schema, table: table.name };
  const { data, error, refetch } = useQuery(sampleQuery(connectionId, name));
  if (error && !data) {
    return (
      <div className="p-4">
        <ErrorState title={t("databases.sample.failed")} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) {
    return (
      <Waiting>
        <div className="grid gap-5 p-4">
          <Skeleton className="w-4/5" />
          <Skeleton className="w-3/4" />
          <Skeleton className="w-4/5" />
        </div>
      </Waiting>
    );
  }
  return (
    <>
      {data.rows.length === 0 ? (
        <p className="px-4 py-3 text-ink-3">{t("databases.sample.empty")}</p>
      ) : (
        <div className="border-b border-line">
          <ResultTable
            columns={data.columns}
            rows={data.rows}
            label={t("databases.sample.label", { table: table.name })}
          />
        </div>
      )}
      {data.withheld.length > 0 && (
        <p className="px-4 py-2.5 text-xs text-ink-3 break-words">
          <EyeOff size={12} aria-hidden className="inline align-[-1px] mr-1.5" />
          {t("databases.sample.withheld", { names: data.withheld.join(t("common.and")) })}
        </p>
      )}
    </>
  );
}
