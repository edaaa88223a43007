import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Citation, Turn } from "@/api/generated";
import { documentTextQuery } from "@/api/queries/documents";
import { toUtf16Ranges } from "@/lib/ranges";
import { Markdown } from "@/ui/reader/Markdown";
import { CitationState } from "./CitationState";
import { citedRanges, statementsOf } from "./model/passage";
import { answerText } from "./model/turn";
import { OpenDocumentLink } from "./OpenDocumentLink";
import { RailCard } from "./RailCard";
import { SourceAge } from "./SourceAge";

interface RailCitationProps {
  chatId: string;
  turn: Turn;
  citation: Citation;
  open: boolean;
}

/** One citation in the rail: closed a line, open with its surroundings and the cited words marked. */
export function RailCitation({ chatId, turn, citation, open }: RailCitationProps) {
  const { t, i18n } = useTranslation();
  const path = citation.headingPath.filter((part) => part !== citation.title).join(" › ");
  const similarity = citation.similarityScore !== null && (
    <span className="text-2xs text-ink-3 tabular-nums flex-none mt-0.5" title={t("chat.rail.similarity")}>
      <span className="sr-only">{t("chat.rail.similarity")} </span>
      {new Intl.NumberFormat(i18n.language, {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      }).format(citation.similarityScore)}
    </span>
  );
  return (
    <RailCard
      chatId={chatId}
      turnId={turn.id}
      mark={citation.index}
      kind="citation"
      title={citation.title}
      about={
        <>
          {path && <span className="block text-xs text-ink-3 mt-0.5">{path}</span>}
          <CitationState citation={citation} />
        </>
      }
      aside={similarity}
      open={open}
    >
      <Leaf turn={turn} citation={citation} />
      <footer className="flex items-center justify-between gap-2 pl-3 pr-2 py-2 border-t border-line text-xs text-ink-3">
        <SourceAge citation={citation} />
        <OpenDocumentLink turn={turn} citation={citation} />
      </footer>
    </RailCard>
  );
}

/** The words as they were cited; from the document itself, rendered, as long as it is the one that was read. */
function Leaf({ turn, citation }: { turn: Turn; citation: Citation }) {
  const current = citation.documentState === "current" || citation.documentState === undefined;
  const { data } = useQuery({ ...documentTextQuery(citation.documentId), enabled: current });
  const box = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => {
    const [range] = data ? toUtf16Ranges(data.text, [citation.range]) : [];
    return data && range ? data.text.slice(range.start, range.end) : citation.text;
  }, [data, citation]);
  const marks = useMemo(
    () => citedRanges(shown, statementsOf(answerText(turn), citation.index)),
    [shown, turn, citation.index],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marked words move when the text comes
  useEffect(() => {
    const mark = box.current?.querySelector("mark");
    if (box.current && mark)
      box.current.scrollTop = Math.max(0, mark.offsetTop - box.current.clientHeight / 3);
  }, [shown]);
  return (
    <div ref={box} className="leaf relative">
      <div className="read">
        <Markdown text={shown} marks={marks} />
      </div>
    </div>
  );
}
