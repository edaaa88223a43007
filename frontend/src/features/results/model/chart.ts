import {
  type Column,
  compareValues,
  drawnNumber,
  formatValue,
  kindOf,
  microsecondsOf,
  namesThings,
  type Row,
} from "./values";

export type ChartKind = "bars" | "lines" | "points";

/** One bar, dot or corner of a line. */
export interface ChartPoint {
  /** The name of the bar; in a cloud of points the horizontal number stands in `at`. */
  name: string;
  /** Milliseconds or a number on the horizontal axis, where it is one. */
  at: number | null;
  value: number;
  /** The value as it is written at the bar, every digit of it. */
  label: string;
  series: string;
  /** The row of the result that it stands for. */
  row: number;
}

export interface Chart {
  kind: ChartKind;
  kinds: readonly ChartKind[];
  points: readonly ChartPoint[];
  /** The last of two is the one that matters, the first stands beside it for comparison. */
  series: readonly string[];
  /** Names of the bars in their order, top to bottom or left to right. */
  names: readonly string[];
  across: string;
  /** What lies on the horizontal axis of lines and points. */
  scale: "moment" | "number" | "name";
  value: string;
  /** Rows that have a place in the chart, and how many of them are drawn. */
  rowCount: number;
  drawn: number;
}

const MOST_NAMES = 24;
const MOST_POINTS = 1_000;
const MOST_SERIES = 4;
const ALIKE = 10;
const IN_ORDER = /(^|[_\s])(year|yr|period|prd|quarter|month|week|day|hour|anno|mese|age|rank|step)$/i;

interface Parts {
  measures: number[];
  names: number[];
}

/** Which columns are drawn as values, and which name them. */
function partsOf(columns: readonly Column[], rows: readonly Row[]): Parts {
  const numbers = columns.flatMap((column, at) =>
    kindOf(column.type) === "number" && rows.some((row) => drawnNumber(row[at]) !== null) ? [at] : [],
  );
  const counting = numbers.filter((at) => !namesThings(columns[at]?.name ?? ""));
  const measures = counting.length > 0 ? counting : numbers.slice(-1);
  return { measures, names: columns.flatMap((_column, at) => (measures.includes(at) ? [] : [at])) };
}

/** The columns that can be drawn as values; none where a result is no matter for a chart. */
export function measuresOf(columns: readonly Column[], rows: readonly Row[]): number[] {
  return rows.length < 2 ? [] : partsOf(columns, rows).measures;
}

interface Wanted {
  kind?: ChartKind | undefined;
  /** The column that is drawn, where the reader chose one. */
  measure?: number | undefined;
  locale: string;
}

/** What is drawn of a result: a sensible choice, or what the reader wants. Null where nothing can be. */
export function chartOf(columns: readonly Column[], rows: readonly Row[], wanted: Wanted): Chart | null {
  const parts = partsOf(columns, rows);
  if (rows.length < 2 || parts.measures.length === 0) return null;
  const cloud = parts.measures.length > 1;
  const moment = parts.names.find((at) => kindOf(columns[at]?.type ?? "") === "moment");
  const kinds: ChartKind[] = ["bars", "lines"];
  if (cloud) kinds.push("points");
  const usual: ChartKind =
    parts.names.length === 0 && cloud ? "points" : moment !== undefined && rows.length > 2 ? "lines" : "bars";
  const kind = wanted.kind && kinds.includes(wanted.kind) ? wanted.kind : usual;
  if (kind === "points") return { ...cloudOf(columns, rows, parts, wanted), kinds };
  return { ...namedOf(columns, rows, parts, { ...wanted, kind, moment }), kinds };
}

type Drawn = Omit<Chart, "kinds">;

function cloudOf(columns: readonly Column[], rows: readonly Row[], parts: Parts, wanted: Wanted): Drawn {
  const down = wanted.measure ?? parts.measures.at(-1) ?? 0;
  const across = parts.measures.find((at) => at !== down) ?? down;
  const points = rows.flatMap((row, at): ChartPoint[] => {
    const value = drawnNumber(row[down]);
    const place = drawnNumber(row[across]);
    if (value === null || place === null) return [];
    const name = nameOf(columns, row, parts.names, wanted.locale);
    return [
      { name, at: place, value, label: written(columns, row, down, wanted.locale), series: "", row: at },
    ];
  });
  return {
    kind: "points",
    points: points.slice(0, MOST_POINTS),
    series: [""],
    names: [],
    across: columns[across]?.name ?? "",
    scale: "number",
    value: columns[down]?.name ?? "",
    rowCount: points.length,
    drawn: Math.min(points.length, MOST_POINTS),
  };
}

function namedOf(
  columns: readonly Column[],
  rows: readonly Row[],
  parts: Parts,
  wanted: Wanted & { kind: ChartKind; moment: number | undefined },
): Drawn {
  const split =
    wanted.measure !== undefined || parts.measures.length === 1 ? splitOf(rows, parts, wanted.moment) : null;
  const naming = split === null ? parts.names : parts.names.filter((at) => at !== split);
  const drawn =
    split === null && wanted.measure === undefined
      ? alike(rows, parts.measures)
      : [wanted.measure ?? parts.measures[0] ?? 0];
  const useMoment = wanted.kind === "lines" && wanted.moment !== undefined && naming.length === 1;
  const points = pointsOf(columns, rows, {
    naming,
    measures: drawn,
    split,
    moment: useMoment ? wanted.moment : undefined,
    locale: wanted.locale,
  });
  const series = [...new Set(points.map((point) => point.series))];
  const names = orderedNames(columns, rows, naming, points, series.at(-1) ?? "");
  const most = wanted.kind === "bars" ? MOST_NAMES : MOST_POINTS;
  const kept = new Set(names.slice(0, most));
  return {
    kind: wanted.kind,
    points: points.filter((point) => kept.has(point.name)),
    series,
    names: names.slice(0, most),
    across: naming.map((at) => columns[at]?.name).join(", "),
    scale: useMoment ? "moment" : "name",
    value: drawn.map((at) => columns[at]?.name).join(", "),
    rowCount: names.length,
    drawn: Math.min(names.length, most),
  };
}

interface Placing {
  naming: readonly number[];
  measures: readonly number[];
  split: number | null;
  moment: number | undefined;
  locale: string;
}

function pointsOf(columns: readonly Column[], rows: readonly Row[], placing: Placing): ChartPoint[] {
  const times = new Map<string, number>();
  const points: ChartPoint[] = [];
  rows.forEach((row, at) => {
    for (const measure of placing.measures) {
      const point = pointOf(columns, row, at, measure, placing);
      if (!point) continue;
      const key = `${point.series}\n${point.name}`;
      const seen = (times.get(key) ?? 0) + 1;
      times.set(key, seen);
      points.push(seen > 1 ? { ...point, name: `${point.name} (${seen})` } : point);
    }
  });
  return points;
}

function pointOf(
  columns: readonly Column[],
  row: Row,
  at: number,
  measure: number,
  { naming, split, moment, locale }: Placing,
): ChartPoint | null {
  const value = drawnNumber(row[measure]);
  const place = moment === undefined ? null : microsecondsOf(row[moment] ?? "");
  if (value === null || (moment !== undefined && place === null)) return null;
  return {
    name: nameOf(columns, row, naming, locale) || String(at + 1),
    at: place === null ? null : Number(place / 1000n),
    value,
    label: written(columns, row, measure, locale),
    series: (split === null ? columns[measure]?.name : row[split]) ?? "",
    row: at,
  };
}

/** A second naming column with a few values parts the bars into series, where the names alone are not one a row. */
function splitOf(rows: readonly Row[], parts: Parts, moment: number | undefined): number | null {
  if (parts.names.length !== 2) return null;
  const [first = 0, second = 0] = parts.names;
  const candidate = moment === second ? first : second;
  const values = new Set(rows.map((row) => row[candidate] ?? ""));
  return values.size <= MOST_SERIES && values.size < rows.length ? candidate : null;
}

/** Two measures at most, of one order of size: more, or others, would make bars that cannot be compared. */
function alike(rows: readonly Row[], measures: readonly number[]): number[] {
  const [first = 0, second] = measures;
  if (second === undefined) return [first];
  const [one, two] = [largest(rows, first), largest(rows, second)];
  return Math.max(one, two) <= ALIKE * Math.min(one, two) ? [first, second] : [first];
}

function largest(rows: readonly Row[], at: number): number {
  return rows.reduce((most, row) => Math.max(most, Math.abs(drawnNumber(row[at]) ?? 0)), 0);
}

/** Bars stand by size, largest first; what has an order of its own keeps it. */
function orderedNames(
  columns: readonly Column[],
  rows: readonly Row[],
  naming: readonly number[],
  points: readonly ChartPoint[],
  main: string,
): string[] {
  const [only] = naming;
  const column = only === undefined ? undefined : columns[only];
  const kind = kindOf(column?.type ?? "text");
  const inOrder = column && naming.length === 1 && (kind === "moment" || IN_ORDER.test(column.name));
  const firsts = [...new Map(points.map((point) => [point.name, point])).values()];
  if (inOrder && kind !== "text") {
    const value = (point: ChartPoint) => rows[point.row]?.[only ?? 0] ?? "";
    firsts.sort((a, b) => compareValues(value(a), value(b), kind));
  } else if (!inOrder) {
    const sizes = new Map(
      points.filter((point) => point.series === main).map((point) => [point.name, point.value]),
    );
    const size = (name: string) => sizes.get(name) ?? Number.NEGATIVE_INFINITY;
    firsts.sort((a, b) => size(b.name) - size(a.name));
  }
  return firsts.map((point) => point.name);
}

function nameOf(columns: readonly Column[], row: Row, naming: readonly number[], locale: string): string {
  return naming
    .map((at) => {
      const value = row[at];
      const column = columns[at];
      return value === null || value === undefined || !column ? "null" : formatValue(value, column, locale);
    })
    .join(" · ");
}

function written(columns: readonly Column[], row: Row, at: number, locale: string): string {
  const column = columns[at];
  return column ? formatValue(row[at] ?? "", column, locale) : "";
}
