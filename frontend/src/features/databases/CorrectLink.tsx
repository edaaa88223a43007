import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { tableQuery, tablesQuery, useChangeLink } from "@/api/queries/catalogue";
import type { DocumentNote } from "@/api/types";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field, SelectField } from "@/ui/Field";
import { useSettled } from "@/ui/hooks";
import type { Thing } from "./LinkRow";
import { NoteQuote } from "./NoteMark";

interface CorrectLinkProps {
  connectionId: string;
  thing: Thing;
  note: DocumentNote;
  onClose: () => void;
}

const TYPING_MS = 150;

/** Says which table or column the words of a document are really about. */
export function CorrectLink({ connectionId, thing, note, onClose }: CorrectLinkProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [wanted, setWanted] = useState(`${thing.schema}.${thing.table}`);
  const [column, setColumn] = useState(thing.column ?? "");
  const [touched, setTouched] = useState(false);
  const q = useSettled(wanted.split(".").at(-1)?.trim() ?? "", TYPING_MS);
  const { data: found } = useInfiniteQuery(tablesQuery(connectionId, q, null));
  const tables = found?.pages.flatMap((page) => page.items) ?? [];
  const chosen = tables.find(
    ({ schema, name }) => wanted.trim() === `${schema}.${name}` || wanted.trim() === name,
  );
  const table = useQuery({
    ...tableQuery(connectionId, { schema: chosen?.schema ?? "", table: chosen?.name ?? "" }),
    enabled: chosen !== undefined,
  });
  const columns = chosen ? (table.data?.columns.map((one) => one.name) ?? []) : [];
  const inTable = columns.includes(column) ? column : "";
  const move = useChangeLink(connectionId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (!chosen) return;
    const change = {
      state: "confirmed" as const,
      schema: chosen.schema,
      table: chosen.name,
      column: inTable || null,
    };
    move.mutate({ linkId: note.linkId, change }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={t("databases.links.correctTitle", { title: note.title })}
    >
      <p className="text-ink-2 mt-1.5">{t("databases.links.correctLead")}</p>
      <NoteQuote quote={note.quote} clamp />
      <form onSubmit={submit} className="grid gap-4 mt-4">
        <div className="grid grid-cols-2 max-sm:grid-cols-1 gap-3">
          <Field
            label={t("databases.links.table")}
            value={wanted}
            list={listId}
            autoComplete="off"
            spellCheck={false}
            help={t("databases.links.tableHelp")}
            error={touched && !chosen ? t("databases.links.tableUnknown") : null}
            onChange={(event) => setWanted(event.target.value)}
          />
          <datalist id={listId}>
            {tables.map(({ schema, name }) => (
              <option key={`${schema}.${name}`} value={`${schema}.${name}`} />
            ))}
          </datalist>
          <SelectField
            label={t("databases.links.column")}
            value={inTable}
            options={[
              { value: "", label: t("databases.links.wholeTable") },
              ...columns.map((name) => ({ value: name, label: name })),
            ]}
            onChange={setColumn}
          />
        </div>
        <div className="flex justify-end gap-2">
          <Button tone="quiet" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" tone="primary" busy={move.isPending && t("databases.links.moving")}>
            {t("databases.links.move")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
