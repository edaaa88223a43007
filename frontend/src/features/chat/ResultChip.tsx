import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { QueryRows } from "@/api/generated";
import { ResultSummary } from "@/features/results/ResultSummary";
import { SqlBlock } from "@/features/results/SqlBlock";
import { HoverCard } from "@/ui/HoverCard";
import { resultOf, useCitations } from "./CitationContext";

interface ResultChipProps {
  mark: string;
  /** Without the card on hover, where the rows stand beside it already. */
  plain?: boolean;
}

/** The mark [Q1] in an answer: a link that opens the query's receipt beside it. */
export function ResultChip({ mark, plain = false }: ResultChipProps) {
  const { t } = useTranslation();
  const { chatId, turn, open } = useCitations();
  const result = resultOf(turn, mark);
  if (!result || !turn) return <span className="mark is-query">{mark}</span>;
  const link = (
    <Link
      to="/chat/$chatId"
      params={{ chatId }}
      search={{ turn: turn.id, citation: mark }}
      resetScroll={false}
      {...(!plain && { "data-citation": `${turn.id}:${mark}` })}
      aria-label={t("chat.result.name", { mark, title: result.title || t("results.untitled") })}
      aria-current={open === mark}
      className="mark is-query"
    >
      {mark}
    </Link>
  );
  if (plain) return link;
  return (
    <HoverCard trigger={link}>
      <Card result={result} />
    </HoverCard>
  );
}

function Card({ result }: { result: QueryRows }) {
  const { t } = useTranslation();
  return (
    <div data-citation-card>
      <div className="flex items-center gap-2">
        <span className="mark is-query m-0">{result.mark}</span>
        <b className="font-strong truncate grow">{result.title || t("results.untitled")}</b>
      </div>
      <p className="text-xs text-ink-3 mt-1 mb-2.5">
        <ResultSummary {...result} />
      </p>
      <SqlBlock sql={result.sql} className="max-h-32 -mx-3.5 -mb-3.5 rounded-b-md" />
    </div>
  );
}
