import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Link2, LoaderCircle, Plug } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { catalogueQuery, documentLinksQuery, useRefreshCatalogue } from "@/api/queries/catalogue";
import { useTestDatabase } from "@/api/queries/databases";
import type { CatalogueStatus, DatabaseConnection } from "@/api/types";
import { Button, buttonClass } from "@/ui/Button";
import { Banner } from "@/ui/States";
import { Time } from "@/ui/Time";
import { SchemaChanges } from "./SchemaChanges";
import { TableBrowser } from "./TableBrowser";
import { useMay } from "./useMay";
import { VerifiedQueries } from "./VerifiedQueries";

/** What needs a hand in one database, then its tables, its verified queries and what changed in it. */
export function ChosenDatabase({ connection }: { connection: DatabaseConnection }) {
  const { data: status } = useQuery(catalogueQuery(connection.id));
  useNewCatalogue(connection.id, status);
  return (
    <>
      <div className="grid gap-3 mt-4 empty:hidden">
        {connection.state === "unreachable" && <Unreachable connection={connection} />}
        {status && <CatalogueNotice connection={connection} status={status} />}
        <WaitingLinks connection={connection} />
      </div>
      {status && status.tableCount > 0 && <TableBrowser connection={connection} status={status} />}
      <VerifiedQueries connection={connection} />
      <SchemaChanges connectionId={connection.id} />
    </>
  );
}

/** When the tables were read anew, what is shown of them is asked for again. */
function useNewCatalogue(id: string, status: CatalogueStatus | undefined): void {
  const client = useQueryClient();
  const takenAt = status?.takenAt;
  const seen = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    if (takenAt === undefined) return;
    const first = seen.current === undefined;
    if (!first && seen.current !== takenAt) void client.invalidateQueries({ queryKey: ["databases"] });
    seen.current = takenAt;
  }, [client, takenAt]);
  const reading = status?.state === "reading";
  useEffect(() => {
    if (!reading) return;
    return () => void client.invalidateQueries({ queryKey: ["databases", id] });
  }, [client, id, reading]);
}

function Unreachable({ connection }: { connection: DatabaseConnection }) {
  const { t } = useTranslation();
  const { manage } = useMay();
  const test = useTestDatabase();
  return (
    <Banner
      tone="warn"
      icon={<Plug size={18} aria-hidden />}
      actions={
        manage && (
          <>
            <Link
              to="/databases"
              search={(now) => ({ ...now, connection: connection.id, dialog: "edit" as const })}
              resetScroll={false}
              className={buttonClass("quiet", "sm")}
            >
              {t("databases.trouble.edit")}
            </Link>
            <Button
              size="sm"
              busy={test.isPending && t("databases.trouble.testing")}
              onClick={() => test.mutate(connection.id)}
            >
              {t("databases.trouble.test")}
            </Button>
          </>
        )
      }
    >
      <b className="font-strong">{t("databases.trouble.title", { name: connection.name })}</b>{" "}
      {connection.stateMessage} {t("databases.trouble.since")} <Time iso={connection.lastReachedAt} />.
    </Banner>
  );
}

interface CatalogueNoticeProps {
  connection: DatabaseConnection;
  status: CatalogueStatus;
}

function CatalogueNotice({ connection: { id, name }, status }: CatalogueNoticeProps) {
  const { t } = useTranslation();
  const { manage } = useMay();
  const refresh = useRefreshCatalogue(id);
  if (status.state === "reading" || status.state === "never") {
    return (
      <Banner tone="accent" icon={<LoaderCircle size={18} className="spin" aria-hidden />}>
        <b className="font-strong">{t("databases.catalogue.reading", { name })}</b>{" "}
        {status.tableCount === 0 && t("databases.catalogue.readingDetail")}
      </Banner>
    );
  }
  const again = manage && (
    <Button size="sm" busy={refresh.isPending && t("common.loading")} onClick={() => refresh.mutate()}>
      {t("databases.catalogue.retry")}
    </Button>
  );
  if (status.state === "failed") {
    return (
      <Banner tone="bad" actions={again}>
        <b className="font-strong">{t("databases.catalogue.failed", { name })}</b> {status.message}
      </Banner>
    );
  }
  if (status.tableCount > 0) return null;
  return (
    <Banner tone="warn" actions={again}>
      <b className="font-strong">{t("databases.catalogue.noTables")}</b>{" "}
      {t("databases.catalogue.noTablesDetail")}
    </Banner>
  );
}

function WaitingLinks({ connection: { id, name } }: { connection: DatabaseConnection }) {
  const { t } = useTranslation();
  const { write } = useMay();
  const { data } = useInfiniteQuery({ ...documentLinksQuery(id, "proposed", 1), enabled: write });
  if (!write || !data?.pages[0]?.items.length) return null;
  return (
    <p className="flex items-start gap-2 text-ink-2">
      <Link2 size={15} className="text-ink-3 mt-0.5" aria-hidden />
      <span>
        {t("databases.links.waiting", { name })}{" "}
        <Link
          to="/databases/links"
          search={{ connection: id }}
          className="text-accent underline underline-offset-[3px] decoration-1 font-medium rounded-xs py-1"
        >
          {t("databases.links.review")}
        </Link>
      </span>
    </p>
  );
}
