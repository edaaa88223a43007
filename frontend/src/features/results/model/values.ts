import { compareDecimals, formatDecimal, isDecimal } from "@/lib/decimals";

/** One column of a result as it stands on the wire: PostgreSQL's own name of the type. */
export interface Column {
  name: string;
  type: string;
}

/** A row of a result: every value is text, null is NULL. */
export type Row = readonly (string | null)[];

export type ValueKind = "number" | "money" | "moment" | "interval" | "boolean" | "text";

const KINDS: [RegExp, ValueKind][] = [
  [
    /^(smallint|integer|bigint|int[248]|numeric|decimal|real|double precision|float[48]|oid)(\(.*\))?$/,
    "number",
  ],
  [/^money$/, "money"],
  [/^(date|timestamp|timestamptz)(\(\d+\))?( with(out)? time zone)?$/, "moment"],
  [/^interval/, "interval"],
  [/^bool(ean)?$/, "boolean"],
];

/** What the values of a PostgreSQL type are to a reader. Arrays and everything not named here are text. */
export function kindOf(type: string): ValueKind {
  if (type.endsWith("[]")) return "text";
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? "text";
}

/** Numbers stand at the right, so that their digits stand below each other. */
export function isNumeric(column: Column): boolean {
  const kind = kindOf(column.type);
  return kind === "number" || kind === "money";
}

const NAMING =
  /(?:^[a-z]{1,2}no$)|(^|[_\s])(id|key|year|yr|fy|no|nr|num|number|code|cd|period|prd|zip|plz|cap|batch|oid|anno|codice)$/i;
const IN_TIME = /(^|[_\s])(year|yr|period|prd|quarter|month|week|hour|anno|mese)$/i;
/** "last_quarter", "this_year": what was counted then, not the name of a time. */
const COUNTED_THEN = /(^|[_\s])(last|this|prev|previous|next|current|prior|per|before|after|same)[_\s]/i;

/** Whether the numbers of a column name things, such as years, keys and codes, and count nothing. */
export function namesThings(name: string): boolean {
  return (NAMING.test(name) || IN_TIME.test(name)) && !COUNTED_THEN.test(name);
}

/** A value as a person reads it, in a locale; the digits of a number all stay. */
export function formatValue(value: string, column: Column, locale: string): string {
  const kind = kindOf(column.type);
  if (kind === "number")
    return formatDecimal(value, locale, value.includes(".") || !namesThings(column.name));
  if (kind === "boolean") return value === "t" ? "true" : value === "f" ? "false" : value;
  return value;
}

const SPECIAL: Record<string, number> = {
  "-Infinity": -1,
  "-infinity": -1,
  Infinity: 1,
  infinity: 1,
  NaN: 2,
};

/** The order of two values of a column as PostgreSQL would have it, as far as their text tells. */
export function compareValues(a: string, b: string, kind: ValueKind): number {
  if (a === b) return 0;
  const left = SPECIAL[a] ?? 0;
  const right = SPECIAL[b] ?? 0;
  if (kind !== "text" && left !== right) return left - right;
  switch (kind) {
    case "number":
      return compareDecimals(a, b);
    case "money":
      return compareDecimals(amount(a), amount(b));
    case "moment":
      return compareOrdered(microsecondsOf(a), microsecondsOf(b)) || collator.compare(a, b);
    case "interval":
      return compareOrdered(intervalOf(a), intervalOf(b)) || collator.compare(a, b);
    default:
      return collator.compare(a, b);
  }
}

const collator = new Intl.Collator(undefined, { usage: "sort" });

function compareOrdered(a: bigint | null, b: bigint | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

/** The digits of an amount of money as PostgreSQL writes it in the usual locales: "-$1,234.50". */
function amount(text: string): string {
  return text.replace(/[^\d.-]/g, "");
}

const MOMENT =
  /^(\d{4,})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:([+-])(\d\d)(?::?(\d\d))?)?)?( BC)?$/;

/** Microseconds since 1970 of a date or timestamp, before or after Christ; null for what is none. */
export function microsecondsOf(text: string): bigint | null {
  const match = MOMENT.exec(text);
  if (!match) return null;
  const number = (index: number) => BigInt(match[index] ?? 0);
  const year = match[11] ? 1n - number(1) : number(1);
  const offset = (number(9) * 60n + number(10)) * (match[8] === "-" ? -1n : 1n);
  const minutes = daysFrom1970(year, number(2), number(3)) * 1440n + number(4) * 60n + number(5) - offset;
  return (minutes * 60n + number(6)) * 1_000_000n + BigInt((match[7] ?? "").padEnd(6, "0"));
}

/** Days since 1970-01-01 in the Gregorian calendar, for any year. */
function daysFrom1970(year: bigint, month: bigint, day: bigint): bigint {
  const shifted = month <= 2n ? year - 1n : year;
  const era = (shifted >= 0n ? shifted : shifted - 399n) / 400n;
  const yearOfEra = shifted - era * 400n;
  const dayOfYear = (153n * (month > 2n ? month - 3n : month + 9n) + 2n) / 5n + day - 1n;
  return era * 146_097n + yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + dayOfYear - 719_468n;
}

const INTERVAL_PART = /(-?\d+) (year|mon|day)s?/g;
const INTERVAL_TIME = /(-?)(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?/;

/** Microseconds of an interval with months of 30 days, as PostgreSQL orders intervals. */
function intervalOf(text: string): bigint | null {
  let days = 0n;
  for (const [, count, unit] of text.matchAll(INTERVAL_PART)) {
    days += BigInt(count ?? 0) * (unit === "year" ? 360n : unit === "mon" ? 30n : 1n);
  }
  const time = INTERVAL_TIME.exec(text);
  if (!time) return days * 86_400_000_000n;
  const part = (index: number) => BigInt(time[index] ?? 0);
  const seconds = part(2) * 3600n + part(3) * 60n + part(4);
  const fraction = BigInt((time[5] ?? "").padEnd(6, "0"));
  return days * 86_400_000_000n + (seconds * 1_000_000n + fraction) * (time[1] === "-" ? -1n : 1n);
}

/** Orders a result by one of its columns. */
export interface Sort {
  /** Counted from 0. */
  column: number;
  descending: boolean;
}

/** The positions of the rows in the order of `sort`; missing values stand last in both directions. */
export function sortedPositions(
  columns: readonly Column[],
  rows: readonly Row[],
  sort: Sort | null,
): number[] {
  const positions = rows.map((_row, position) => position);
  if (!sort) return positions;
  const kind = kindOf(columns[sort.column]?.type ?? "text");
  const sign = sort.descending ? -1 : 1;
  return positions.sort((a, b) => {
    const left = rows[a]?.[sort.column] ?? null;
    const right = rows[b]?.[sort.column] ?? null;
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * compareValues(left, right, kind);
  });
}

/** What the next press of a column's head asks for: numbers begin with the largest, all else with the first. */
export function nextSort(current: Sort | null, column: number, type: string): Sort | null {
  const first = kindOf(type) === "number" || kindOf(type) === "money";
  if (current?.column !== column) return { column, descending: first };
  return current.descending === first ? { column, descending: !first } : null;
}

/** A value as a number for drawing, where a picture needs no more than double precision; null for what is none. */
export function drawnNumber(value: string | null | undefined): number | null {
  if (value === null || value === undefined || !isDecimal(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
