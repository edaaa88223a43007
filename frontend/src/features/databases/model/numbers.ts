const THOUSAND = 1000;
const EXACT_BELOW = 10_000;
const MILLION = 1_000_000;
const NARROW_SPACE = "\u202f";

/** A count in little room: exact below 10,000, then "412 k" and "1.9 M". */
export function shortCount(count: number, locale: string): string {
  if (count < EXACT_BELOW) return new Intl.NumberFormat(locale).format(count);
  const [value, unit] =
    count >= 999_500_000
      ? [count / (MILLION * THOUSAND), "G"]
      : count >= 999_500
        ? [count / MILLION, "M"]
        : [count / THOUSAND, "k"];
  const digits = value < 10 ? 1 : 0;
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)}${NARROW_SPACE}${unit}`;
}

/** A count in a sentence: "38,114", "8.4 million". */
export function longCount(count: number, locale: string): string {
  if (count < MILLION) return new Intl.NumberFormat(locale).format(count);
  const format = { notation: "compact", compactDisplay: "long", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, format).format(count);
}

/** Whether `longCount` names millions: Italian then says "milioni di righe". */
export function namesMillions(count: number): boolean {
  return count >= MILLION;
}

/** A share from 0 to 1 as "87 %" in the words of a locale. */
export function percent(share: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(share);
}
