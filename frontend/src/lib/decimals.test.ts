import { describe, expect, it } from "vitest";
import { compareDecimals, formatDecimal, isDecimal } from "./decimals";

describe("decimals of any length", () => {
  it("are ordered by every digit", () => {
    const numbers = [
      "9007199254740993",
      "-0.1",
      "9007199254740992",
      "0",
      "1e3",
      "999.9999999999999999999",
      "-10",
      "0.000",
      "12345678901234567890.00000000000000000002",
      "12345678901234567890.00000000000000000001",
    ];
    expect([...numbers].sort(compareDecimals)).toEqual([
      "-10",
      "-0.1",
      "0",
      "0.000",
      "999.9999999999999999999",
      "1e3",
      "9007199254740992",
      "9007199254740993",
      "12345678901234567890.00000000000000000001",
      "12345678901234567890.00000000000000000002",
    ]);
  });

  it("are equal whatever zeros they carry", () => {
    expect(compareDecimals("1.50", "01.5")).toBe(0);
    expect(compareDecimals("-0", "0")).toBe(0);
    expect(compareDecimals("1500", "1.5e3")).toBe(0);
  });

  it("keep all their digits in the manner of a locale", () => {
    expect(formatDecimal("-12345678901234567890.0100", "en")).toBe("−12,345,678,901,234,567,890.0100");
    expect(formatDecimal("1234.5", "it")).toBe("1.234,5");
    expect(formatDecimal("2026", "en", false)).toBe("2026");
    expect(formatDecimal("1e+20", "en")).toBe("1e+20");
  });

  it("are told from other texts", () => {
    expect(["1", ".5", "5.", "1e-7", "NaN", "", "-", "1.2.3"].map(isDecimal)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
