import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, Link2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { documentLinksQuery } from "@/api/queries/catalogue";
import { databasesQuery } from "@/api/queries/databases";
import type { LinkState } from "@/api/types";
import { Button, buttonClass } from "@/ui/Button";
import { SelectField } from "@/ui/Field";
import { Page } from "@/ui/Page";
import { Segments } from "@/ui/Segments";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { EmptyState, ErrorState } from "@/ui/States";
import { LinkRow } from "./LinkRow";

const route = getRouteApi("/shell/databases/links");
const STATES: readonly LinkState[] = ["proposed", "confirmed", "refused"];

/** All links between documents and the tables of a database, to be judged one after the other. */
export function LinksPage() {
  const { t } = useTranslation();
  const { connection, state = "proposed" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(databasesQuery);
  const chosen = data?.items.find((one) => one.id === connection) ?? data?.items[0];
  return (
    <Page
      title={t("databases.links.title")}
      lead={t("databases.links.lead")}
      actions={
        <Link to="/databases" search={chosen ? { connection: chosen.id } : {}} className={buttonClass()}>
          <ArrowLeft size={16} aria-hidden />
          {t("databases.back")}
        </Link>
      }
    >
      {error && !data && (
        <ErrorState title={t("common.failed.page")} error={error} onRetry={() => void refetch()} />
      )}
      {data && (
        <div className="flex flex-wrap items-end gap-3 mb-4">
          {data.items.length > 1 && chosen && (
            <SelectField
              className="w-[16rem] max-sm:w-full"
              label={t("databases.links.database")}
              value={chosen.id}
              options={data.items.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(id) => void navigate({ search: { connection: id, state } })}
            />
          )}
          <Segments
            label={t("databases.links.state")}
            value={state}
            options={STATES.map((value) => ({ value, label: t(`databases.links.states.${value}`) }))}
            onChange={(next) => void navigate({ search: (now) => ({ ...now, state: next }), replace: true })}
          />
        </div>
      )}
      {chosen && <LinkList connectionId={chosen.id} state={state} />}
    </Page>
  );
}

function LinkList({ connectionId, state }: { connectionId: string; state: LinkState }) {
  const { t } = useTranslation();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    documentLinksQuery(connectionId, state),
  );
  if (error && !data) {
    return <ErrorState title={t("databases.links.failed")} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return (
      <Waiting>
        <div className="grid gap-6 bg-raised border border-line rounded-md shadow-page p-4">
          <Skeleton className="w-40" />
          <Skeleton className="w-4/5" />
          <Skeleton className="w-1/2" />
        </div>
      </Waiting>
    );
  }
  const links = data.pages.flatMap((page) => page.items);
  if (links.length === 0) {
    return (
      <EmptyState icon={<Link2 aria-hidden />} title={t(`databases.links.none.${state}`)}>
        {t(`databases.links.noneDetail.${state}`)}
      </EmptyState>
    );
  }
  return (
    <>
      <ul
        aria-label={t("databases.links.list")}
        className="bg-raised border border-line rounded-md shadow-page px-4"
      >
        {links.map(({ id, note, schema, table, column }) => (
          <LinkRow
            key={id}
            connectionId={connectionId}
            thing={{ schema, table, column }}
            note={note}
            leadsToTable
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          className="mt-3"
          busy={isFetchingNextPage && t("common.loading")}
          onClick={() => void fetchNextPage()}
        >
          {t("databases.links.more")}
        </Button>
      )}
    </>
  );
}
