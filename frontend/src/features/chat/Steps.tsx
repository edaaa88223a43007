import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn, TurnStep } from "@/api/generated";
import { answerText, citedNumbers } from "./model/turn";
import { StepResult } from "./StepResult";

interface StepsProps {
  turn: Turn;
  /** Earlier turns that the model now remembers as a summary. */
  compactedTurns: number | null;
}

/** Tools that look at databases; every other one searches or reads documents. */
const DATABASE_TOOLS: ReadonlySet<string> = new Set([
  "list_databases",
  "list_tables",
  "describe_tables",
  "find_values",
  "execute_sql",
  "find_verified_queries",
  "run_verified_query",
]);

/** What was done for the answer: a rail of dots while it runs, one sentence once it is there. */
export function Steps({ turn, compactedTurns }: StepsProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (turn.state === "running") return <StepList turn={turn} compactedTurns={compactedTurns} />;
  if (turn.steps.length === 0) return null;
  const documents = new Set(turn.citations.map((citation) => citation.documentId)).size;
  const cited = citedNumbers(turn).size;
  const queries = turn.queryResults.length;
  const searches = turn.steps.filter((step) => !DATABASE_TOOLS.has(step.tool)).length;
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
        <span className="inline-block first-letter:uppercase">
          {[
            searches > 0 && t("chat.steps.searches", { count: searches }),
            documents > 0 && t("chat.steps.documents", { count: documents }),
            queries > 0 && t("chat.steps.queries", { count: queries }),
            queries === 0 && searches < turn.steps.length && t("chat.steps.databases"),
            cited > 0 && t("chat.steps.cited", { count: cited }),
          ]
            .filter(Boolean)
            .join(", ")}
        </span>
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
          {turn.queryResults
            .filter((result) => result.stepId === step.stepId)
            .map((result) => (
              <StepResult key={result.mark} result={result} question={turn.question} />
            ))}
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
