import { Play, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteVerifiedQuery } from "@/api/queries/verifiedQueries";
import type { DatabaseConnection, VerifiedQuery } from "@/api/types";
import { Button } from "@/ui/Button";
import { ConfirmDialog, SplitDialog } from "@/ui/Dialog";
import { QueryFields } from "./QueryFields";
import { QueryResultPane } from "./QueryResultPane";
import { type QueryDraft, useQueryDraft } from "./useQueryDraft";

interface VerifiedQueryDialogProps {
  connection: DatabaseConnection;
  /** The stored one; none for a new one. */
  query?: VerifiedQuery;
  onClose: () => void;
}

/** A verified query: its question and SQL to read, change and run; what it gives stands beside it. */
export function VerifiedQueryDialog({ connection, query, onClose }: VerifiedQueryDialogProps) {
  const { t } = useTranslation();
  const formId = useId();
  const draft = useQueryDraft(connection.id, query, onClose);
  const [deleting, setDeleting] = useState(false);
  const person = query?.createdByName ?? t("databases.queries.unknownPerson");
  return (
    <SplitDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(query ? "databases.query.title" : "databases.query.newTitle")}
      lead={query ? t("databases.query.lead", { name: person }) : t("databases.query.newLead")}
      aside={
        <QueryResultPane
          question={draft.question}
          query={query}
          running={draft.running}
          result={draft.result}
          message={draft.message}
        />
      }
      actions={
        <QueryActions
          draft={draft}
          formId={formId}
          onClose={onClose}
          onDelete={query && draft.mayEdit ? () => setDeleting(true) : undefined}
        />
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          draft.save();
        }}
      >
        <QueryFields connectionId={connection.id} draft={draft} />
      </form>
      {query && <DeleteQuery query={query} open={deleting} onOpenChange={setDeleting} onDeleted={onClose} />}
    </SplitDialog>
  );
}

interface QueryActionsProps {
  draft: QueryDraft;
  formId: string;
  onClose: () => void;
  onDelete: (() => void) | undefined;
}

function QueryActions({ draft, formId, onClose, onDelete }: QueryActionsProps) {
  const { t } = useTranslation();
  return (
    <>
      {onDelete && (
        <Button tone="quiet" className="mr-auto" icon={<Trash2 size={15} aria-hidden />} onClick={onDelete}>
          {t("databases.query.delete")}
        </Button>
      )}
      <Button tone="quiet" onClick={onClose}>
        {t(draft.mayEdit ? "common.cancel" : "common.close")}
      </Button>
      {draft.mayRun && (
        <Button
          icon={<Play size={15} aria-hidden />}
          busy={draft.running && t("databases.query.running")}
          onClick={draft.run}
        >
          {t(draft.stored ? "databases.query.test" : "databases.query.run")}
        </Button>
      )}
      {draft.mayEdit && (
        <Button type="submit" form={formId} tone="primary" busy={draft.saving && t("databases.query.saving")}>
          {t("databases.query.save")}
        </Button>
      )}
    </>
  );
}

interface DeleteQueryProps {
  query: VerifiedQuery;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDeleted: () => void;
}

function DeleteQuery({ query, open, onOpenChange, onDeleted }: DeleteQueryProps) {
  const { t } = useTranslation();
  const remove = useDeleteVerifiedQuery();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("databases.query.deleteTitle", { question: query.question })}
      detail={t("databases.query.deleteDetail")}
      action={t("databases.query.deleteAction")}
      busy={remove.isPending && t("databases.query.deleting")}
      onConfirm={() => remove.mutate(query.id, { onSuccess: onDeleted })}
    />
  );
}
