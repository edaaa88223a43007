import type { TopLevelSpec } from "vega-lite";
import type { Chart, ChartPoint } from "./chart";
import type { Inks } from "./inks";

const BAR_PX = 26;
const PAIR_PX = 34;
const NAME_PX = 190;
const VALUE_PX = 64;
const PLAIN_HEIGHT_PX = 240;

/** The chart in the words of Vega-Lite, its rows inline. */
export function specOf(chart: Chart, inks: Inks, width: number): TopLevelSpec {
  const drawn = chart.kind === "bars" ? barsOf(chart, width) : placedOf(chart);
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    data: { values: chart.points as ChartPoint[] },
    width,
    autosize: { type: "fit", contains: "padding" },
    background: "transparent",
    padding: 0,
    ...drawn(inks),
    config: configOf(inks),
  } as TopLevelSpec;
}

const CHARACTER_PX = 7;

/** An axis long enough that the value written behind the longest bar is not cut. */
function roomFor(chart: Chart, width: number): object {
  const main = chart.points.filter((point) => point.series === chart.series.at(-1));
  const most = Math.max(0, ...chart.points.map((point) => point.value));
  const least = Math.min(0, ...chart.points.map((point) => point.value));
  const written = Math.min(VALUE_PX, Math.max(...main.map((point) => point.label.length)) * CHARACTER_PX + 8);
  const room = (most - least) * (written / Math.max(width - written, 1));
  return {
    ...(most > 0 && { domainMax: most + room }),
    ...(least < 0 && { domainMin: least - room }),
    nice: false,
  };
}

type Draw = (inks: Inks) => object;

function barsOf(chart: Chart, width: number): Draw {
  const many = chart.series.length > 1;
  const nameLimit = Math.min(NAME_PX, Math.round(width * 0.42));
  const step =
    (many ? Math.max(PAIR_PX, 14 * chart.series.length) : BAR_PX) * Math.max(chart.names.length, 1);
  return (inks) => {
    const colour = colourOf(chart, inks);
    const y = {
      field: "name",
      type: "nominal",
      sort: chart.names,
      title: null,
      axis: { labelLimit: nameLimit, ticks: false, domain: false, labelPadding: 8, labelColor: inks.ink },
      scale: { paddingInner: many ? 0.24 : 0.3, paddingOuter: 0.15 },
    };
    const x = {
      field: "value",
      type: "quantitative",
      title: null,
      scale: roomFor(chart, width - nameLimit),
      axis: { orient: "top", tickCount: 4, domain: false, ticks: false, labelPadding: 6 },
    };
    const offset = many ? { yOffset: { field: "series", sort: chart.series } } : {};
    const main = chart.series.at(-1);
    return {
      height: step + 28,
      encoding: { y, x, ...offset },
      layer: [
        { mark: { type: "bar", cursor: "pointer" }, encoding: { color: colour } },
        {
          transform: [{ filter: { field: "series", equal: main } }],
          mark: {
            type: "text",
            align: { expr: "datum.value < 0 ? 'right' : 'left'" },
            dx: { expr: "datum.value < 0 ? -6 : 6" },
            limit: VALUE_PX,
          },
          encoding: { text: { field: "label" } },
        },
      ],
      resolve: { scale: { color: "shared" } },
    };
  };
}

function placedOf(chart: Chart): Draw {
  return (inks) => {
    const across =
      chart.scale === "name"
        ? {
            field: "name",
            type: "nominal",
            sort: chart.names,
            axis: { labelAngle: 0, labelOverlap: true, labelLimit: 110 },
          }
        : chart.scale === "moment"
          ? {
              field: "at",
              type: "temporal",
              scale: { type: "utc" },
              axis: { labelOverlap: true, tickCount: 6 },
            }
          : { field: "at", type: "quantitative", scale: { zero: false } };
    const line = chart.kind === "lines";
    const mark = line
      ? { type: "line", point: { size: 44, cursor: "pointer" }, strokeWidth: 2 }
      : { type: "circle", size: 52, opacity: 0.75, cursor: "pointer" };
    return {
      height: PLAIN_HEIGHT_PX,
      mark,
      encoding: {
        x: { ...across, title: chart.scale === "number" ? chart.across : null },
        y: {
          field: "value",
          type: "quantitative",
          title: line ? null : chart.value,
          scale: { zero: false },
          axis: { tickCount: 5, domain: false, ticks: false },
        },
        color: colourOf(chart, inks),
      },
    };
  };
}

/** One accent; what stands beside it for comparison is quiet. More than two are four inks that survive greyscale. */
function colourOf(chart: Chart, inks: Inks): object {
  const { series } = chart;
  if (series.length <= 1) return { value: inks.series[0] };
  const range = series.length === 2 ? [inks.comparison, inks.series[0]] : inks.series.slice(0, series.length);
  return {
    field: "series",
    type: "nominal",
    scale: { domain: series, range },
    legend: {
      orient: "bottom",
      title: null,
      direction: "horizontal",
      symbolType: "square",
      offset: 8,
      columns: 2,
    },
  };
}

function configOf(inks: Inks): object {
  const label = { labelFont: inks.font, labelFontSize: 12, labelColor: inks.quiet };
  return {
    font: inks.font,
    view: { stroke: null },
    axis: {
      ...label,
      gridColor: inks.line,
      titleFont: inks.font,
      titleColor: inks.quiet,
      titleFontWeight: 400,
      titleFontSize: 12,
      tickColor: inks.line,
      domainColor: inks.line,
    },
    axisY: { grid: false },
    axisX: { grid: true },
    axisNominal: { grid: false },
    legend: { ...label, labelLimit: 200 },
    text: { font: inks.font, fontSize: 12, fill: inks.ink },
  };
}

const SUNDAY = Date.UTC(2024, 8, 1);
const DAY_MS = 86_400_000;

/** The names of days and months in a language, as the axis of a time line needs them. */
export function timeWords(locale: string) {
  const names = (count: number, stepDays: number, options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
    return Array.from({ length: count }, (_name, at) => format.format(SUNDAY + at * stepDays * DAY_MS));
  };
  const months = (month: "long" | "short") => {
    const format = new Intl.DateTimeFormat(locale, { month, timeZone: "UTC" });
    return Array.from({ length: 12 }, (_name, at) => format.format(Date.UTC(2024, at, 15)));
  };
  return {
    dateTime: "%x, %X",
    date: "%d/%m/%Y",
    time: "%H:%M:%S",
    periods: ["AM", "PM"],
    days: names(7, 1, { weekday: "long" }),
    shortDays: names(7, 1, { weekday: "short" }),
    months: months("long"),
    shortMonths: months("short"),
  };
}
