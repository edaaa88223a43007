import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

interface FeedbackDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  busy: boolean;
  onSend: (reason: string) => void;
}

const REASONS = ["wrong", "citation", "incomplete", "outdated"] as const;
type Reason = (typeof REASONS)[number];

/** Asks what was wrong with an answer; saying so is optional. */
export function FeedbackDialog({ open, onOpenChange, busy, onSend }: FeedbackDialogProps) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<readonly Reason[]>([]);
  const [words, setWords] = useState("");
  const id = useId();
  const reason = [...picked.map((key) => t(`chat.feedback.reasons.${key}`)), words.trim()]
    .filter(Boolean)
    .join(". ");
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("chat.feedback.title")}>
      <form
        className="mt-3 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason) onSend(reason);
        }}
      >
        <div className="flex flex-wrap gap-[7px]">
          {REASONS.map((key) => (
            <button
              key={key}
              type="button"
              aria-pressed={picked.includes(key)}
              onClick={() =>
                setPicked(picked.includes(key) ? picked.filter((other) => other !== key) : [...picked, key])
              }
              className="h-7 max-sm:h-9 px-2.5 max-sm:px-3 border border-line-strong rounded-full text-xs max-sm:text-sm font-medium text-ink-2 aria-pressed:bg-accent-soft aria-pressed:border-accent-line aria-pressed:text-on-soft"
            >
              {t(`chat.feedback.reasons.${key}`)}
            </button>
          ))}
        </div>
        <label htmlFor={id} className="text-sm text-ink-2">
          {t("chat.feedback.label")}
        </label>
        <textarea
          id={id}
          rows={3}
          maxLength={1500}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          className="bg-paper border border-line-control rounded-sm p-2.5 text-md w-full resize-y"
        />
        <div className="flex justify-end">
          <Button
            tone="primary"
            type="submit"
            disabled={!reason}
            busy={busy && reason && t("chat.feedback.sending")}
          >
            {t("chat.feedback.send")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
