import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { EyeOff, MessageCircleQuestionMark, Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { sampleQuery, type TableName, tableQuery } from "@/api/queries/catalogue";
import { verifiedQueriesQuery } from "@/api/queries/verifiedQueries";
import type { DatabaseConnection, TableDetail } from "@/api/types";
import { buttonClass, IconButton } from "@/ui/Button";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { EmptyState, ErrorState } from "@/ui/States";
import { Tabs } from "@/ui/Tabs";
import { ColumnsTab } from "./ColumnsTab";
import { DocumentsTab } from "./DocumentsTab";
import { DescribeDialog, SampleTab } from "./layers";
import { numberDocuments, readsTable } from "./model/tables";
import { NoteMarks } from "./NoteMark";
import { QueriesTab } from "./QueriesTab";
import { TableFacts } from "./TableFacts";
import { useMay } from "./useMay";

const route = getRouteApi("/shell/databases");

interface TablePanelProps {
  connection: DatabaseConnection;
  name: TableName;
}

/** One table: keys and references, what people and documents say of it, its columns, rows, queries and mentions. */
export function TablePanel({ connection, name }: TablePanelProps) {
  const { t } = useTranslation();
  const { data: table, error, refetch } = useQuery(tableQuery(connection.id, name));
  if (error && "status" in error && error.status === 404) {
    return (
      <div className="p-4">
        <EmptyState icon={<EyeOff aria-hidden />} title={t("databases.browser.gone")}>
          {t("databases.browser.goneDetail")}
        </EmptyState>
      </div>
    );
  }
  if (error && !table) {
    return (
      <div className="p-4">
        <ErrorState title={t("databases.browser.loadFailed")} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!table) return <PanelShapes />;
  return <LoadedTable connection={connection} table={table} />;
}

function LoadedTable({ connection, table }: { connection: DatabaseConnection; table: TableDetail }) {
  const { t } = useTranslation();
  const { tab = "columns" } = route.useSearch();
  const navigate = route.useNavigate();
  const name = { schema: table.schema, table: table.name };
  const { data: queries } = useQuery(verifiedQueriesQuery(connection.id));
  const { data: sample } = useQuery({ ...sampleQuery(connection.id, name), enabled: false });
  const numbers = numberDocuments(table);
  const reading = queries?.items.filter((query) => readsTable(query.tables, table)) ?? [];
  const mentions = table.notes.length + table.columns.reduce((sum, one) => sum + one.notes.length, 0);
  const panel = (children: ReactNode) => <div className="pb-2 min-h-[14rem]">{children}</div>;
  return (
    <>
      <TableHead connection={connection} table={table} numbers={numbers} />
      <Tabs
        label={t("databases.browser.tabs", { table: table.name })}
        value={tab}
        onChange={(value) =>
          void navigate({
            search: (now) => ({ ...now, connection: connection.id, ...name, tab: value as typeof tab }),
            replace: true,
            resetScroll: false,
          })
        }
        tabs={[
          {
            value: "columns",
            label: t("databases.browser.columns"),
            count: table.columns.length,
            panel: panel(<ColumnsTab connection={connection} table={table} numbers={numbers} />),
          },
          {
            value: "sample",
            label: t("databases.browser.sample"),
            ...(sample && { count: sample.rows.length }),
            panel: panel(tab === "sample" && <SampleTab connectionId={connection.id} table={table} />),
          },
          {
            value: "queries",
            label: t("databases.browser.queries"),
            ...(queries && { count: reading.length }),
            panel: panel(<QueriesTab queries={reading} />),
          },
          {
            value: "documents",
            label: t("databases.browser.documents"),
            count: mentions,
            panel: panel(<DocumentsTab connectionId={connection.id} table={table} />),
          },
        ]}
      />
    </>
  );
}

interface TableHeadProps {
  connection: DatabaseConnection;
  table: TableDetail;
  numbers: ReadonlyMap<string, number>;
}

function TableHead({ connection, table, numbers }: TableHeadProps) {
  const { t } = useTranslation();
  const { write } = useMay();
  const [describing, setDescribing] = useState(false);
  const said = table.description ?? table.comment;
  const best = table.notes[0];
  return (
    <header className="px-4 pt-3.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="font-mono font-strong text-[1.0625rem] leading-[1.2] break-all">{table.name}</h2>
        <TableFacts table={table} connectionId={connection.id} />
        <span className="ml-auto flex items-center gap-1.5">
          {write && (
            <IconButton
              size="sm"
              label={t("databases.columns.edit", { name: table.name })}
              icon={<Pencil size={14} aria-hidden />}
              onClick={() => setDescribing(true)}
            />
          )}
          <Link
            to="/"
            search={{ draft: t("databases.browser.question", { table: table.name, name: connection.name }) }}
            className={buttonClass("plain", "sm")}
          >
            <MessageCircleQuestionMark size={14} aria-hidden />
            {t("databases.browser.ask")}
          </Link>
        </span>
      </div>
      {(said || best) && (
        <p className="font-read text-[0.90625rem] leading-normal mt-2 max-w-[68ch]">
          {said ?? best?.quote} <NoteMarks notes={table.notes} numbers={numbers} />
        </p>
      )}
      {table.synonyms.length > 0 && (
        <p className="text-xs text-ink-3 mt-1">
          {t("databases.columns.also", { names: table.synonyms.join(t("common.and")) })}
        </p>
      )}
      {!table.readable && (
        <p className="flex items-center gap-1.5 text-warn text-xs mt-2">
          <EyeOff size={14} aria-hidden />
          {t("databases.browser.unreadable")}
        </p>
      )}
      <div className="h-2" />
      {describing && (
        <DescribeDialog
          connection={connection}
          table={table}
          column={null}
          onClose={() => setDescribing(false)}
        />
      )}
    </header>
  );
}

function PanelShapes() {
  return (
    <Waiting>
      <div className="grid gap-6 p-4">
        <Skeleton className="w-32 h-4" />
        <Skeleton className="w-72" />
        <Skeleton className="w-4/5" />
        <Skeleton className="w-3/5" />
      </div>
    </Waiting>
  );
}
