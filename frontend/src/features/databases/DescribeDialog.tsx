import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDescribe } from "@/api/queries/catalogue";
import { useChangeDatabase } from "@/api/queries/databases";
import type { ColumnDetail, DatabaseConnection, TableDetail } from "@/api/types";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field, TextField } from "@/ui/Field";
import { useFailure } from "@/ui/failure";
import { Switch } from "@/ui/Switch";
import { useMay } from "./useMay";

interface DescribeDialogProps {
  connection: DatabaseConnection;
  table: TableDetail;
  /** Null for the table itself. */
  column: ColumnDetail | null;
  onClose: () => void;
}

/** What people say of a table or a column, what else they call it, and whether its values may be shown. */
export function DescribeDialog({ connection, table, column, onClose }: DescribeDialogProps) {
  const { t } = useTranslation();
  const failure = useFailure();
  const { manage } = useMay();
  const thing = column ?? table;
  const full = `${table.schema}.${table.name}.${column?.name}`;
  const [description, setDescription] = useState(thing.description ?? "");
  const [synonyms, setSynonyms] = useState(thing.synonyms.join(", "));
  const [denied, setDenied] = useState(column?.denied ?? false);
  const describe = useDescribe(connection.id);
  const change = useChangeDatabase();
  const error = describe.error ?? change.error;
  const save = async () => {
    const names = synonyms.split(",").map((name) => name.trim());
    if (column && denied !== column.denied) {
      const rest = connection.deniedColumns.filter((name) => name !== full);
      await change.mutateAsync({
        id: connection.id,
        change: { deniedColumns: denied ? [...rest, full] : rest },
      });
    }
    await describe.mutateAsync({
      schema: table.schema,
      table: table.name,
      column: column?.name ?? null,
      change: { description: description.trim() || null, synonyms: [...new Set(names.filter(Boolean))] },
    });
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A refusal is shown below the fields.
    save().catch(() => {});
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={t("databases.describe.title", { name: column ? `${table.name}.${column.name}` : table.name })}
    >
      <form onSubmit={submit} className="mt-4 grid gap-4">
        <TextField
          label={t("databases.describe.description")}
          value={description}
          rows={4}
          maxLength={2000}
          help={t("databases.describe.descriptionHelp")}
          onChange={(event) => setDescription(event.target.value)}
        />
        <Field
          label={t("databases.describe.synonyms")}
          value={synonyms}
          help={t("databases.describe.synonymsHelp")}
          onChange={(event) => setSynonyms(event.target.value)}
        />
        {column && manage && (
          <div className="flex items-center gap-3">
            <Switch label={t("databases.describe.denied")} checked={denied} onChange={setDenied} />
            <p>
              <span className="font-medium block">{t("databases.describe.denied")}</span>
              <span className="text-xs text-ink-3">{t("databases.describe.deniedHelp")}</span>
            </p>
          </div>
        )}
        {error && (
          <p role="alert" className="text-bad bg-bad-soft rounded-sm px-3 py-2 break-words">
            {failure(error).detail}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button tone="quiet" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            type="submit"
            tone="primary"
            busy={(describe.isPending || change.isPending) && t("databases.describe.saving")}
          >
            {t("databases.describe.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
