import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api/errors";
import { useChangeDatabase, useConnectDatabase } from "@/api/queries/databases";
import type { DatabaseConnection, DatabaseConnectionSaved } from "@/api/types";
import { Button } from "@/ui/Button";
import { SplitDialog } from "@/ui/Dialog";
import { useFailure } from "@/ui/failure";
import { showToast } from "@/ui/Toast";
import { ConnectionFields } from "./ConnectionFields";
import { ConnectionOutcome } from "./ConnectionOutcome";
import { changeOf, draftOf, missingIn, type Needed, newConnection } from "./model/connectionDraft";

interface ConnectionFormProps {
  /** The one to edit; none for a new one. */
  connection?: DatabaseConnection;
  /** Called with the id of a connection that is to be shown. */
  onClose: (connectionId?: string) => void;
}

const NEEDED: readonly Needed[] = ["name", "host", "port", "database", "username", "password"];

/** Connects a database or edits a connection. It is opened before anything is stored; then what the role may do is shown. */
export function ConnectionForm({ connection, onClose }: ConnectionFormProps) {
  const { t } = useTranslation();
  const formId = useId();
  const failure = useFailure();
  const [draft, setDraft] = useState(() => draftOf(connection));
  const [stored, setStored] = useState(connection);
  const [touched, setTouched] = useState(false);
  const [outcome, setOutcome] = useState<DatabaseConnectionSaved | null>(null);
  const [retry, setRetry] = useState(false);
  const connect = useConnectDatabase();
  const change = useChangeDatabase();
  const busy = connect.isPending || change.isPending;
  const refused = connect.error ?? change.error;
  const missing = missingIn(draft, stored !== undefined);
  const errors: Partial<Record<Needed, string>> = {
    ...(refused instanceof ApiError && refusals(refused)),
    ...(touched && Object.fromEntries(missing.map((key) => [key, t(`databases.form.needed.${key}`)]))),
  };
  const connectedNow = connection === undefined && outcome?.success === true && !retry;

  const finish = (saved: DatabaseConnectionSaved) => {
    setOutcome(saved);
    setRetry(false);
    if (!saved.success || !saved.databaseConnection) return;
    setStored(saved.databaseConnection);
    setDraft((now) => ({ ...now, password: "" }));
    if (connection) {
      showToast(t("databases.form.saved", { name: saved.databaseConnection.name }));
      onClose(saved.databaseConnection.id);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (missing.length > 0 || busy) return;
    connect.reset();
    change.reset();
    if (stored) change.mutate({ id: stored.id, change: changeOf(draft, stored) }, { onSuccess: finish });
    else connect.mutate(newConnection(draft), { onSuccess: finish });
  };
  const close = () => onClose(connection ? undefined : stored?.id);
  return (
    <SplitDialog
      open
      onOpenChange={(open) => !open && close()}
      title={
        connection ? t("databases.form.editTitle", { name: connection.name }) : t("databases.form.title")
      }
      lead={t(connection ? "databases.form.editLead" : "databases.form.lead")}
      aside={
        <ConnectionOutcome
          connection={stored}
          outcome={outcome}
          refusal={refused ? failure(refused) : null}
          busy={busy}
        />
      }
      actions={
        connectedNow ? (
          <>
            {outcome.audit?.verdict !== "read_only" && (
              <Button onClick={() => setRetry(true)}>{t("databases.form.otherRole")}</Button>
            )}
            <Button tone="primary" onClick={close}>
              {t("databases.form.done")}
            </Button>
          </>
        ) : (
          <SubmitActions
            formId={formId}
            kind={connection ? "save" : outcome || refused ? "again" : "connect"}
            busy={busy}
            onCancel={close}
          />
        )
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <fieldset disabled={connectedNow} className="contents">
          <ConnectionFields
            draft={draft}
            onChange={setDraft}
            errors={errors}
            stored={stored}
            editing={connection !== undefined}
            focusRole={retry}
          />
        </fieldset>
      </form>
    </SplitDialog>
  );
}

interface SubmitActionsProps {
  formId: string;
  kind: "save" | "again" | "connect";
  busy: boolean;
  onCancel: () => void;
}

function SubmitActions({ formId, kind, busy, onCancel }: SubmitActionsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Button tone="quiet" className="mr-auto" onClick={onCancel}>
        {t("common.cancel")}
      </Button>
      <Button
        type="submit"
        form={formId}
        tone="primary"
        busy={busy && t(kind === "save" ? "databases.form.saving" : "databases.form.opening")}
      >
        {t(`databases.form.${kind}`)}
      </Button>
    </>
  );
}

/** What the server says of single fields. */
function refusals(error: ApiError): Partial<Record<Needed, string>> {
  const named = error.fields.flatMap(({ path, message }) => {
    const key = NEEDED.find((one) => one === path);
    return key ? [[key, message]] : [];
  });
  return Object.fromEntries(named);
}
