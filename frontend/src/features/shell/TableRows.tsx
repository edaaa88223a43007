import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Database, Table } from "lucide-react";
import { useTranslation } from "react-i18next";
import { foundTablesQuery } from "@/api/queries/catalogue";
import { databasesQuery } from "@/api/queries/databases";
import { findRanges } from "@/lib/ranges";
import { useSettled } from "@/ui/hooks";
import { GROUP, Matched, Row, type RowsProps } from "./paletteRows";

const TYPING_MS = 200;
const SEARCHED = 4;
const SHOWN = 5;

/** Databases and tables whose names fit what was typed. */
export function TableRows({ text, onDone }: RowsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const settled = useSettled(text, TYPING_MS);
  const wanted = settled.length > 1;
  const { data } = useQuery({ ...databasesQuery, refetchInterval: false, enabled: wanted });
  const databases = (wanted && data?.items) || [];
  const answers = useQueries({
    queries: databases.slice(0, SEARCHED).map(({ id }) => foundTablesQuery(id, settled)),
  });
  const named = databases.filter(({ name }) => findRanges(name, text, 1).length > 0);
  const tables = answers.flatMap(({ data: page }, index) => {
    const database = databases[index];
    return database ? (page?.items ?? []).map((table) => ({ database, table })) : [];
  });
  if (named.length + tables.length === 0) return null;
  const open = (search: { connection: string; schema?: string; table?: string }) => {
    onDone();
    void navigate({ to: "/databases", search });
  };
  return (
    <Command.Group heading={t("shell.palette.tables")} className={GROUP}>
      {named.map(({ id, name }) => (
        <Row
          key={id}
          id={`database-${id}`}
          icon={<Database size={16} />}
          onPick={() => open({ connection: id })}
        >
          <Matched text={name} query={text} />
        </Row>
      ))}
      {tables.slice(0, SHOWN).map(({ database, table: { schema, name } }) => (
        <Row
          key={`${database.id}.${schema}.${name}`}
          id={`table-${database.id}.${schema}.${name}`}
          icon={<Table size={16} />}
          end={<span className="text-xs text-ink-3">{database.name}</span>}
          onPick={() => open({ connection: database.id, schema, table: name })}
        >
          <code>
            <Matched text={name} query={text} />
          </code>
        </Row>
      ))}
    </Command.Group>
  );
}
