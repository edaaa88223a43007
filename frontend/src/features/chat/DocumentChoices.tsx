import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { documentQuery, searchQuery, sourceDocumentsQuery } from "@/api/queries/documents";
import { useSettled } from "@/ui/hooks";
import { Choice } from "./ScopeChoice";

interface DocumentChoicesProps {
  sourceIds: readonly string[];
  chosen: readonly string[];
  onChange: (id: string, on: boolean) => void;
}

interface Named {
  id: string;
  title: string;
}

const SHOWN = 30;
const SETTLE_MS = 250;

/** Single documents to look at. Where there are many, words find them: by title, and by what they hold. */
export function DocumentChoices({ sourceIds, chosen, onChange }: DocumentChoicesProps) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const { data, hasNextPage } = useInfiniteQuery({
    ...sourceDocumentsQuery(sourceIds[0] ?? "", false),
    enabled: sourceIds.length > 0,
  });
  const ready = useMemo(
    () => (data?.pages.flatMap((page) => page.items) ?? []).filter((item) => item.state === "ready"),
    [data],
  );
  const found = useFound(words, ready);
  const picked = usePicked(chosen, ready);
  const others = found.filter((item) => !chosen.includes(item.id));
  if (ready.length === 0) return null;
  return (
    <>
      <div className="border-t border-line my-[5px] -mx-[5px]" />
      <label className="px-1 pb-1 flex-none">
        <span className="sr-only">{t("chat.scope.findDocument")}</span>
        <input
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          placeholder={t("chat.scope.findDocument")}
          className="w-full h-8 max-sm:h-11 px-2.5 bg-paper border border-line-control rounded-sm text-sm placeholder:text-ink-3"
        />
      </label>
      <section className="grow min-h-0 overflow-y-auto" aria-label={t("chat.scope.documentsHeading")}>
        {[...picked, ...others.slice(0, SHOWN)].map((document) => (
          <Choice
            key={document.id}
            checked={chosen.includes(document.id)}
            onChange={(on) => onChange(document.id, on)}
          >
            {document.title}
          </Choice>
        ))}
        {others.length === 0 && words && (
          <p className="px-[9px] py-2 text-xs text-ink-3">{t("chat.scope.noDocument")}</p>
        )}
        {!words && (hasNextPage || others.length > SHOWN) && (
          <p className="px-[9px] py-2 text-xs text-ink-3">{t("chat.scope.moreDocuments")}</p>
        )}
      </section>
    </>
  );
}

/** The documents that the words name, then those that search finds for them. */
function useFound(words: string, ready: readonly Named[]): Named[] {
  const settled = useSettled(words.trim(), SETTLE_MS);
  const { data } = useQuery(searchQuery({ q: settled.length > 2 ? settled : "" }));
  if (!words.trim()) return [...ready];
  const wanted = words.trim().toLowerCase();
  const byTitle = ready.filter((item) => item.title.toLowerCase().includes(wanted));
  const byContent = (settled ? (data?.items ?? []) : []).map((hit) => ({
    id: hit.documentId,
    title: hit.title,
  }));
  return [...new Map([...byTitle, ...byContent].map((item) => [item.id, item])).values()];
}

/** The chosen documents stay in sight, also where no list at hand names them. */
function usePicked(chosen: readonly string[], ready: readonly Named[]): Named[] {
  const unknown = chosen.filter((id) => !ready.some((item) => item.id === id));
  const asked = useQueries({ queries: unknown.map((id) => documentQuery(id)) });
  const known = [...ready, ...asked.flatMap(({ data }) => (data ? [data] : []))];
  return chosen.flatMap((id) => known.find((item) => item.id === id) ?? []);
}
