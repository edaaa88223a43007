import { describe, expect, it } from "vitest";
import { compareValues, formatValue, kindOf, microsecondsOf, nextSort, sortedPositions } from "./values";

const sorted = (values: string[], type: string) =>
  [...values].sort((a, b) => compareValues(a, b, kindOf(type)));

describe("values of a result", () => {
  it("know what their PostgreSQL type is to a reader", () => {
    expect(
      [
        "bigint",
        "numeric(10,2)",
        "double precision",
        "timestamp(3) with time zone",
        "date",
        "integer[]",
        "jsonb",
      ].map(kindOf),
    ).toEqual(["number", "number", "number", "moment", "moment", "text", "text"]);
  });

  it("are ordered as the database orders them", () => {
    expect(sorted(["NaN", "2", "-Infinity", "10", "Infinity"], "double precision")).toEqual([
      "-Infinity",
      "2",
      "10",
      "Infinity",
      "NaN",
    ]);
    expect(sorted(["10000-01-01", "2026-08-01", "infinity", "0044-03-15 BC", "-infinity"], "date")).toEqual([
      "-infinity",
      "0044-03-15 BC",
      "2026-08-01",
      "10000-01-01",
      "infinity",
    ]);
    expect(sorted(["2026-10-25 02:30:00+01", "2026-10-25 02:45:00+02"], "timestamp with time zone")).toEqual([
      "2026-10-25 02:45:00+02",
      "2026-10-25 02:30:00+01",
    ]);
    expect(sorted(["1 mon", "29 days 23:59:59", "-1 days", "02:00:00"], "interval")).toEqual([
      "-1 days",
      "02:00:00",
      "29 days 23:59:59",
      "1 mon",
    ]);
    expect(sorted(["$10.00", "-$2.50", "$9.00"], "money")).toEqual(["-$2.50", "$9.00", "$10.00"]);
  });

  it("place moments to the microsecond", () => {
    expect(microsecondsOf("1970-01-01 00:00:00.000001+00")).toBe(1n);
    expect(microsecondsOf("2026-03-01")).toBe(BigInt(Date.UTC(2026, 2, 1)) * 1000n);
    expect(microsecondsOf("noon")).toBeNull();
  });

  it("set thousands apart in amounts and not in years, keys and codes", () => {
    expect(formatValue("4386", { name: "delivered", type: "bigint" }, "en")).toBe("4,386");
    expect(formatValue("2026", { name: "fiscal_year", type: "integer" }, "en")).toBe("2026");
    expect(formatValue("4386", { name: "last_quarter", type: "bigint" }, "en")).toBe("4,386");
    expect(formatValue("100234", { name: "order_id", type: "bigint" }, "en")).toBe("100234");
    expect(formatValue("t", { name: "active", type: "boolean" }, "en")).toBe("true");
  });

  it("put missing values last in both directions", () => {
    const columns = [{ name: "n", type: "integer" }];
    const rows = [["2"], [null], ["10"]];
    expect(sortedPositions(columns, rows, { column: 0, descending: false })).toEqual([0, 2, 1]);
    expect(sortedPositions(columns, rows, { column: 0, descending: true })).toEqual([2, 0, 1]);
  });

  it("go from the first order to the other and back to none", () => {
    const largest = nextSort(null, 1, "integer");
    const smallest = nextSort(largest, 1, "integer");
    expect([largest, smallest, nextSort(smallest, 1, "integer")]).toEqual([
      { column: 1, descending: true },
      { column: 1, descending: false },
      null,
    ]);
    expect(nextSort(largest, 0, "text")).toEqual({ column: 0, descending: false });
  });
});
