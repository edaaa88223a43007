import type { Turn } from "@/api/generated";
import { citedNumbers, citedResults } from "./turn";

/** An answer as Markdown without its citation marks. */
export function withoutMarks(text: string): string {
  return text.replace(/\s?\[Q?\d{1,4}\](?!\()/g, "");
}

/** The cited passages and queries of an answer as Markdown lines. */
export function sourceList(turn: Turn): string {
  const cited = citedNumbers(turn);
  const passages = turn.citations
    .filter((citation) => cited.has(citation.index))
    .map(({ index, title, headingPath, url }) => {
      const place = [title, ...headingPath.filter((part) => part !== title)].join(" › ");
      return `[${index}] ${place}${url ? ` (${url})` : ""}`;
    });
  const results = citedResults(turn);
  const queries = turn.queryResults
    .filter((result) => results.has(result.mark))
    .map(
      ({ mark, title, database, sql }) =>
        `[${mark}] ${title ?? ""} (${database})\n\n\`\`\`sql\n${sql}\n\`\`\``,
    );
  return [...passages, ...queries].join("\n");
}
