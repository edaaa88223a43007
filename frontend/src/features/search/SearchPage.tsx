import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Search as SearchIcon, SearchX, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { searchQuery } from "@/api/queries/documents";
import { Button, IconButton } from "@/ui/Button";
import { usePageTitle, useSettled, useShortcut, useWiderThan } from "@/ui/hooks";
import { NarrowBar } from "@/ui/Page";
import { EmptyState, ErrorState } from "@/ui/States";
import { searchAddress } from "./address";
import { Filters } from "./Filters";
import { HitShapes } from "./Hit";
import { HitList } from "./HitList";
import { Preview } from "./Preview";

const route = getRouteApi("/shell/search");
const TYPING_MS = 250;

/** Finds passages in the documents; the address holds words and filters. */
export function SearchPage() {
  const { t } = useTranslation();
  const { q = "", source, type } = route.useSearch();
  const navigate = useNavigate();
  const [text, setText] = useState(q);
  const [selected, setSelected] = useState(0);
  const settled = useSettled(text, TYPING_MS);
  const found = useQuery(searchQuery({ q, sourceId: source, type }));
  const hits = found.data?.items ?? [];
  const input = useRef<HTMLInputElement>(null);
  const previewShown = useWiderThan("75rem");
  const hit = hits[Math.min(selected, hits.length - 1)];
  usePageTitle(q ? `${q} · ${t("search.title")}` : t("search.title"));
  useShortcut("/", () => input.current?.select());

  useEffect(() => {
    if (settled.trim() === q) return;
    setSelected(0);
    void navigate({
      to: "/search",
      search: searchAddress({ q: settled.trim(), source, type }),
      replace: q !== "",
    });
  }, [settled, q, source, type, navigate]);

  const open = (index: number) => {
    const one = hits[index];
    if (!one) return;
    void navigate({
      to: "/documents/$documentId",
      params: { documentId: one.documentId },
      search: { start: one.range.start, end: one.range.end },
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length > 0) {
      event.preventDefault();
      setSelected(Math.max(0, Math.min(selected + step, hits.length - 1)));
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      void navigate({ to: "/", search: { ask: text.trim() } });
    } else if (event.key === "Enter" && settled.trim() === text.trim()) open(selected);
  };

  return (
    <>
      <NarrowBar title={t("search.title")} />
      <div className="grow min-h-0 flex">
        <section aria-label={t("search.title")} className="grow min-w-0 overflow-y-auto">
          <div className="max-w-[48.5rem] mx-auto px-7 pt-5 pb-10 max-sm:px-3.5 max-sm:pt-3">
            <h1 className="sr-only">{t("search.title")}</h1>
            <search className="relative flex items-center">
              <SearchIcon size={18} className="absolute left-4 text-ink-2" aria-hidden />
              <input
                ref={input}
                // biome-ignore lint/a11y/noAutofocus: the page is its search field
                autoFocus
                type="search"
                value={text}
                aria-label={t("search.label")}
                aria-controls="hits"
                placeholder={t("search.placeholder")}
                onChange={(event) => setText(event.target.value)}
                onKeyDown={onKeyDown}
                className="w-full h-[46px] pl-[42px] pr-11 bg-raised border border-line-control rounded-md text-lg placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
              />
              {text && (
                <IconButton
                  size="sm"
                  label={t("search.clear")}
                  icon={<X size={16} aria-hidden />}
                  className="absolute right-2"
                  onClick={() => {
                    setText("");
                    input.current?.focus();
                  }}
                />
              )}
            </search>
            <Filters q={q} source={source} type={type} results={q ? found.data : undefined} />
            <div id="hits">
              {!q && <Start />}
              {q && found.isPending && <HitShapes />}
              {found.error && (
                <ErrorState
                  title={t("search.failed")}
                  error={found.error}
                  onRetry={() => void found.refetch()}
                />
              )}
              {q && found.data && hits.length === 0 && (
                <Nothing q={q} filters={Number(!!source) + Number(!!type)} />
              )}
              {q && hits.length > 0 && (
                <HitList hits={hits} selected={selected} onSelect={setSelected} onOpen={open} />
              )}
            </div>
          </div>
        </section>
        {previewShown && hit && q && <Preview key={hit.chunkId} q={q} hit={hit} hits={hits} />}
      </div>
    </>
  );
}

function Start() {
  const { t } = useTranslation();
  return (
    <div className="mt-4">
      <h2 className="font-read font-medium text-2xl tracking-[-0.015em]">{t("search.start.title")}</h2>
      <p className="text-md text-ink-2 mt-2 max-w-[60ch]">{t("search.start.detail")}</p>
    </div>
  );
}

function Nothing({ q, filters }: { q: string; filters: number }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={t("search.none.title", { q })}
      actions={
        <>
          {filters > 0 && (
            <Button onClick={() => void navigate({ to: "/search", search: { q } })}>
              {t("search.none.removeFilters")}
            </Button>
          )}
          <Button onClick={() => void navigate({ to: "/", search: { ask: q } })}>
            {t("search.none.ask")}
          </Button>
        </>
      }
    >
      {filters > 0 ? t("search.none.filters", { count: filters }) : t("search.none.detail")}
    </EmptyState>
  );
}
