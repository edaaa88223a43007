import { EyeOff, KeyRound, MoveUpRight, Pencil } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ColumnDetail, DatabaseConnection, TableDetail } from "@/api/types";
import { IconButton } from "@/ui/Button";
import { DescribeDialog } from "./layers";
import { bestNotes } from "./model/tables";
import { NoteMarks } from "./NoteMark";
import { useMay } from "./useMay";

interface ColumnsTabProps {
  connection: DatabaseConnection;
  table: TableDetail;
  numbers: ReadonlyMap<string, number>;
}

const CELL = "px-4 py-2 align-top";
const HEAD = "px-4 pt-2 pb-1.5 text-left text-xs font-medium text-ink-2 border-b border-line";
const VALUES = 12;

/** The columns of a table with their types and what documents and people say of them. */
export function ColumnsTab({ connection, table, numbers }: ColumnsTabProps) {
  const { t } = useTranslation();
  const { write } = useMay();
  const [described, setDescribed] = useState<ColumnDetail | null>(null);
  return (
    <>
      <table className="w-full border-collapse">
        <thead>
          <tr>
            <th scope="col" className={`${HEAD} w-[10.5rem] max-sm:w-[7.5rem]`}>
              {t("databases.columns.column")}
            </th>
            <th scope="col" className={`${HEAD} w-[8rem] max-sm:hidden`}>
              {t("databases.columns.type")}
            </th>
            <th scope="col" className={HEAD}>
              {t("databases.columns.says")}
            </th>
          </tr>
        </thead>
        <tbody>
          {table.columns.map((column) => (
            <tr key={column.name} className="group border-b border-line last:border-b-0">
              <th scope="row" className={`${CELL} text-left font-regular`}>
                <ColumnName name={column.name} />
                <ColumnMarks column={column} table={table} />
                <span className="sm:hidden block font-mono text-2xs text-ink-3 break-words mt-0.5">
                  {column.type}
                </span>
              </th>
              <td className={`${CELL} max-sm:hidden font-mono text-xs leading-normal text-ink-3 break-words`}>
                {column.type}
              </td>
              <td className={CELL}>
                <div className="flex items-start gap-2">
                  <div className="grow min-w-0">
                    <Says
                      column={column}
                      numbers={numbers}
                      onDescribe={write ? () => setDescribed(column) : undefined}
                    />
                  </div>
                  {write && says(column) && (
                    <IconButton
                      size="sm"
                      label={t("databases.columns.edit", { name: column.name })}
                      icon={<Pencil size={14} aria-hidden />}
                      className="-my-1 sm:opacity-0 sm:group-hover:opacity-100 focus-visible:opacity-100"
                      onClick={() => setDescribed(column)}
                    />
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {described && (
        <DescribeDialog
          connection={connection}
          table={table}
          column={described}
          onClose={() => setDescribed(null)}
        />
      )}
    </>
  );
}

/** A name that may go over two lines, but only after its underscores. */
function ColumnName({ name }: { name: string }) {
  const parts = name.split(/(?<=_)/);
  return (
    <code className="wrap-anywhere">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a fixed text have no other name
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  );
}

function says(column: ColumnDetail): boolean {
  return Boolean(column.description) || column.notes.length > 0 || Boolean(column.comment);
}

function ColumnMarks({ column, table }: { column: ColumnDetail; table: TableDetail }) {
  const { t } = useTranslation();
  const reference = table.foreignKeys.find((one) => one.columns.includes(column.name));
  const refersTo = reference && t("databases.columns.refersTo", { table: reference.table });
  return (
    <span className="inline-flex gap-1 ml-1.5 align-[-1px] text-ink-3">
      {column.inPrimaryKey && (
        <span title={t("databases.columns.inKey")}>
          <KeyRound size={12} aria-label={t("databases.columns.inKey")} />
        </span>
      )}
      {refersTo && (
        <span title={refersTo}>
          <MoveUpRight size={12} aria-label={refersTo} />
        </span>
      )}
    </span>
  );
}

interface SaysProps {
  column: ColumnDetail;
  numbers: ReadonlyMap<string, number>;
  onDescribe: (() => void) | undefined;
}

function Says({ column, numbers, onDescribe }: SaysProps) {
  const { t } = useTranslation();
  const quote = bestNotes(column.notes)[0];
  const words = column.description ?? quote?.quote;
  return (
    <>
      {words && (
        <p className="font-read text-[0.90625rem] leading-normal max-w-[68ch] break-words">
          {words} <NoteMarks notes={column.notes} numbers={numbers} />
          {!column.description && quote?.state === "proposed" && (
            <Aside>{t("databases.columns.proposed")}</Aside>
          )}
        </p>
      )}
      {!words && column.comment && (
        <p>
          <span className="text-ink-3">{t("databases.columns.comment")}</span> {column.comment}
        </p>
      )}
      {!words && !column.comment && (
        <p className="text-ink-3">
          {t("databases.columns.nothing")}{" "}
          {onDescribe && (
            <button
              type="button"
              aria-label={`${t("databases.columns.describe")}: ${column.name}`}
              onClick={onDescribe}
              className="text-accent underline underline-offset-[3px] decoration-1 rounded-xs py-0.5"
            >
              {t("databases.columns.describe")}
            </button>
          )}
        </p>
      )}
      {column.synonyms.length > 0 && (
        <Line>{t("databases.columns.also", { names: column.synonyms.join(t("common.and")) })}</Line>
      )}
      {column.enumValues && <EnumValues values={column.enumValues} />}
      {column.denied && (
        <Line>
          <EyeOff size={12} aria-hidden className="inline align-[-1px] mr-1" />
          {t("databases.columns.denied")}
        </Line>
      )}
      {!column.readable && (
        <Line>
          <EyeOff size={12} aria-hidden className="inline align-[-1px] mr-1" />
          {t("databases.columns.unreadable")}
        </Line>
      )}
    </>
  );
}

function EnumValues({ values }: { values: readonly string[] }) {
  const { t } = useTranslation();
  const more = values.length - VALUES;
  return (
    <Line>
      {t("databases.columns.values")}{" "}
      <code className="break-words">{values.slice(0, VALUES).join(", ")}</code>
      {more > 0 && ` ${t("databases.columns.moreValues", { count: more })}`}
    </Line>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <p className="text-xs text-ink-3 mt-1">{children}</p>;
}

function Aside({ children }: { children: ReactNode }) {
  return <span className="font-ui text-xs text-ink-3 whitespace-nowrap ml-1">{children}</span>;
}
