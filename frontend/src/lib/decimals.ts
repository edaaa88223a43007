/** A decimal number taken apart: `digits` without zeros at either end, `point` the power of ten before them. */
interface Decimal {
  sign: -1 | 0 | 1;
  digits: string;
  point: number;
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const PLAIN = /^([+-]?)(\d+)(?:\.(\d+))?$/;

function takeApart(text: string): Decimal | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const whole = match[2] ?? "";
  const fraction = match[3] ?? "";
  const all = whole + fraction;
  if (all === "") return null;
  const leading = all.length - all.replace(/^0+/, "").length;
  const digits = all.replace(/^0+/, "").replace(/0+$/, "");
  if (digits === "") return { sign: 0, digits: "", point: 0 };
  return {
    sign: match[1] === "-" ? -1 : 1,
    digits,
    point: whole.length - leading + Number(match[4] ?? 0),
  };
}

/** Whether a text is one decimal number, with or without an exponent. */
export function isDecimal(text: string): boolean {
  return takeApart(text) !== null;
}

/** The order of two decimal numbers of any length, from their text: no digit is lost. Texts that are none come last. */
export function compareDecimals(a: string, b: string): number {
  const left = takeApart(a);
  const right = takeApart(b);
  if (!left || !right) return Number(!left) - Number(!right);
  if (left.sign !== right.sign || left.sign === 0) return left.sign - right.sign;
  if (left.point !== right.point) return left.point > right.point ? left.sign : -left.sign;
  if (left.digits === right.digits) return 0;
  return left.digits > right.digits ? left.sign : -left.sign;
}

interface Separators {
  group: string;
  decimal: string;
}

const known = new Map<string, Separators>();

/** How a locale writes thousands and decimals. */
export function separatorsOf(locale: string): Separators {
  const found = known.get(locale);
  if (found) return found;
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.8);
  const value = (type: string, other: string) => parts.find((part) => part.type === type)?.value ?? other;
  const separators = { group: value("group", ","), decimal: value("decimal", ".") };
  known.set(locale, separators);
  return separators;
}

/**
 * A decimal number in the manner of a locale, with every digit of its text: "-1234.50" becomes "−1,234.50". Texts in
 * another form (exponents, NaN) stay as they are.
 */
export function formatDecimal(text: string, locale: string, grouped = true): string {
  const match = PLAIN.exec(text);
  if (!match) return text.replace(/^-/, "−");
  const { group, decimal } = separatorsOf(locale);
  const whole = match[2] ?? "";
  const shown = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole;
  const sign = match[1] === "-" ? "−" : (match[1] ?? "");
  return sign + shown + (match[3] === undefined ? "" : decimal + match[3]);
}
