import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { QueryRows } from "@/api/generated";
import { ResultCard } from "@/features/results/ResultCard";
import { ResultSummary } from "@/features/results/ResultSummary";
import { useCitations } from "./CitationContext";
import { isVerified } from "./model/turn";

/** What a step read from a database: one line, the rows and their SQL behind it. */
export function StepResult({ result, question }: { result: QueryRows; question: string }) {
  const { t } = useTranslation();
  const { turn, onAsk } = useCitations();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex items-center gap-1.5 max-w-full min-h-6 max-sm:min-h-11 px-1 -ml-1 rounded-sm text-xs text-ink-3 hover:bg-hover text-left"
      >
        <ChevronRight size={13} aria-hidden className={open ? "flex-none rotate-90" : "flex-none"} />
        <span className="mark is-query m-0">{result.mark}</span>
        <span className="truncate">
          {result.title || t("results.untitled")} · <ResultSummary {...result} />
        </span>
      </button>
      {open && (
        <ResultCard
          result={result}
          question={question}
          onAsk={onAsk ?? undefined}
          verified={isVerified(turn, result)}
          className="my-2"
        />
      )}
    </>
  );
}
