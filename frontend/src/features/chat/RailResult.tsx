import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { QueryRows, Turn } from "@/api/generated";
import { cellsOf } from "@/features/results/model/shown";
import { ResultReceipt } from "@/features/results/ResultReceipt";
import { ResultSummary } from "@/features/results/ResultSummary";
import { cx } from "@/lib/cx";
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
  const card = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another figure of the same result is shown again
  useEffect(() => {
    if (open) card.current?.scrollIntoView({ block: "start" });
  }, [open, figure]);
  const cited = useMemo(() => {
    const picked = figure === null ? undefined : turn.figures[figure];
    const refs = picked ? picked.refs : turn.figures.flatMap((each) => each.refs);
    return cellsOf(refs, result.mark);
  }, [turn.figures, result.mark, figure]);
  return (
    <section
      ref={card}
      className={cx(
        "bg-raised border rounded-md overflow-hidden flex-none scroll-mt-4",
        open ? "border-accent ring-1 ring-accent shadow-raise" : "border-line",
      )}
    >
      <Link
        to="/chat/$chatId"
        params={{ chatId }}
        search={{ turn: turn.id, citation: result.mark }}
        replace
        resetScroll={false}
        aria-expanded={open}
        className="flex items-start gap-2.5 p-3 text-ink no-underline hover:bg-hover"
      >
        <span className="mark is-query m-0 mt-px" aria-current={open}>
          {result.mark}
        </span>
        <span className="min-w-0 grow">
          <span className="block font-strong leading-tight">{result.title || t("results.untitled")}</span>
          <span className="block text-xs text-ink-3 mt-0.5">
            {open ? (
              <RelativeMoment database={result.database} iso={result.receipt.startedAt} />
            ) : (
              <ResultSummary {...result} />
            )}
          </span>
        </span>
      </Link>
      {open && <ResultReceipt result={result} cited={cited} question={turn.question} />}
    </section>
  );
}
