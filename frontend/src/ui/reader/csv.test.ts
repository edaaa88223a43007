import { expect, test } from "vitest";
import { readCsv, rowsWithin } from "./csv";

const TEXT =
  "| sku | price | note |\n| --- | --- | --- |\n| SL-1 | 1.5 | a \\| b |\n| SL-2 | 20 |  |\n| 東 | 3 | c\\\\ |\n";

test("reads the stored table with its header, cells and numeric columns", () => {
  const table = readCsv(TEXT);
  expect(table.header).toEqual(["sku", "price", "note"]);
  expect(table.rows.map((row) => row.cells)).toEqual([
    ["SL-1", "1.5", "a | b"],
    ["SL-2", "20", ""],
    ["東", "3", "c\\"],
  ]);
  expect(table.numeric).toEqual([false, true, false]);
});

test("places of rows are those of the text", () => {
  const { rows } = readCsv(TEXT);
  expect(rows.map((row) => TEXT.slice(row.start, row.end))).toEqual([
    "| SL-1 | 1.5 | a \\| b |",
    "| SL-2 | 20 |  |",
    "| 東 | 3 | c\\\\ |",
  ]);
  const cited = TEXT.indexOf("SL-2");
  expect(rowsWithin(rows, [{ start: cited, end: cited + 4 }])).toEqual([1]);
});

test("an empty text has no rows", () => {
  expect(readCsv("").rows).toEqual([]);
});
