import { measuresOf } from "./chart";
import { type Column, kindOf, type Row } from "./values";

/**
 * A statement that counts the rows of another one in groups and sums its first number, for results that are too
 * large to be read whole. Only columns whose name is there once can be named.
 */
export function groupedSql(sql: string, columns: readonly Column[], rows: readonly Row[]): string {
  const once = (at: number) => columns.filter((column) => column.name === columns[at]?.name).length === 1;
  const measures = measuresOf(columns, rows);
  const measure = measures.find(once);
  const group = columns.findIndex((_column, at) => once(at) && !measures.includes(at));
  const inner = `(\n${sql.trim().replace(/;\s*$/, "")}\n) AS whole`;
  const sum = measure === undefined ? [] : [`sum(${quoted(columns[measure]?.name)}) AS total`];
  if (group === -1) return `SELECT ${["count(*) AS row_count", ...sum].join(", ")}\nFROM ${inner}`;
  const name = quoted(columns[group]?.name);
  const moment = kindOf(columns[group]?.type ?? "") === "moment";
  const key = moment ? `date_trunc('month', ${name})::date AS month` : name;
  const order = moment ? "1" : "2 DESC";
  return `SELECT ${[key, "count(*) AS row_count", ...sum].join(", ")}\nFROM ${inner}\nGROUP BY 1\nORDER BY ${order}\nLIMIT 100`;
}

function quoted(name = ""): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
