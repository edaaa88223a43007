import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureCode } from "./model/failures";
import type { Run } from "./model/runs";
import { citedNumbers, citedResults } from "./model/turn";

/** Says the steps of an answer and its end to who cannot see them, never its tokens. */
export function LiveAnswer({ run }: { run: Run | undefined }) {
  const { t } = useTranslation();
  const [said, setSaid] = useState("");
  const step = run?.turn.steps.at(-1)?.displayText;
  const state = run?.turn.state;
  const code = failureCode(run?.turn.errorCode ?? null);
  const cited = run ? citedNumbers(run.turn).size : 0;
  const results = run ? citedResults(run.turn).size : 0;
  const reconnecting = run?.reconnecting ?? false;
  useEffect(() => {
    if (reconnecting) setSaid(t("chat.state.lineBroke"));
    else if (state === "running") setSaid(step ?? t("chat.steps.thinking"));
    else if (state === "stopped") setSaid(t("chat.state.stopped"));
    else if (state === "failed") setSaid(t(`chat.failure.${code}.title`));
    else if (state === "done") {
      const queries = results > 0 ? `, ${t("chat.state.results", { count: results })}` : "";
      setSaid(t("chat.state.complete", { count: cited }) + queries);
    }
  }, [state, step, cited, results, code, reconnecting, t]);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}
