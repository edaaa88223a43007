import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn, TurnStep } from "@/api/generated";
import { answerText, citedNumbers } from "./model/turn";

interface StepsProps {
  turn: Turn;
  /** Earlier turns that the model now remembers as a summary. */
  compactedTurns: number | null;
}

/** What was done for the answer: a rail of dots while it runs, one sentence once it is there. */
export function Steps({ turn, compactedTurns }: StepsProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (turn.state === "running") return <StepList turn={turn} compactedTurns={compactedTurns} />;
  if (turn.steps.length === 0) return null;
  const documents = new Set(turn.citations.map((citation) => citation.documentId)).size;
  const cited = citedNumbers(turn).size;
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
          className={`flex-none ${open ? "rotate-90 transition-transform" : "transition-transform"}`}
        />
        {[
          t("chat.steps.searches", { count: turn.steps.length }),
          documents > 0 && t("chat.steps.documents", { count: documents }),
          cited > 0 && t("chat.steps.cited", { count: cited }),
        ]
          .filter(Boolean)
          .join(", ")}
      </button>
      {open && <StepList turn={turn} compactedTurns={null} />}
    </>
  );
}

function StepList({ turn, compactedTurns }: StepsProps) {
  const { t } = useTranslation();
  const running = turn.state === "running";
  const atWork = turn.steps.some((step) => step.state === "running");
  const writing = running && !atWork;
  return (
    <ol className="steps list-none" aria-label={t("chat.steps.label")}>
      {compactedTurns !== null && compactedTurns > 0 && (
        <li className="step" data-state="done">
          {t("chat.steps.compacted", { count: compactedTurns })}
        </li>
      )}
      {turn.steps.map((step) => (
        <li key={step.stepId} className="step" data-state={step.state}>
          {turn.parts[step.part] && (
            <p className="text-ink-3 mb-1 whitespace-pre-line">{turn.parts[step.part]}</p>
          )}
          <StepText step={step} />
        </li>
      ))}
      {writing && (
        <li className="step" data-state="running">
          {t(
            answerText(turn)
              ? "chat.steps.writing"
              : turn.steps.length > 0
                ? "chat.steps.reading"
                : "chat.steps.thinking",
          )}
        </li>
      )}
    </ol>
  );
}

const QUOTED = /[“"]([^”"]+)[”"]/;

/** What is looked for stands out from the sentence around it. */
function StepText({ step }: { step: TurnStep }) {
  const { t } = useTranslation();
  const match = QUOTED.exec(step.displayText);
  return (
    <>
      {match ? (
        <>
          {step.displayText.slice(0, match.index)}
          <b className="font-medium text-ink">{match[0]}</b>
          {step.displayText.slice(match.index + match[0].length)}
        </>
      ) : (
        step.displayText
      )}
      {step.state === "failed" && <span className="text-bad"> {t("chat.steps.failed")}</span>}
    </>
  );
}
