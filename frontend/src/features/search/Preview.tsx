import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { documentTextQuery } from "@/api/queries/documents";
import type { SearchHit } from "@/api/types";
import type { TextRange } from "@/lib/ranges";
import { surroundings } from "@/lib/surroundings";
import { buttonClass } from "@/ui/Button";
import { Kbd } from "@/ui/Kbd";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { ErrorState } from "@/ui/States";
import { Tile } from "@/ui/Tile";
import { Time } from "@/ui/Time";
import { headingPath, plainSnippet } from "./plainSnippet";

const Reader = lazy(() => import("@/ui/reader/Reader").then((module) => ({ default: module.Reader })));
const NEAR = 1600;

/** The selected passage in its document, beside the list. */
export function Preview({ q, hit, hits }: { q: string; hit: SearchHit; hits: readonly SearchHit[] }) {
  const { t } = useTranslation();
  const others = hits.filter((one) => one.documentId === hit.documentId && one.chunkId !== hit.chunkId);
  return (
    <aside
      aria-label={hit.title}
      className="w-[25rem] flex-none bg-desk border-l border-line flex flex-col overflow-y-auto px-5 py-4"
    >
      <header className="flex items-center gap-3">
        <Tile>{hit.provider === "upload" ? "F" : hit.provider.slice(0, 1).toUpperCase()}</Tile>
        <div className="min-w-0">
          <h2 className="font-strong truncate">{hit.title}</h2>
          <p className="text-xs text-ink-3 truncate">
            {hit.author && `${hit.author} · `}
            <Time iso={hit.updatedAt} />
          </p>
        </div>
      </header>
      <Passage hit={hit} />
      {others.length > 0 && (
        <section className="mt-4">
          <h3 className="caps mb-1">{t("search.alsoIn")}</h3>
          <ul>
            {others.map((one) => (
              <li key={one.chunkId} className="border-b border-line">
                <Link
                  to="/documents/$documentId"
                  params={{ documentId: one.documentId }}
                  search={{ start: one.range.start, end: one.range.end }}
                  className="block py-2 no-underline hover:underline truncate"
                >
                  {headingPath(one) || plainSnippet(one.snippet, []).text.slice(0, 80)}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="flex items-center gap-2 mt-4">
        <Link to="/" search={{ ask: q }} className={buttonClass("plain", "sm")}>
          {t("search.ask")}
        </Link>
        <Link
          to="/documents/$documentId"
          params={{ documentId: hit.documentId }}
          search={{ start: hit.range.start, end: hit.range.end }}
          className={buttonClass("quiet", "sm")}
        >
          {t("search.open")} <ArrowUpRight size={14} aria-hidden />
        </Link>
      </div>
      <p className="mt-auto pt-6 flex gap-4 text-xs text-ink-3">
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t("search.keyMove")}
        </span>
        <span>
          <Kbd>↵</Kbd> {t("search.keyOpen")}
        </span>
        <span>
          <Kbd>Ctrl ↵</Kbd> {t("search.keyAsk")}
        </span>
      </p>
    </aside>
  );
}

function Passage({ hit }: { hit: SearchHit }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(documentTextQuery(hit.documentId));
  const near = useMemo(() => data && surroundings(data.text, hit.range, NEAR), [data, hit.range]);
  const ranges = useMemo(() => (near ? [near.range] : []), [near]);
  if (error) {
    return <ErrorState title={t("search.previewFailed")} error={error} onRetry={() => void refetch()} />;
  }
  const shapes = (
    <Waiting>
      <div className="grid gap-3">
        <Skeleton className="w-1/3 h-4" />
        <Skeleton />
        <Skeleton />
        <Skeleton className="w-3/5" />
      </div>
    </Waiting>
  );
  return (
    <div
      data-preview
      className="bg-raised border border-line rounded-sm shadow-page mt-4 px-5 py-4 min-h-40 max-h-[56vh] overflow-y-auto [&_mark]:scroll-mt-16 [&_.read]:text-md [&_.read_h1]:text-xl [&_.read_h2]:text-lg"
    >
      {near ? (
        <Suspense fallback={shapes}>
          <Reader type={hit.type === "csv" ? "text" : hit.type} text={near.text} ranges={ranges} />
          <AtMark ranges={ranges} />
        </Suspense>
      ) : (
        shapes
      )}
    </div>
  );
}

/** Brings the passage into view once the reader, which is loaded late, has drawn it. */
function AtMark({ ranges }: { ranges: readonly TextRange[] }) {
  useEffect(() => {
    if (ranges.length > 0) document.querySelector("[data-preview] mark")?.scrollIntoView({ block: "start" });
  }, [ranges]);
  return null;
}
