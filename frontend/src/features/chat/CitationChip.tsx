import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Citation, Turn } from "@/api/generated";
import { splitAtRanges, type TextRange } from "@/lib/ranges";
import { HoverCard } from "@/ui/HoverCard";
import { citationOf, useCitations } from "./CitationContext";
import { CitationState } from "./CitationState";
import { citedWords, statementOf } from "./model/passage";
import { answerText } from "./model/turn";
import { OpenDocumentLink } from "./OpenDocumentLink";
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
      <CitationCard turn={turn} citation={citation} />
    </HoverCard>
  );
}

function CitationCard({ turn, citation }: { turn: Turn; citation: Citation }) {
  const words = citedWords(citation.text, statementOf(answerText(turn), citation.index));
  return (
    <div data-citation-card>
      <div className="flex items-center gap-2">
        <span className="mark m-0">{citation.index}</span>
        <b className="font-strong truncate grow">{citation.title}</b>
      </div>
      {path(citation) && <p className="text-xs text-ink-3 mt-1">{path(citation)}</p>}
      <CitationState citation={citation} />
      <blockquote className="font-read text-md leading-[1.55] border-l-[3px] border-marker-edge pl-[11px] my-2.5 line-clamp-5">
        {splitAtRanges(quote(citation.text, words), [shifted(citation.text, words)]).map((piece) =>
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
        <OpenDocumentLink turn={turn} citation={citation} />
      </div>
    </div>
  );
}

const LEAD = 120;

/** The passage from shortly before the cited words on, so that a short card shows them. */
function quote(text: string, words: TextRange): string {
  return text.slice(leadStart(text, words));
}

function shifted(text: string, words: TextRange): TextRange {
  const from = leadStart(text, words);
  return { start: words.start - from, end: words.end - from };
}

function leadStart(text: string, { start }: TextRange): number {
  if (start <= LEAD) return 0;
  const space = text.indexOf(" ", start - LEAD);
  return space === -1 || space > start ? start : space + 1;
}

function path({ title, headingPath }: Citation): string {
  return headingPath.filter((part) => part !== title).join(" › ");
}
