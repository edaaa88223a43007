import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { useShowVersion } from "@/api/queries/chats";
import { IconButton } from "@/ui/Button";

interface VersionsProps {
  chatId: string;
  turn: Turn;
  disabled: boolean;
}

/** Going between the versions of a question and its answers. */
export function Versions({ chatId, turn, disabled }: VersionsProps) {
  const { t } = useTranslation();
  const show = useShowVersion(chatId);
  const at = turn.versions.indexOf(turn.id);
  const go = (step: number) => {
    const id = turn.versions[at + step];
    if (id) show.mutate(id);
  };
  if (turn.versions.length < 2) return null;
  return (
    <span className="inline-flex items-center ml-auto text-xs text-ink-2 tabular-nums">
      <IconButton
        size="sm"
        label={t("chat.question.previousVersion")}
        icon={<ChevronLeft size={14} aria-hidden />}
        disabled={disabled || at <= 0}
        onClick={() => go(-1)}
      />
      {t("chat.question.version", { number: at + 1, count: turn.versions.length })}
      <IconButton
        size="sm"
        label={t("chat.question.nextVersion")}
        icon={<ChevronRight size={14} aria-hidden />}
        disabled={disabled || at >= turn.versions.length - 1}
        onClick={() => go(1)}
      />
    </span>
  );
}
