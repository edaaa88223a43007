import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { completionQuery } from "@/api/queries/statements";
import { SqlBlock } from "@/features/results/SqlBlock";
import { SqlEditor } from "@/features/results/SqlEditor";
import { Field, TextField } from "@/ui/Field";
import type { QueryDraft } from "./useQueryDraft";

/** The question, what to know about it, and the SQL; to read only for who may not change it. */
export function QueryFields({ connectionId, draft }: { connectionId: string; draft: QueryDraft }) {
  const { t } = useTranslation();
  const note = useId();
  const { data: completion } = useQuery({ ...completionQuery(connectionId), enabled: draft.mayEdit });
  const lacksSql = draft.touched && !draft.sql.trim();
  return (
    <div className="grid gap-4 min-w-0">
      <Field
        label={t("databases.query.question")}
        value={draft.question}
        maxLength={500}
        readOnly={!draft.mayEdit}
        help={t("databases.query.questionHelp")}
        error={draft.touched && !draft.question.trim() ? t("databases.query.needed.question") : null}
        onChange={(event) => draft.set({ question: event.target.value })}
      />
      <TextField
        label={t("databases.query.description")}
        value={draft.description}
        maxLength={2000}
        readOnly={!draft.mayEdit}
        help={t("databases.query.descriptionHelp")}
        onChange={(event) => draft.set({ description: event.target.value })}
      />
      <div className="grid gap-1.5 min-w-0">
        <span className="font-medium">{t("databases.query.sql")}</span>
        {draft.mayEdit ? (
          <SqlEditor
            value={draft.sql}
            onChange={(sql) => draft.set({ sql })}
            onRun={draft.run}
            label={t("databases.query.sql")}
            completion={completion}
            describedBy={lacksSql ? note : undefined}
          />
        ) : (
          <SqlBlock sql={draft.sql} className="border border-line rounded-sm" />
        )}
        {lacksSql && (
          <small id={note} role="alert" className="text-xs text-bad">
            {t("databases.query.needed.sql")}
          </small>
        )}
      </div>
    </div>
  );
}
