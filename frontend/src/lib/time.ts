const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** "3 weeks ago", "yesterday", "now": the age of a moment in the words of a locale. */
export function relativeTime(iso: string, locale: string, now: number = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(0, "second");
}

/** The full date and time of a moment in the words of a locale, for a title on hover. */
export function exactTime(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" }).format(new Date(iso));
}

export type DayGroup = "today" | "yesterday" | "week" | "month" | "older";

/** The heading under which a list by day shows a moment. Days are the reader's own calendar days. */
export function dayGroup(iso: string, now: Date = new Date()): DayGroup {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const age = midnight - Date.parse(iso);
  const day = 86_400_000;
  if (age <= 0) return "today";
  if (age <= day) return "yesterday";
  if (age <= 6 * day) return "week";
  return age <= 29 * day ? "month" : "older";
}
