import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, CircleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { sourceName, sourcesQuery } from "@/api/queries/sources";
import type { SearchResults } from "@/api/types";
import { cx } from "@/lib/cx";
import { Menu, MenuChoice } from "@/ui/Menu";
import { searchAddress } from "./address";

interface FiltersProps {
  q: string;
  source: string | undefined;
  type: string | undefined;
  results: (SearchResults & { milliseconds: number }) | undefined;
}

const CHIP =
  "inline-flex items-center gap-1.5 h-7 max-sm:h-9 px-2.5 border rounded-full text-xs font-medium whitespace-nowrap";
const TYPES = ["markdown", "text", "csv", "json", "html"] as const;

/** Narrows a search to one source or one kind of document; tells how much was found and how fast. */
export function Filters({ q, source, type, results }: FiltersProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useQuery(sourcesQuery);
  const set = (change: { source?: string | undefined; type?: string | undefined }) =>
    void navigate({ to: "/search", search: searchAddress({ q, source, type, ...change }), replace: true });
  const sources = (data?.items ?? []).map((one) => ({
    value: one.id,
    label: sourceName(one, t("sources.uploads")),
  }));
  const types = TYPES.map((value) => ({ value: value as string, label: t(`search.types.${value}`) }));
  return (
    <div className="flex flex-wrap items-center gap-2 mt-3 mb-3 min-h-7">
      <Filter
        name={t("search.source")}
        value={source}
        options={sources}
        onChange={(value) => set({ source: value })}
      />
      <Filter
        name={t("search.type")}
        value={type}
        options={types}
        onChange={(value) => set({ type: value })}
      />
      {results && <Counts results={results} />}
      {(results?.dense === "unavailable" || results?.dense === "none") && (
        <p className="flex items-center gap-1.5 text-xs text-warn basis-full">
          <CircleAlert size={14} aria-hidden />
          {t("search.wordsOnly")}
        </p>
      )}
    </div>
  );
}

function Counts({ results }: { results: SearchResults & { milliseconds: number } }) {
  const { t } = useTranslation();
  const documents = new Set(results.items.map((hit) => hit.documentId)).size;
  return (
    <p role="status" className="ml-auto text-xs text-ink-3 tabular-nums">
      {t("search.results", {
        count: results.items.length,
        documents: t("search.documents", { count: documents }),
      })}
      {" · "}
      {t("search.milliseconds", { count: results.milliseconds })}
    </p>
  );
}

interface FilterProps {
  name: string;
  value: string | undefined;
  options: { value: string; label: ReactNode }[];
  onChange: (value: string | undefined) => void;
}

function Filter({ name, value, options, onChange }: FilterProps) {
  const { t } = useTranslation();
  const chosen = options.find((option) => option.value === value);
  if (chosen) {
    return (
      <button
        type="button"
        aria-label={t("search.removeFilter", { name: String(chosen.label) })}
        onClick={() => onChange(undefined)}
        className={cx(CHIP, "bg-accent-soft border-accent-line text-on-soft")}
      >
        {chosen.label}
        <X size={14} aria-hidden />
      </button>
    );
  }
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={cx(CHIP, "border-line-strong text-ink-2 hover:bg-hover")}>
          {name}
          <ChevronDown size={14} aria-hidden />
        </button>
      }
    >
      <MenuChoice value="" options={options} onChange={onChange} />
    </Menu>
  );
}
