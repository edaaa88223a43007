import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { EyeOff, Search } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type TableName, tablesQuery } from "@/api/queries/catalogue";
import type { CatalogueStatus, DatabaseConnection, TableSummary } from "@/api/types";
import { Button } from "@/ui/Button";
import { useSettled } from "@/ui/hooks";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { ErrorState } from "@/ui/States";
import { shortCount } from "./model/numbers";

interface TableListProps {
  connection: DatabaseConnection;
  status: CatalogueStatus;
  open: TableName | null;
  onPick: () => void;
}

const TYPING_MS = 150;

/** All tables of a database, found by name, description, synonym or column. The arrow keys go through them. */
export function TableList({ connection, status, open, onPick }: TableListProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const q = useSettled(words.trim(), TYPING_MS);
  const nav = useRef<HTMLElement>(null);
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    tablesQuery(connection.id, q, status.takenAt),
  );
  const tables = data?.pages.flatMap((page) => page.items);
  const manySchemas = new Set(tables?.map((table) => table.schema)).size > 1;
  return (
    <nav
      ref={nav}
      aria-label={t("databases.browser.tablesOf", { name: connection.name })}
      onKeyDown={(event) => moveFocus(event, nav.current)}
      className="flex flex-col min-h-0 grow p-2.5 gap-2"
    >
      <label className="flex-none flex items-center gap-2 h-8 max-sm:h-11 px-2.5 border border-line-control rounded-sm bg-raised focus-within:shadow-(--ring)">
        <Search size={14} className="text-ink-3" aria-hidden />
        <input
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          aria-label={t("databases.browser.find")}
          placeholder={t("databases.tables", { count: status.tableCount })}
          className="grow min-w-0 bg-transparent outline-none focus-visible:shadow-none placeholder:text-ink-3"
        />
      </label>
      {error && !tables && (
        <ErrorState title={t("databases.browser.listFailed")} error={error} onRetry={() => void refetch()} />
      )}
      {!error && !tables && <ListShapes />}
      {tables?.length === 0 && (
        <p role="status" className="px-2 py-1 text-ink-3 break-words">
          {t("databases.browser.noneFound", { q })}
        </p>
      )}
      {tables && (
        <ul className="grow min-h-0 overflow-y-auto -mx-1 px-1 py-1 -my-1">
          {tables.map((table) => (
            <li key={`${table.schema}.${table.name}`}>
              <TableLink
                table={table}
                current={open?.schema === table.schema && open.table === table.name}
                connectionId={connection.id}
                withSchema={manySchemas}
                onPick={onPick}
              />
            </li>
          ))}
          {hasNextPage && (
            <li>
              <MoreTables busy={isFetchingNextPage} onMore={() => void fetchNextPage()} scroller={nav} />
            </li>
          )}
        </ul>
      )}
    </nav>
  );
}

interface TableLinkProps {
  table: TableSummary;
  current: boolean;
  connectionId: string;
  withSchema: boolean;
  onPick: () => void;
}

function TableLink({ table, current, connectionId, withSchema, onPick }: TableLinkProps) {
  const { t, i18n } = useTranslation();
  const shown = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (current && shown.current) bringIntoList(shown.current);
  }, [current]);
  const inner = current ? "text-on-soft" : "text-ink-3";
  return (
    <Link
      to="/databases"
      search={({ tab, ...now }) => ({
        ...now,
        connection: connectionId,
        schema: table.schema,
        table: table.name,
        ...(tab && { tab }),
      })}
      resetScroll={false}
      onClick={onPick}
      data-table
      ref={shown}
      activeProps={{}}
      aria-current={current ? "true" : undefined}
      title={`${table.schema}.${table.name}`}
      className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 px-[9px] py-1.5 max-sm:py-2.5 rounded-sm no-underline hover:bg-hover focus-visible:shadow-(--ring-inset) ${current ? "bg-accent-soft" : ""}`}
    >
      <code
        className={`truncate text-[0.78125rem] leading-[1.45] ${current ? "text-on-soft font-strong" : ""}`}
      >
        {withSchema && <span className={inner}>{table.schema}.</span>}
        {table.name}
      </code>
      <span className={`text-[0.71875rem] tabular-nums inline-flex items-center gap-1 ${inner}`}>
        {!table.readable && <EyeOff size={12} aria-label={t("databases.columns.unreadable")} />}
        {table.rowEstimate !== null && shortCount(table.rowEstimate, i18n.language)}
      </span>
      {table.summary && (
        <small className={`col-span-2 truncate text-[0.71875rem] ${inner}`}>{table.summary}</small>
      )}
    </Link>
  );
}

interface MoreTablesProps {
  busy: boolean;
  onMore: () => void;
  scroller: RefObject<HTMLElement | null>;
}

/** Fetches the next tables as soon as the end of the list comes into sight. */
function MoreTables({ busy, onMore, scroller }: MoreTablesProps) {
  const { t } = useTranslation();
  const end = useRef<HTMLDivElement>(null);
  const more = useEffectEvent(() => {
    if (!busy) onMore();
  });
  useEffect(() => {
    const mark = end.current;
    if (!mark || typeof IntersectionObserver === "undefined") return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), {
      root: scroller.current?.querySelector("ul") ?? null,
    });
    watch.observe(mark);
    return () => watch.disconnect();
  }, [scroller]);
  return (
    <div ref={end} className="py-1">
      <Button size="sm" tone="quiet" busy={busy && t("common.loading")} onClick={onMore}>
        {t("databases.browser.more")}
      </Button>
    </div>
  );
}

/** Scrolls the list, and only the list, so that the open table is seen in it. */
function bringIntoList(link: HTMLElement): void {
  const list = link.closest("ul");
  if (!list) return;
  const above = link.getBoundingClientRect().top - list.getBoundingClientRect().top;
  const below = above + link.offsetHeight - list.clientHeight;
  if (above < 0 || below > 0) list.scrollTop += above - list.clientHeight / 3;
}

function moveFocus(event: KeyboardEvent, nav: HTMLElement | null): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !nav) return;
  const links = [...nav.querySelectorAll<HTMLElement>("a[data-table]")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at + step;
  event.preventDefault();
  if (next < 0) nav.querySelector("input")?.focus();
  else links[next]?.focus();
}

function ListShapes() {
  return (
    <Waiting>
      <div className="grid gap-5 px-2 pt-2">
        {[0, 1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className={row % 2 ? "w-3/5" : "w-4/5"} />
        ))}
      </div>
    </Waiting>
  );
}
