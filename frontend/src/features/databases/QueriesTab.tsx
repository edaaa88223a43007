import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { VerifiedQuery } from "@/api/types";
import { QueryState } from "./QueryState";

/** The verified queries that read one table. */
export function QueriesTab({ queries }: { queries: readonly VerifiedQuery[] }) {
  const { t } = useTranslation();
  if (queries.length === 0) {
    return <p className="px-4 py-3 text-ink-3">{t("databases.queries.noneForTable")}</p>;
  }
  return (
    <ul className="px-4">
      {queries.map((query) => (
        <li
          key={query.id}
          className="flex items-center justify-between gap-3 py-2 border-b border-line last:border-b-0"
        >
          <QueryLink query={query} />
          <QueryState query={query} />
        </li>
      ))}
    </ul>
  );
}

/** The question of a verified query; it opens the query. */
export function QueryLink({ query }: { query: VerifiedQuery }) {
  return (
    <Link
      to="/databases"
      search={(now) => ({ ...now, connection: query.databaseConnectionId, query: query.id })}
      resetScroll={false}
      activeProps={{}}
      className="font-medium no-underline hover:underline rounded-xs min-w-0 break-words"
    >
      {query.question}
    </Link>
  );
}
