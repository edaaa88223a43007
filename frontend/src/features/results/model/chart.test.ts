import { compile } from "vega-lite";
import { describe, expect, it } from "vitest";
import { groupedSql } from "./aggregate";
import { chartOf, measuresOf } from "./chart";
import { specOf } from "./chartSpec";

const text = (name: string) => ({ name, type: "text" });
const number = (name: string) => ({ name, type: "numeric" });
const REGIONS = [text("region"), number("q2"), number("q3")];
const ROWS = [
  ["Nordics", "2.10", "1.95"],
  ["Iberia", "3.11", "4.63"],
  ["Italy", "2.90", "3.19"],
];

describe("what is drawn of a result", () => {
  it("is bars by size, with two numbers of one kind side by side", () => {
    const chart = chartOf(REGIONS, ROWS, { locale: "en" });
    expect(chart).toMatchObject({
      kind: "bars",
      names: ["Iberia", "Italy", "Nordics"],
      series: ["q2", "q3"],
    });
    expect(chart?.points.find((point) => point.name === "Iberia" && point.series === "q3")).toMatchObject({
      label: "4.63",
      row: 1,
    });
  });

  it("is a line over time, in order", () => {
    const chart = chartOf(
      [{ name: "month", type: "date" }, number("returns")],
      [
        ["2026-03-01", "3"],
        ["2026-01-01", "1"],
        ["2026-02-01", "2"],
      ],
      { locale: "en" },
    );
    expect(chart).toMatchObject({
      kind: "lines",
      scale: "moment",
      names: ["2026-01-01", "2026-02-01", "2026-03-01"],
    });
  });

  it("is points where two numbers stand alone, and the reader's choice where there is one", () => {
    const columns = [number("age"), number("price")];
    const rows = [
      ["1", "10"],
      ["2", "20"],
    ];
    expect(chartOf(columns, rows, { locale: "en" })?.kind).toBe("points");
    expect(chartOf(REGIONS, ROWS, { locale: "en", kind: "lines", measure: 1 })).toMatchObject({
      kind: "lines",
      value: "q2",
    });
  });

  it("keeps rows with one name apart and says how many bars are left out", () => {
    const rows = Array.from({ length: 40 }, (_row, at) => [at < 2 ? "same" : `n${at}`, String(at)]);
    const chart = chartOf([text("name"), number("n")], rows, { locale: "en" });
    expect(chart).toMatchObject({ rowCount: 40, drawn: 24 });
    const twice = chartOf([text("name"), number("n")], rows.slice(0, 3), { locale: "en" });
    expect(twice?.names).toContain("same (2)");
  });

  it("is nothing for one row, or where no column counts", () => {
    expect(chartOf(REGIONS, ROWS.slice(0, 1), { locale: "en" })).toBeNull();
    expect(
      chartOf(
        [text("a"), text("b")],
        [
          ["x", "y"],
          ["z", "w"],
        ],
        { locale: "en" },
      ),
    ).toBeNull();
    expect(measuresOf([text("a")], [["x"], ["y"]])).toEqual([]);
  });

  it("makes pictures that Vega-Lite takes without a warning", () => {
    const inks = {
      ink: "#000",
      quiet: "#666",
      line: "#ddd",
      comparison: "#aaa",
      series: ["#1", "#2", "#3", "#4"],
      font: "x",
    };
    const said: string[] = [];
    const logger = { level: () => logger, error: say, warn: say, info: () => logger, debug: () => logger };
    function say(...words: readonly unknown[]) {
      said.push(words.join(" "));
      return logger;
    }
    for (const kind of ["bars", "lines", "points"] as const) {
      const chart = chartOf(REGIONS, ROWS, { locale: "en", kind });
      // biome-ignore lint/suspicious/noExplicitAny: only the words matter here
      if (chart) compile(specOf(chart, inks, 600), { logger: logger as any });
    }
    expect(said).toEqual([]);
  });
});

describe("counting what is too large to read", () => {
  it("groups by the first name and sums the first number", () => {
    expect(
      groupedSql(
        "select region, qty from t;",
        [text("region"), number("qty")],
        [
          ["a", "1"],
          ["b", "2"],
        ],
      ),
    ).toBe(
      "SELECT region, count(*) AS row_count, sum(qty) AS total\nFROM (\nselect region, qty from t\n) AS whole\nGROUP BY 1\nORDER BY 2 DESC\nLIMIT 100",
    );
  });

  it("names only columns that are there once, and quotes what needs it", () => {
    const columns = [text("id"), text("id"), text('Odd "name"')];
    expect(groupedSql("select 1 -- end", columns, [])).toContain('SELECT "Odd ""name""", count(*)');
    expect(groupedSql("select 1 -- end", columns, [])).toContain("select 1 -- end\n)");
    expect(groupedSql("select 1", [text("a"), text("a")], [])).toBe(
      "SELECT count(*) AS row_count\nFROM (\nselect 1\n) AS whole",
    );
  });
});
