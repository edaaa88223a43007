import { formatDialect, postgresql } from "sql-formatter";
import { sqlTokens } from "./sqlTokens";

const LINE_CHARACTERS = 76;

/** Sets SQL out over lines without changing a word of it; what the formatter does not understand stays as it is. */
export function formatSql(sql: string): string {
  try {
    const formatted = formatDialect(sql, {
      dialect: postgresql,
      tabWidth: 2,
      keywordCase: "preserve",
      expressionWidth: LINE_CHARACTERS - 10,
    });
    if (!saysTheSame(formatted, sql)) return sql;
    const closed = closedUp(formatted);
    return saysTheSame(closed, sql) ? closed : formatted;
  } catch {
    return sql;
  }
}

/** Only space between words differs: every text, quoted name and comment is there as it was. */
function saysTheSame(one: string, other: string): boolean {
  return words(one) === words(other) && quoted(one) === quoted(other);
}

function words(sql: string): string {
  return sql.replace(/\s+/g, "");
}

function quoted(sql: string): string {
  const texts = sqlTokens(sql).filter((token) => token.kind === "string" || token.kind === "comment");
  return [...texts.map((token) => token.text), ...(sql.match(/"[^"]*"/g) ?? [])].join("\n");
}

/**
 * Brings a clause with one line back to its word ("from t"), and a bracket around one line back to where it opens, as
 * long as the line stays short: the formatter gives each of them a line of its own.
 */
function closedUp(sql: string): string {
  let lines = sql.split("\n");
  for (let before = -1; before !== lines.length; ) {
    before = lines.length;
    lines = once(lines);
  }
  return lines.join("\n");
}

function once(lines: readonly string[]): string[] {
  const closed: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [line = "", inner, after] = lines.slice(at, at + 3);
    const alone = inner !== undefined && depth(inner) > depth(line) && depth(after ?? "") <= depth(line);
    const clause = alone && CLAUSE.test(line) && `${line} ${inner.trim()}`;
    const bracket =
      alone && line.endsWith("(") && after?.trimStart().startsWith(")") && line + inner.trim() + after.trim();
    const joined = clause || bracket;
    if (joined && joined.length <= LINE_CHARACTERS && ![line, inner].some((part) => part?.includes("--"))) {
      closed.push(joined);
      at += clause ? 1 : 2;
    } else closed.push(line);
  }
  return closed;
}

const CLAUSE = /^\s*(select|from|where|group by|having|order by|limit|offset|values)( distinct)?$/i;

function depth(line: string): number {
  return line.length - line.trimStart().length;
}
