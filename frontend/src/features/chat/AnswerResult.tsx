import { useMemo } from "react";
import { cellsOf } from "@/features/results/model/shown";
import { ResultCard } from "@/features/results/ResultCard";
import { resultOf, useCitations } from "./CitationContext";
import { isVerified } from "./model/turn";
import { ResultChip } from "./ResultChip";

/** The rows that an answer cites, with the cells that its figures stand in. */
export function AnswerResult({ mark }: { mark: string }) {
  const { turn, onAsk } = useCitations();
  const result = resultOf(turn, mark);
  const cited = useMemo(
    () =>
      cellsOf(
        (turn?.figures ?? []).flatMap((figure) => figure.refs),
        mark,
      ),
    [turn?.figures, mark],
  );
  if (!result) return null;
  return (
    <ResultCard
      result={result}
      cited={cited}
      question={turn?.question}
      onAsk={onAsk ?? undefined}
      verified={isVerified(turn, result)}
      mark={<ResultChip mark={mark} plain />}
    />
  );
}
