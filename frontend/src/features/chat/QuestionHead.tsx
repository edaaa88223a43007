import { ChevronLeft, ChevronRight, Pencil } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { useShowVersion } from "@/api/queries/chats";
import { exactTime } from "@/lib/time";
import { Button, IconButton } from "@/ui/Button";
import { useModelLabel } from "./models";

interface QuestionHeadProps {
  chatId: string;
  turn: Turn;
  busy: boolean;
  onEdit: (question: string) => void;
}

const LONG = 320;

/** The question as the heading of its answer: who answered and when, its versions, edit in place. */
export function QuestionHead({ chatId, turn, busy, onEdit }: QuestionHeadProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string | null>(null);
  const [unfolded, setUnfolded] = useState(false);
  if (draft !== null) {
    return (
      <form
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          setDraft(null);
          if (draft.trim() && draft.trim() !== turn.question) onEdit(draft.trim());
        }}
      >
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the field replaces the heading that was picked
          autoFocus
          aria-label={t("chat.question.edit")}
          value={draft}
          rows={Math.min(8, draft.split("\n").length + 1)}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") {
              event.stopPropagation();
              setDraft(null);
            }
          }}
          className="font-read text-xl leading-[1.35] bg-raised border border-line-control rounded-md p-3 w-full resize-y"
        />
        <div className="flex gap-2 justify-end">
          <Button tone="quiet" onClick={() => setDraft(null)}>
            {t("common.cancel")}
          </Button>
          <Button tone="primary" type="submit">
            {t("chat.question.askAgain")}
          </Button>
        </div>
      </form>
    );
  }
  const long = turn.question.length > LONG || turn.question.split("\n").length > 4;
  return (
    <header className="group/question">
      <h2
        className={`font-read font-medium text-2xl leading-[1.25] tracking-[-0.016em] text-balance whitespace-pre-line break-words max-sm:text-xl ${long && !unfolded ? "line-clamp-4" : ""}`}
      >
        {turn.question}
      </h2>
      {long && (
        <Button
          tone="quiet"
          size="sm"
          className="-ml-2.5"
          aria-expanded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
        >
          {t(unfolded ? "chat.question.less" : "chat.question.more")}
        </Button>
      )}
      <div className="flex items-center flex-wrap gap-x-2 mt-2 text-xs text-ink-3 min-h-7">
        <Meta turn={turn} />
        {turn.versions.length > 1 && <Versions chatId={chatId} turn={turn} disabled={busy} />}
        <IconButton
          size="sm"
          label={t("chat.question.edit")}
          icon={<Pencil size={14} aria-hidden />}
          disabled={busy}
          onClick={() => setDraft(turn.question)}
          className="opacity-0 group-hover/question:opacity-100 focus-visible:opacity-100 max-md:opacity-100"
        />
      </div>
    </header>
  );
}

function Meta({ turn }: { turn: Turn }) {
  const { t, i18n } = useTranslation();
  const label = useModelLabel(turn.modelUsed ?? turn.modelId);
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "short" }).format(
    new Date(turn.createdAt),
  );
  return (
    <>
      <time dateTime={turn.createdAt} title={exactTime(turn.createdAt, i18n.language)}>
        {time}
      </time>
      <span aria-hidden>·</span>
      <span>
        {t(turn.state === "running" ? "chat.question.answering" : "chat.question.answeredBy", {
          model: label,
        })}
      </span>
    </>
  );
}

function Versions({ chatId, turn, disabled }: { chatId: string; turn: Turn; disabled: boolean }) {
  const { t } = useTranslation();
  const show = useShowVersion(chatId);
  const at = turn.versions.indexOf(turn.id);
  const go = (step: number) => {
    const id = turn.versions[at + step];
    if (id) show.mutate(id);
  };
  return (
    <span className="inline-flex items-center tabular-nums">
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
