import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Citation, Turn } from "@/api/generated";
import { HoverCard } from "@/ui/HoverCard";
import { citationOf, useCitations } from "./CitationContext";
import { CitationState } from "./CitationState";
import { citedWords, quoteOf, statementsOf } from "./model/passage";
import { answerText } from "./model/turn";
import { OpenDocumentLink } from "./OpenDocumentLink";
import { SourceAge } from "./SourceAge";

/** The mark [n] in an answer: a link that opens the citation beside it, with a card on hover. */
export function CitationChip({ number, occurrence }: { number: number; occurrence: number }) {
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
      data-citation={`${turn.id}:${number}`}
      aria-label={t("chat.citation.name", { number, title: citation.title })}
      aria-current={open === number}
      className={old ? "mark is-old" : "mark"}
    >
      {number}
    </Link>
  );
  return (
    <HoverCard trigger={link}>
      <CitationCard turn={turn} citation={citation} occurrence={occurrence} />
    </HoverCard>
  );
}

interface CitationCardProps {
  turn: Turn;
  citation: Citation;
  /** Which of the sentences that cite it the mark stands in, counted from zero. */
  occurrence: number;
}

function CitationCard({ turn, citation, occurrence }: CitationCardProps) {
  const statement = statementsOf(answerText(turn), citation.index)[occurrence] ?? "";
  const quote = quoteOf(citation.text, citedWords(citation.text, statement));
  return (
    <div data-citation-card>
      <div className="flex items-center gap-2">
        <span className="mark m-0">{citation.index}</span>
        <b className="font-strong truncate grow">{citation.title}</b>
      </div>
      {path(citation) && <p className="text-xs text-ink-3 mt-1">{path(citation)}</p>}
      <CitationState citation={citation} />
      <blockquote className="font-read text-md leading-[1.55] border-l-[3px] border-marker-edge pl-[11px] my-2.5 line-clamp-5">
        {quote.before} <mark className="bg-marker text-on-marker">{quote.words}</mark> {quote.after}
      </blockquote>
      <div className="flex items-center justify-between gap-3 text-xs text-ink-3">
        <SourceAge citation={citation} />
        <OpenDocumentLink turn={turn} citation={citation} occurrence={occurrence} />
      </div>
    </div>
  );
}

function path({ title, headingPath }: Citation): string {
  return headingPath.filter((part) => part !== title).join(" › ");
}
