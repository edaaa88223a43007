import type { Turn } from "@/api/generated";
import { citedNumbers } from "./turn";

/** An answer as Markdown without its citation marks. */
export function withoutMarks(text: string): string {
  return text.replace(/\s?\[\d{1,4}\](?!\()/g, "");
}

/** The cited passages of an answer as Markdown lines. */
export function sourceList(turn: Turn): string {
  const cited = citedNumbers(turn);
  return turn.citations
    .filter((citation) => cited.has(citation.index))
    .map(({ index, title, headingPath, url }) => {
      const place = [title, ...headingPath.filter((part) => part !== title)].join(" › ");
      return `[${index}] ${place}${url ? ` (${url})` : ""}`;
    })
    .join("\n");
}
