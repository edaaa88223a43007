import { CircleAlert, CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ModelTestOutcome } from "@/api/types";

interface TestOutcomeProps {
  outcome: ModelTestOutcome | undefined;
  refusal: { detail: string; requestId: string | null } | null;
}

/** What one real call to a model gave. */
export function TestOutcome({ outcome, refusal }: TestOutcomeProps) {
  const { t } = useTranslation();
  if (!outcome && !refusal) return null;
  const good = outcome?.ok && !refusal;
  const Icon = good ? CircleCheck : CircleAlert;
  return (
    <div
      role="status"
      className={`flex items-start gap-2.5 rounded-md p-3 text-sm ${good ? "bg-good-soft" : "bg-bad-soft"}`}
    >
      <Icon size={18} aria-hidden className={`flex-none mt-0.5 ${good ? "text-good" : "text-bad"}`} />
      <div>
        <p>
          {refusal?.detail ??
            (outcome &&
              t("settings.server.took", { sentence: outcome.sentence, count: outcome.milliseconds }))}
        </p>
        {good && outcome.models && outcome.models.length > 0 && (
          <p className="text-ink-2 mt-1">
            {t("settings.server.offers", { models: outcome.models.slice(0, 12).join(t("common.and")) })}
          </p>
        )}
        {refusal?.requestId && (
          <p className="font-mono text-xs text-ink-3 mt-1">
            {t("common.request", { id: refusal.requestId })}
          </p>
        )}
      </div>
    </div>
  );
}
