import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { TableDetail } from "@/api/types";
import { longCount } from "./model/numbers";

/** Rows, keys and references of a table, in one line; the tables it is tied to are links. */
export function TableFacts({ table, connectionId }: { table: TableDetail; connectionId: string }) {
  const { t, i18n } = useTranslation();
  const count = table.rowEstimate;
  const facts: { key: string; shown: ReactNode }[] = [];
  if (table.kind !== "table") facts.push({ key: "kind", shown: t(`databases.browser.kinds.${table.kind}`) });
  if (count !== null) {
    const rows = longCount(count, i18n.language);
    facts.push({ key: "rows", shown: t("databases.rows", { count, rows }) });
  }
  if (table.partitions.length > 0) {
    facts.push({
      key: "parts",
      shown: t("databases.browser.partitions", { count: table.partitions.length }),
    });
  }
  if (table.primaryKey.length > 0) {
    facts.push({
      key: "key",
      shown: (
        <>
          {t("databases.browser.key")} <code>{table.primaryKey.join(", ")}</code>
        </>
      ),
    });
  }
  for (const [key, references] of [
    ["refersTo", table.foreignKeys],
    ["referredBy", table.referencedBy],
  ] as const) {
    const names = [...new Map(references.map((one) => [`${one.schema}.${one.table}`, one])).values()];
    if (names.length === 0) continue;
    facts.push({
      key,
      shown: (
        <>
          {t(`databases.browser.${key}`)}{" "}
          {names.map((one, index) => (
            <Fragment key={`${one.schema}.${one.table}`}>
              {index > 0 && ", "}
              <Link
                to="/databases"
                search={{ connection: connectionId, schema: one.schema, table: one.table }}
                resetScroll={false}
                activeProps={{}}
                className="no-underline hover:underline rounded-xs"
              >
                <code>{one.table}</code>
              </Link>
            </Fragment>
          ))}
        </>
      ),
    });
  }
  return (
    <p className="text-xs text-ink-3 tabular-nums">
      {facts.map(({ key, shown }, index) => (
        <Fragment key={key}>
          {index > 0 && " · "}
          {shown}
        </Fragment>
      ))}
    </p>
  );
}
