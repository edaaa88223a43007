import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { TableDetail } from "@/api/types";
import { LinkRow } from "./LinkRow";

/** Everything that documents say of a table and its columns, each to be confirmed, corrected or refused. */
export function DocumentsTab({ connectionId, table }: { connectionId: string; table: TableDetail }) {
  const { t } = useTranslation();
  const place = { schema: table.schema, table: table.name };
  const links = [
    ...table.notes.map((note) => ({ note, thing: { ...place, column: null } })),
    ...table.columns.flatMap((column) =>
      column.notes.map((note) => ({ note, thing: { ...place, column: column.name } })),
    ),
  ];
  return (
    <>
      {links.length === 0 && <p className="px-4 py-3 text-ink-3">{t("databases.links.noneForTable")}</p>}
      <ul className="px-4">
        {links.map(({ note, thing }) => (
          <LinkRow key={note.linkId} connectionId={connectionId} thing={thing} note={note} />
        ))}
      </ul>
      <p className="px-4 pt-3">
        <Link
          to="/databases/links"
          search={{ connection: connectionId }}
          className="text-accent underline underline-offset-[3px] decoration-1"
        >
          {t("databases.links.reviewAll")}
        </Link>
      </p>
    </>
  );
}
