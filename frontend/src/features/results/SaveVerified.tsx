import { BookmarkCheck } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSaveVerifiedQuery } from "@/api/queries/verifiedQueries";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { useFailure } from "@/ui/failure";
import { showToast } from "@/ui/Toast";
import { SqlBlock } from "./SqlBlock";

export interface SaveVerifiedProps {
  databaseConnectionId: string;
  sql: string;
  /** The question that the SQL answers, to begin with. */
  question?: string | undefined;
  /** Where there is little room: the icon with its name read out. */
  short?: boolean;
}

const QUESTION_MAX = 500;

/** Keeps a question with its SQL, so that the same question is answered the same way again. */
export function SaveVerified({ databaseConnectionId, sql, question = "", short = false }: SaveVerifiedProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        tone="quiet"
        size="sm"
        icon={<BookmarkCheck size={15} aria-hidden />}
        aria-label={t("results.save.action")}
        onClick={() => setOpen(true)}
      >
        <span className={short ? "sr-only" : "max-sm:sr-only"}>{t("results.save.action")}</span>
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t("results.save.title")} wide>
        <SaveForm
          databaseConnectionId={databaseConnectionId}
          sql={sql}
          question={question}
          onSaved={() => {
            setOpen(false);
            showToast(t("results.save.saved"));
          }}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}

interface SaveFormProps {
  databaseConnectionId: string;
  sql: string;
  question: string;
  onSaved: () => void;
  onCancel: () => void;
}

function SaveForm({ databaseConnectionId, sql, question: first, onSaved, onCancel }: SaveFormProps) {
  const { t } = useTranslation();
  const failure = useFailure();
  const [question, setQuestion] = useState(first.slice(0, QUESTION_MAX));
  const [description, setDescription] = useState("");
  const save = useSaveVerifiedQuery();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const query = { databaseConnectionId, question: question.trim(), sql, description: description.trim() };
    save.mutate(query, { onSuccess: onSaved });
  };
  return (
    <form onSubmit={submit} className="mt-2 flex flex-col gap-4">
      <p className="text-ink-2 text-md">{t("results.save.help")}</p>
      <Field
        label={t("results.save.question")}
        value={question}
        maxLength={QUESTION_MAX}
        required
        onChange={(event) => setQuestion(event.target.value)}
      />
      <Field
        label={t("results.save.description")}
        help={t("results.save.descriptionHelp")}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <SqlBlock sql={sql} className="max-h-44 rounded-sm" />
      {save.isError && (
        <p role="alert" className="text-sm text-bad">
          {failure(save.error).detail}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
        <Button
          tone="primary"
          type="submit"
          disabled={question.trim() === ""}
          busy={save.isPending && t("results.save.saving")}
        >
          {t("results.save.submit")}
        </Button>
      </div>
    </form>
  );
}
