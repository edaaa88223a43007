import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { QueryRows, Turn } from "@/api/generated";
import { cellsOf } from "@/features/results/model/shown";
import { ResultReceipt } from "@/features/results/ResultReceipt";
import { ResultSummary } from "@/features/results/ResultSummary";
import { RailCard } from "./RailCard";
import { RelativeMoment } from "./RelativeMoment";

interface RailResultProps {
  chatId: string;
  turn: Turn;
  result: QueryRows;
  open: boolean;
  /** The figure of the answer that was picked, by its place in the turn; its cells alone are yellow then. */
  figure: number | null;
}

/** One query result in the rail: closed a line, open the receipt with the cited rows. */
export function RailResult({ chatId, turn, result, open, figure }: RailResultProps) {
  const { t } = useTranslation();
  const cited = useMemo(() => {
    const picked = figure === null ? undefined : turn.figures[figure];
    const refs = picked ? picked.refs : turn.figures.flatMap((each) => each.refs);
    return cellsOf(refs, result.mark);
  }, [turn.figures, result.mark, figure]);
  const about = open ? (
    <RelativeMoment database={result.database} iso={result.receipt.startedAt} />
  ) : (
    <ResultSummary {...result} />
  );
  return (
    <RailCard
      chatId={chatId}
      turnId={turn.id}
      mark={result.mark}
      kind="query"
      title={result.title || t("results.untitled")}
      about={<span className="block text-xs text-ink-3 mt-0.5">{about}</span>}
      open={open}
      shown={figure}
    >
      <ResultReceipt result={result} cited={cited} question={turn.question} />
    </RailCard>
  );
}
