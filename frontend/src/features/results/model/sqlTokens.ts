export interface SqlToken {
  kind: "keyword" | "string" | "number" | "comment" | "plain";
  text: string;
}

const KEYWORDS = new Set(
  `all and any array as asc between both by case cast collate cross current_date current_timestamp current_time
  cube desc distinct else end escape except exists extract false fetch filter first following for from full group
  grouping having ilike in inner intersect interval is isnull join last lateral leading left like limit localtime
  localtimestamp materialized natural next not notnull null nulls offset on only or order ordinality outer over
  overlaps partition preceding range recursive right rollup row rows select sets similar some symmetric table
  tablesample then to trailing true unbounded union unnest using values when where window with within without`
    .split(/\s+/)
    .filter(Boolean),
);

/** The pieces of PostgreSQL's text that have a look of their own, tried in this order. */
const PIECES: [SqlToken["kind"] | "word", RegExp][] = [
  ["comment", /--[^\n]*/y],
  ["string", /[eEbBxXnN]?'(?:[^'\\]|''|\\[\s\S])*'?/y],
  ["string", /(\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[\s\S]*?(?:\1|$)/y],
  ["plain", /"(?:[^"]|"")*"?/y],
  ["number", /(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["word", /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
];

/** Cuts SQL into pieces to be coloured. Joined again they are the text, character by character. */
export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  let plain = "";
  const put = (kind: SqlToken["kind"], text: string) => {
    if (kind === "plain") {
      plain += text;
      return;
    }
    if (plain) tokens.push({ kind: "plain", text: plain });
    plain = "";
    tokens.push({ kind, text });
  };
  for (let at = 0; at < sql.length; ) {
    const [kind, text] = pieceAt(sql, at);
    put(kind, text);
    at += text.length;
  }
  if (plain) tokens.push({ kind: "plain", text: plain });
  return tokens;
}

function pieceAt(sql: string, at: number): [SqlToken["kind"], string] {
  if (sql.startsWith("/*", at)) return ["comment", blockComment(sql, at)];
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = at;
    const text = pattern.exec(sql)?.[0];
    if (!text) continue;
    if (kind === "word") return [KEYWORDS.has(text.toLowerCase()) ? "keyword" : "plain", text];
    return [kind, text];
  }
  return ["plain", sql[at] ?? ""];
}

/** PostgreSQL's block comments stand inside each other. */
function blockComment(sql: string, from: number): string {
  const edge = /\/\*|\*\//g;
  edge.lastIndex = from;
  let depth = 0;
  for (let match = edge.exec(sql); match; match = edge.exec(sql)) {
    depth += match[0] === "/*" ? 1 : -1;
    if (depth === 0) return sql.slice(from, edge.lastIndex);
  }
  return sql.slice(from);
}
