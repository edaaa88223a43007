import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { documentChunksQuery } from "@/api/queries/documents";
import type { DocumentChunk, DocumentText, SourceDocument } from "@/api/types";
import { splitAtRanges, type TextRange, toUtf16Ranges } from "@/lib/ranges";
import { Button } from "@/ui/Button";
import { ErrorState } from "@/ui/States";
import { goToMark } from "./goToMark";
import { DocumentShapes } from "./states";

interface ChunkListProps {
  document: SourceDocument;
  text: DocumentText;
  range: TextRange | null;
}

const KINDS = ["heading", "paragraph", "list", "table", "code", "quote", "html", "definition"] as const;
type Kind = (typeof KINDS)[number];

/** What the product read of the document, cut into the chunks that are searched. */
export function ChunkList({ document, text, range }: ChunkListProps) {
  const { t } = useTranslation();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    documentChunksQuery(document.id, document.lastIndexedAt),
  );
  const chunks = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const cited = range && text.ranges.find((one) => one.start < range.end && one.end > range.start);
  const reached = cited ? chunks.some((chunk) => chunk.id === cited.chunkId) : true;
  const shown = useRef(false);
  useEffect(() => {
    if (!reached && hasNextPage && !isFetchingNextPage) void fetchNextPage();
    if (reached && chunks.length > 0 && !shown.current) shown.current = goToMark();
  }, [reached, hasNextPage, isFetchingNextPage, fetchNextPage, chunks]);
  if (error) {
    return (
      <div className="p-6">
        <ErrorState title={t("documents.loadFailed")} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) return <DocumentShapes />;
  return (
    <section
      data-document
      aria-label={t("documents.text")}
      tabIndex={0}
      className="grow min-h-0 overflow-y-auto bg-desk px-10 py-6 max-md:px-5 max-sm:px-3 max-sm:py-3"
    >
      <p className="max-w-[52rem] mx-auto mb-4 text-ink-2">
        {t("documents.chunkLead", { count: document.chunkCount })}
      </p>
      <ol className="grid gap-3 max-w-[52rem] mx-auto">
        {chunks.map((chunk) => (
          <Chunk key={chunk.id} chunk={chunk} range={range} />
        ))}
      </ol>
      {hasNextPage && (
        <div className="max-w-[52rem] mx-auto mt-4">
          <Button busy={isFetchingNextPage && t("common.loading")} onClick={() => void fetchNextPage()}>
            {t("documents.moreChunks")}
          </Button>
        </div>
      )}
    </section>
  );
}

function Chunk({ chunk, range }: { chunk: DocumentChunk; range: TextRange | null }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const pieces = useMemo(() => splitAtRanges(chunk.text, citedWithin(chunk, range)), [chunk, range]);
  const kind = KINDS.find((one) => one === chunk.kind) as Kind | undefined;
  return (
    <li className="bg-raised border border-line rounded-md shadow-page [content-visibility:auto] [contain-intrinsic-size:auto_12rem]">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5 border-b border-line text-xs text-ink-3 tabular-nums">
        <h2 className="text-sm font-strong text-ink">
          {t("documents.chunk", { number: chunk.chunkIndex + 1 })}
        </h2>
        <span className="min-w-0">{chunk.headingPath.join(" › ")}</span>
        <span className="ml-auto flex flex-wrap gap-x-3">
          {kind && <span>{t(`documents.kinds.${kind}`)}</span>}
          <span>{t("documents.tokens", { count: chunk.tokenCount })}</span>
          <span title={t("documents.rangeHelp")}>
            {number.format(chunk.range.start)}–{number.format(chunk.range.end)}
          </span>
        </span>
      </header>
      <p className="px-4 py-3 font-mono text-xs leading-[1.65] whitespace-pre-wrap break-words">
        {pieces.map((piece, index) =>
          piece.marked ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a fixed text have no other name
            <mark key={index} className="scroll-mt-[30vh]">
              {piece.text}
            </mark>
          ) : (
            piece.text
          ),
        )}
      </p>
    </li>
  );
}

/** The cited words inside a chunk. A chunk that repeats a table's head is no plain part of the text: all of it counts. */
function citedWithin(chunk: DocumentChunk, range: TextRange | null): TextRange[] {
  if (!range || range.start >= chunk.range.end || range.end <= chunk.range.start) return [];
  const plain = [...chunk.text].length === chunk.range.end - chunk.range.start;
  if (!plain) return [{ start: 0, end: chunk.text.length }];
  return toUtf16Ranges(chunk.text, [
    { start: Math.max(0, range.start - chunk.range.start), end: range.end - chunk.range.start },
  ]);
}
