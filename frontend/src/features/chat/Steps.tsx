import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { citedNumbers } from "./model/turn";

/** What was done for the answer: a rail of dots while it runs, one sentence once it is there. */
export function Steps({ turn }: { turn: Turn }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (turn.state === "running") return <StepList turn={turn} />;
  if (turn.steps.length === 0) return null;
  const documents = new Set(turn.citations.map((citation) => citation.documentId)).size;
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="inline-flex items-center gap-[7px] min-h-7 px-2 mt-4 -ml-2 rounded-sm text-sm text-ink-2 hover:bg-hover text-left"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={open ? "rotate-90 transition-transform" : "transition-transform"}
        />
        {t("chat.steps.summary", {
          searches: t("chat.steps.searches", { count: turn.steps.length }),
          documents: t("chat.steps.documents", { count: documents }),
          cited: t("chat.steps.cited", { count: citedNumbers(turn).size }),
        })}
      </button>
      {open && <StepList turn={turn} />}
    </>
  );
}

function StepList({ turn }: { turn: Turn }) {
  const { t } = useTranslation();
  const waiting = turn.state === "running" && turn.steps.length === 0;
  return (
    <ol className="steps list-none">
      {waiting && (
        <li className="step" data-state="running">
          {t("chat.steps.thinking")}
        </li>
      )}
      {turn.steps.map((step) => (
        <li key={step.stepId} className="step" data-state={step.state}>
          {turn.parts[step.part] && (
            <p className="text-ink-3 mb-1 whitespace-pre-line">{turn.parts[step.part]}</p>
          )}
          {step.displayText}
        </li>
      ))}
    </ol>
  );
}
