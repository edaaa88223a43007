import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Run } from "./model/runs";
import { citedNumbers } from "./model/turn";

/** Says the steps of an answer and its end to who cannot see them, never its tokens. */
export function LiveAnswer({ run }: { run: Run | undefined }) {
  const { t } = useTranslation();
  const [said, setSaid] = useState("");
  const step = run?.turn.steps.at(-1)?.displayText;
  const state = run?.turn.state;
  const cited = run ? citedNumbers(run.turn).size : 0;
  useEffect(() => {
    if (state === "running") setSaid(step ?? t("chat.steps.thinking"));
    else if (state) setSaid(t("chat.state.complete", { count: cited }));
  }, [state, step, cited, t]);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}
