import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { verifiedQueriesQuery } from "@/api/queries/verifiedQueries";
import type { DatabaseConnection, VerifiedQuery } from "@/api/types";
import { buttonClass } from "@/ui/Button";
import { ErrorState } from "@/ui/States";
import { Time } from "@/ui/Time";
import { VerifiedQueryDialog } from "./layers";
import { QueryLink } from "./QueriesTab";
import { QueryState } from "./QueryState";
import { useMay } from "./useMay";

const route = getRouteApi("/shell/databases");
const HEAD = "px-3 py-[7px] text-left text-xs font-medium text-ink-2 whitespace-nowrap";
const CELL = "px-3 py-[7px] align-top";

/** Questions whose SQL a person has checked, and whether it still fits the tables. */
export function VerifiedQueries({ connection }: { connection: DatabaseConnection }) {
  const { t } = useTranslation();
  const { write } = useMay();
  const { query: open } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(verifiedQueriesQuery(connection.id));
  const opened = data?.items.find((one) => one.id === open);
  const close = () =>
    void navigate({ search: ({ query: _query, ...rest }) => rest, replace: true, resetScroll: false });
  return (
    <section className="mt-7">
      <div className="flex flex-wrap items-center gap-x-2 mb-2.5">
        <h2 className="font-strong text-md">{t("databases.queries.title")}</h2>
        <span className="text-xs text-ink-3">{t("databases.queries.lead")}</span>
        {write && (
          <Link
            to="/databases"
            search={(now) => ({ ...now, connection: connection.id, query: "new" })}
            resetScroll={false}
            className={`${buttonClass("quiet", "sm")} ml-auto`}
          >
            <Plus size={14} aria-hidden />
            {t("databases.queries.add")}
          </Link>
        )}
      </div>
      {error && !data && (
        <ErrorState title={t("databases.queries.failed")} error={error} onRetry={() => void refetch()} />
      )}
      {data?.items.length === 0 && <p className="text-ink-3">{t("databases.queries.none")}</p>}
      {data && data.items.length > 0 && <QueryTable queries={data.items} />}
      {(opened || open === "new") && (
        <VerifiedQueryDialog
          key={open}
          connection={connection}
          {...(opened && { query: opened })}
          onClose={close}
        />
      )}
    </section>
  );
}

function QueryTable({ queries }: { queries: readonly VerifiedQuery[] }) {
  const { t } = useTranslation();
  return (
    <div className="bg-raised border border-line rounded-md shadow-page overflow-hidden">
      <table className="w-full border-collapse tabular-nums">
        <thead className="bg-sunken border-b border-line">
          <tr>
            <th scope="col" className={HEAD}>
              {t("databases.queries.question")}
            </th>
            <th scope="col" className={`${HEAD} max-md:hidden`}>
              {t("databases.queries.tables")}
            </th>
            <th scope="col" className={`${HEAD} max-sm:hidden`}>
              {t("databases.queries.by")}
            </th>
            <th scope="col" className={HEAD}>
              {t("databases.queries.state")}
            </th>
          </tr>
        </thead>
        <tbody>
          {queries.map((query) => (
            <tr key={query.id} className="border-b border-line last:border-b-0 hover:bg-hover">
              <td className={CELL}>
                <QueryLink query={query} />
              </td>
              <td className={`${CELL} max-md:hidden max-w-[15rem]`}>
                <code className="break-words text-ink-2">
                  {query.tables.map((name) => name.replace(/^public\./, "")).join(", ")}
                </code>
              </td>
              <td className={`${CELL} max-sm:hidden text-ink-2`}>
                {query.createdByName ?? t("databases.queries.unknownPerson")}, <Time iso={query.updatedAt} />
              </td>
              <td className={`${CELL} w-[11rem] max-sm:w-[8rem]`}>
                <QueryState query={query} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
