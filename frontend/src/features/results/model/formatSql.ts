import { formatDialect, postgresql } from "sql-formatter";

/** Sets SQL out over lines without changing a word of it; what the formatter does not understand stays as it is. */
export function formatSql(sql: string): string {
  try {
    const formatted = formatDialect(sql, {
      dialect: postgresql,
      tabWidth: 2,
      keywordCase: "preserve",
      expressionWidth: 72,
      linesBetweenQueries: 1,
    });
    return lettersOf(formatted) === lettersOf(sql) ? formatted : sql;
  } catch {
    return sql;
  }
}

function lettersOf(sql: string): string {
  return sql.replace(/\s+/g, "");
}
