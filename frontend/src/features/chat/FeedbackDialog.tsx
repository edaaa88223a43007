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

/** Asks what was wrong with an answer; saying so is optional. */
export function FeedbackDialog({ open, onOpenChange, busy, onSend }: FeedbackDialogProps) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const id = useId();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("chat.feedback.title")}>
      <form
        className="mt-3 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          onSend(reason.trim());
        }}
      >
        <label htmlFor={id} className="text-sm text-ink-2">
          {t("chat.feedback.label")}
        </label>
        <textarea
          id={id}
          rows={4}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          className="bg-paper border border-line-control rounded-sm p-2.5 text-md w-full resize-y"
        />
        <div className="flex justify-end">
          <Button tone="primary" type="submit" busy={busy && t("chat.feedback.sending")}>
            {t("chat.feedback.send")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
