import type { DocumentNote, TableDetail } from "@/api/types";

/** Numbers the documents that say something of a table: those of the table first, then column by column. */
export function numberDocuments(table: TableDetail): Map<string, number> {
  const numbers = new Map<string, number>();
  const notes = [...table.notes, ...table.columns.flatMap((column) => column.notes)];
  for (const { documentId } of notes) {
    if (!numbers.has(documentId)) numbers.set(documentId, numbers.size + 1);
  }
  return numbers;
}

/** One note for each document, those that people confirmed first, then the better fitting ones. */
export function bestNotes(notes: readonly DocumentNote[]): DocumentNote[] {
  const sorted = [...notes].sort(
    (a, b) => Number(b.state === "confirmed") - Number(a.state === "confirmed") || b.score - a.score,
  );
  return [...new Map(sorted.toReversed().map((note) => [note.documentId, note])).values()].toReversed();
}

/** Whether a query that reads `tables` (`schema.table`) reads this one. */
export function readsTable(tables: readonly string[], table: { schema: string; name: string }): boolean {
  return tables.includes(`${table.schema}.${table.name}`) || tables.includes(table.name);
}

/** "table" or "table.column", with its schema where that is not the usual one. */
export function thingName({ schema, table, column }: ThingName): string {
  return [...(schema === "public" ? [] : [schema]), table, ...(column ? [column] : [])].join(".");
}

interface ThingName {
  schema: string;
  table: string;
  column: string | null;
}
