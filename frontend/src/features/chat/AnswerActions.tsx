import { Check, Copy, RotateCcw, ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { useRateTurn } from "@/api/queries/chats";
import { Button, IconButton } from "@/ui/Button";
import { Menu, MenuItem } from "@/ui/Menu";
import { showErrorToast, showToast } from "@/ui/Toast";
import { FeedbackDialog } from "./FeedbackDialog";
import { sourceList, withoutMarks } from "./model/copies";
import { answerText } from "./model/turn";
import { useModelName, useModels } from "./models";
import { Versions } from "./Versions";

interface AnswerActionsProps {
  chatId: string;
  turn: Turn;
  busy: boolean;
  onRegenerate: (modelId: string) => void;
}

/** What one does with an answer: copy it, have it again, say what it was worth. */
export function AnswerActions({ chatId, turn, busy, onRegenerate }: AnswerActionsProps) {
  const { t } = useTranslation();
  const [asksReason, setAsksReason] = useState(false);
  const rate = useRateTurn(chatId);
  return (
    <div className="flex items-center flex-wrap gap-0.5 mt-5 -ml-2 text-ink-3">
      {answerText(turn) && <CopyMenu turn={turn} />}
      <RegenerateMenu turn={turn} busy={busy} onRegenerate={onRegenerate} />
      <IconButton
        size="sm"
        label={t("chat.answer.good")}
        aria-pressed={turn.feedback === "up"}
        icon={<ThumbsUp size={15} aria-hidden />}
        className="aria-pressed:text-accent"
        onClick={() => rate.mutate({ turnId: turn.id, rating: "up" })}
      />
      <IconButton
        size="sm"
        label={t("chat.answer.bad")}
        aria-pressed={turn.feedback === "down"}
        icon={<ThumbsDown size={15} aria-hidden />}
        className="aria-pressed:text-accent"
        onClick={() => {
          rate.mutate({ turnId: turn.id, rating: "down" });
          setAsksReason(true);
        }}
      />
      <FeedbackDialog
        open={asksReason}
        onOpenChange={setAsksReason}
        busy={rate.isPending}
        onSend={(reason) =>
          rate.mutate(
            { turnId: turn.id, rating: "down", reason },
            {
              onSuccess: () => {
                setAsksReason(false);
                showToast(t("chat.feedback.thanks"));
              },
            },
          )
        }
      />
      <Versions chatId={chatId} turn={turn} disabled={busy} />
    </div>
  );
}

function CopyMenu({ turn }: { turn: Turn }) {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    } catch {
      showErrorToast(t("chat.answer.copyFailed"), t("chat.answer.copyFailedHelp"));
    }
  };
  return (
    <Menu
      align="start"
      trigger={
        <Button
          tone="quiet"
          size="sm"
          icon={done ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
        >
          {t(done ? "chat.answer.copied" : "chat.answer.copy")}
        </Button>
      }
    >
      <MenuItem onClick={() => void copy(withoutMarks(answerText(turn)))}>
        {t("chat.answer.copyText")}
      </MenuItem>
      <MenuItem onClick={() => void copy(`${answerText(turn)}\n\n${sourceList(turn)}`)}>
        {t("chat.answer.copySources")}
      </MenuItem>
    </Menu>
  );
}

function RegenerateMenu({ turn, busy, onRegenerate }: Omit<AnswerActionsProps, "chatId">) {
  const { t } = useTranslation();
  const models = useModels().items.filter((model) => model.available);
  const name = useModelName();
  const again = (
    <Button tone="quiet" size="sm" disabled={busy} icon={<RotateCcw size={15} aria-hidden />}>
      {t("chat.answer.regenerate")}
    </Button>
  );
  if (models.length < 2) {
    return (
      <Button
        tone="quiet"
        size="sm"
        disabled={busy}
        icon={<RotateCcw size={15} aria-hidden />}
        onClick={() => onRegenerate(turn.modelId)}
      >
        {t("chat.answer.regenerate")}
      </Button>
    );
  }
  return (
    <Menu align="start" trigger={again}>
      {models.map((model) => (
        <MenuItem key={model.id} onClick={() => onRegenerate(model.id)}>
          {t("chat.answer.askAgainWith", { model: name(model.id) })}
        </MenuItem>
      ))}
    </Menu>
  );
}
