import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ChevronsUpDown } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type TableName, tablesQuery } from "@/api/queries/catalogue";
import type { CatalogueStatus, DatabaseConnection } from "@/api/types";
import { Button } from "@/ui/Button";
import { useWiderThan } from "@/ui/hooks";
import { Sheet } from "@/ui/Sheet";
import { CatalogueAge } from "./CatalogueAge";
import { TableList } from "./TableList";
import { TablePanel } from "./TablePanel";

const route = getRouteApi("/shell/databases");

interface TableBrowserProps {
  connection: DatabaseConnection;
  status: CatalogueStatus;
}

/** The tables of a database beside the one that is open; on a narrow screen the list is a sheet. */
export function TableBrowser({ connection, status }: TableBrowserProps) {
  const { t } = useTranslation();
  const wide = useWiderThan("40rem");
  const [choosing, setChoosing] = useState(false);
  const open = useOpenTable(connection.id, status.takenAt);
  const list = (
    <TableList connection={connection} status={status} open={open} onPick={() => setChoosing(false)} />
  );
  return (
    <div className="mt-4 grid sm:grid-cols-[14.5rem_minmax(0,1fr)] sm:max-lg:grid-cols-[12.25rem_minmax(0,1fr)] border border-line rounded-md bg-raised overflow-hidden">
      {wide && (
        // The open table sets the height; the list scrolls in it.
        <div className="relative border-r border-line bg-paper min-h-[28rem]">
          <div className="absolute inset-0 flex flex-col">
            {list}
            <CatalogueAge connectionId={connection.id} status={status} />
          </div>
        </div>
      )}
      <section className="min-w-0 flex flex-col">
        {!wide && (
          <div className="p-4 pb-0">
            <Button
              className="w-full justify-between! font-mono"
              aria-haspopup="dialog"
              onClick={() => setChoosing(true)}
            >
              <span className="truncate">{open?.table ?? t("databases.browser.choose")}</span>
              <ChevronsUpDown size={14} aria-label={t("databases.browser.choose")} />
            </Button>
          </div>
        )}
        {open && <TablePanel key={`${open.schema}.${open.table}`} connection={connection} name={open} />}
      </section>
      {!wide && (
        <Sheet
          side="bottom"
          title={t("databases.browser.tablesOf", { name: connection.name })}
          open={choosing}
          onOpenChange={setChoosing}
        >
          <div className="flex flex-col min-h-0 max-h-[80dvh]">
            {list}
            <CatalogueAge connectionId={connection.id} status={status} />
          </div>
        </Sheet>
      )}
    </div>
  );
}

/** The table that the address names, else the first one. */
function useOpenTable(connectionId: string, takenAt: string | null): TableName | null {
  const { schema, table } = route.useSearch();
  const { data } = useInfiniteQuery(tablesQuery(connectionId, "", takenAt));
  if (schema && table) return { schema, table };
  const first = data?.pages[0]?.items[0];
  return first ? { schema: first.schema, table: first.name } : null;
}
