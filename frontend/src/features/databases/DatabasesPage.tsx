import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Database, History, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { databasesQuery } from "@/api/queries/databases";
import type { DatabaseConnection } from "@/api/types";
import { buttonClass } from "@/ui/Button";
import { Page } from "@/ui/Page";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { EmptyState, ErrorState } from "@/ui/States";
import { ChosenDatabase } from "./ChosenDatabase";
import { ConnectionCard } from "./ConnectionCard";
import { ConnectionDialogs } from "./ConnectionDialogs";
import { useMay } from "./useMay";

const route = getRouteApi("/shell/databases");

/** The connected databases: how they stand, what they hold, and what the documents say about it. */
export function DatabasesPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(databasesQuery);
  const { connection } = route.useSearch();
  const databases = data?.items;
  const chosen =
    databases?.find((one) => one.id === connection) ??
    databases?.find((one) => one.state === "reachable") ??
    databases?.[0];
  return (
    <Page
      title={t("databases.title")}
      lead={databases ? <Standing databases={databases} /> : t("databases.loading")}
      actions={<Actions first={databases?.length === 0} />}
    >
      {error && !databases && (
        <ErrorState title={t("common.failed.page")} error={error} onRetry={() => void refetch()} />
      )}
      {!error && !databases && <CardShapes />}
      {databases?.length === 0 && <NoDatabases />}
      {databases && databases.length > 0 && (
        <ul aria-label={t("databases.list")} className="grid grid-cols-2 max-md:grid-cols-1 gap-3.5">
          {databases.map((one) => (
            <ConnectionCard key={one.id} connection={one} chosen={one === chosen} />
          ))}
        </ul>
      )}
      {chosen && <ChosenDatabase key={chosen.id} connection={chosen} />}
      {databases && <ConnectionDialogs connection={chosen} />}
    </Page>
  );
}

function Standing({ databases }: { databases: readonly DatabaseConnection[] }) {
  const { t } = useTranslation();
  if (databases.length === 0) return t("databases.leadNone");
  const silent = databases.filter((one) => one.state === "unreachable").length;
  return silent > 0
    ? t("databases.leadTrouble", { count: silent, total: databases.length })
    : t("databases.lead");
}

function Actions({ first }: { first: boolean }) {
  const { t } = useTranslation();
  const { manage, write } = useMay();
  if (!write) return null;
  return (
    <>
      <Link to="/databases/log" className={buttonClass()}>
        <History size={16} aria-hidden />
        {t("databases.log")}
      </Link>
      {manage && !first && <ConnectLink />}
    </>
  );
}

function ConnectLink() {
  const { t } = useTranslation();
  return (
    <Link
      to="/databases"
      search={(now) => ({ ...now, dialog: "connect" as const })}
      className={buttonClass("primary")}
    >
      <Plus size={16} aria-hidden />
      {t("databases.connect")}
    </Link>
  );
}

function NoDatabases() {
  const { t } = useTranslation();
  const { manage } = useMay();
  return (
    <EmptyState
      icon={<Database aria-hidden />}
      title={t("databases.empty.title")}
      actions={manage ? <ConnectLink /> : <p className="text-ink-2">{t("databases.empty.member")}</p>}
    >
      {t("databases.empty.detail")}
    </EmptyState>
  );
}

function CardShapes() {
  return (
    <Waiting>
      <div className="grid grid-cols-2 max-md:grid-cols-1 gap-3.5">
        {[0, 1].map((card) => (
          <div key={card} className="bg-raised border border-line rounded-md shadow-page p-4 grid gap-4">
            <div className="flex items-center gap-3">
              <Skeleton className="size-[38px]" />
              <Skeleton className="w-40" />
              <Skeleton className="w-24 ml-auto" />
            </div>
            <Skeleton className="w-4/5" />
            <Skeleton className="w-1/2" />
          </div>
        ))}
      </div>
    </Waiting>
  );
}
