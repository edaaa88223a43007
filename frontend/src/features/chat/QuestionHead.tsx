import { Pencil } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { dayGroup, exactTime } from "@/lib/time";
import { Button, IconButton } from "@/ui/Button";
import { useModelName } from "./models";

interface QuestionHeadProps {
  turn: Turn;
  busy: boolean;
  onEdit: (question: string) => void;
}

const LONG = 320;

/** The question as the heading of its answer: who answered and when, edit in place. */
export function QuestionHead({ turn, busy, onEdit }: QuestionHeadProps) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  if (editing) {
    return (
      <QuestionEditor
        question={turn.question}
        onCancel={() => setEditing(false)}
        onAsk={(question) => {
          setEditing(false);
          if (question !== turn.question) onEdit(question);
        }}
      />
    );
  }
  const long = turn.question.length > LONG || turn.question.split("\n").length > 4;
  return (
    <header className="group/question">
      <h2
        className={`font-read font-medium text-2xl leading-[1.25] tracking-[-0.016em] text-balance whitespace-pre-line break-words max-sm:text-[1.4375rem] ${long && !unfolded ? "line-clamp-4" : ""}`}
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
      <div className="flex items-center flex-wrap gap-x-1.5 mt-1 text-xs text-ink-3 min-h-7">
        <Meta turn={turn} />
        <IconButton
          size="sm"
          label={t("chat.question.edit")}
          icon={<Pencil size={14} aria-hidden />}
          disabled={busy}
          onClick={() => setEditing(true)}
          className="opacity-0 group-hover/question:opacity-100 focus-visible:opacity-100 max-md:opacity-100"
        />
      </div>
    </header>
  );
}

interface QuestionEditorProps {
  question: string;
  onCancel: () => void;
  onAsk: (question: string) => void;
}

function QuestionEditor({ question, onCancel, onAsk }: QuestionEditorProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(question);
  const ask = () => {
    if (draft.trim()) onAsk(draft.trim());
  };
  return (
    <form
      data-keeps-escape
      className="bg-raised border border-line-control rounded-lg p-3"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
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
          if (event.key === "Escape") onCancel();
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            ask();
          }
        }}
        className="block font-read font-medium text-read leading-[1.35] w-full resize-y bg-transparent outline-none"
      />
      <div className="flex items-center gap-2 mt-2.5 flex-wrap">
        <span className="text-xs text-ink-3">{t("chat.question.keeps")}</span>
        <span className="grow" />
        <Button tone="quiet" size="sm" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
        <Button tone="primary" size="sm" type="submit" disabled={!draft.trim()}>
          {t("chat.question.askAgain")}
        </Button>
      </div>
    </form>
  );
}

function Meta({ turn }: { turn: Turn }) {
  const { t, i18n } = useTranslation();
  const label = useModelName()(turn.modelUsed ?? turn.modelId);
  const today = dayGroup(turn.createdAt) === "today";
  const time = new Intl.DateTimeFormat(i18n.language, {
    timeStyle: "short",
    ...(!today && { dateStyle: "medium" }),
  }).format(new Date(turn.createdAt));
  return (
    <>
      <time dateTime={turn.createdAt} title={exactTime(turn.createdAt, i18n.language)}>
        {time}
      </time>
      {label && (
        <>
          <span aria-hidden>·</span>
          <span>
            {t(turn.state === "done" ? "chat.question.answeredBy" : "chat.question.askedOf", {
              model: label,
            })}
          </span>
        </>
      )}
    </>
  );
}
