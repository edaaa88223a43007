import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Citation } from "@/api/generated";
import { splitAtRanges } from "@/lib/ranges";
import { HoverCard } from "@/ui/HoverCard";
import { citationOf, useCitations } from "./CitationContext";
import { citedWords, statementOf } from "./model/passage";
import { answerText } from "./model/turn";
import { SourceAge } from "./SourceAge";

/** The mark [n] in an answer: a link that opens the citation beside it, with a card on hover. */
export function CitationChip({ number }: { number: number }) {
  const { t } = useTranslation();
  const { chatId, turn, open } = useCitations();
  const citation = citationOf(turn, number);
  if (!citation || !turn) return <span className="mark">{number}</span>;
  const old = citation.documentState === "changed" || citation.documentState === "removed";
  const link = (
    <Link
      to="/chat/$chatId"
      params={{ chatId }}
      search={{ turn: turn.id, citation: number }}
      resetScroll={false}
      id={`mark-${turn.id}-${number}`}
      aria-label={t("chat.citation.name", { number, title: citation.title })}
      aria-current={open === number}
      className={old ? "mark is-old" : "mark"}
    >
      {number}
    </Link>
  );
  return (
    <HoverCard trigger={link}>
      <CitationCard citation={citation} statement={statementOf(answerText(turn), number)} />
    </HoverCard>
  );
}

function CitationCard({ citation, statement }: { citation: Citation; statement: string }) {
  const { t } = useTranslation();
  const words = citedWords(citation.text, statement);
  return (
    <>
      <div className="flex items-center gap-2">
        <span className="mark m-0">{citation.index}</span>
        <b className="font-strong truncate">{citation.title}</b>
      </div>
      {citation.headingPath.length > 0 && (
        <p className="text-xs text-ink-3 mt-1">{citation.headingPath.join(" › ")}</p>
      )}
      <blockquote className="font-read text-sm leading-read border-l-[3px] border-marker-edge pl-3 my-2.5 line-clamp-5">
        {splitAtRanges(citation.text, [words])
          .slice(-2)
          .map((piece) =>
            piece.marked ? (
              <mark key="words" className="bg-marker text-on-marker">
                {piece.text}
              </mark>
            ) : (
              <span key={piece.text.slice(0, 24)}>{piece.text}</span>
            ),
          )}
      </blockquote>
      <div className="flex items-center justify-between gap-3 text-xs text-ink-3">
        <SourceAge citation={citation} />
        <Link
          to="/documents/$documentId"
          params={{ documentId: citation.documentId }}
          search={{ start: citation.range.start, end: citation.range.end }}
          className="font-medium text-accent"
        >
          {t("chat.citation.open")}
        </Link>
      </div>
    </>
  );
}
