import { describe, expect, it } from "vitest";
import { formatSql } from "./formatSql";
import { sqlTokens } from "./sqlTokens";

const STATEMENTS = [
  "select sum(qty_eu) filter (where rc_cd <> 41) from ret_ln -- transit",
  "SELECT 'it''s', E'a\\'b', $q$ where $q$, \"from\", 1.5e-3, .5 /* a /* b */ c */ FROM t",
  "select * from t where a->>'x' = $1 and b @> '{\"from\": 1}'::jsonb",
  "select 'not closed",
  "",
];

describe("SQL in pieces", () => {
  it("loses no character", () => {
    for (const sql of STATEMENTS) {
      expect(
        sqlTokens(sql)
          .map((token) => token.text)
          .join(""),
      ).toBe(sql);
    }
  });

  it("tells words of the language from texts, names and comments that hold them", () => {
    const kinds = sqlTokens(STATEMENTS[1] ?? "")
      .filter((token) => token.kind !== "plain")
      .map((token) => `${token.kind} ${token.text}`);
    expect(kinds).toEqual([
      "keyword SELECT",
      "string 'it''s'",
      "string E'a\\'b'",
      "string $q$ where $q$",
      "number 1.5e-3",
      "number .5",
      "comment /* a /* b */ c */",
      "keyword FROM",
    ]);
  });
});

describe("SQL set out over lines", () => {
  it("keeps every sign, and stays as it is where the formatter would change or not understand it", () => {
    for (const sql of [...STATEMENTS, "select ( from", "select a::text, b->'c' from x where y = any($1)"]) {
      expect(formatSql(sql).replace(/\s/g, "")).toBe(sql.replace(/\s/g, ""));
    }
    expect(formatSql("select a, b from t where c = 1 order by a").split("\n").length).toBeGreaterThan(3);
  });
});

describe("SQL set out close", () => {
  it("keeps short clauses and brackets on their line, and texts over several lines as they are", () => {
    const sql =
      "select rc_cd, sum(q) filter (where p = 262) q2 from ret_ln where rgn = 'IB' group by rc_cd order by 2";
    expect(formatSql(sql)).toBe(
      "select\n  rc_cd,\n  sum(q) filter (where p = 262) q2\nfrom ret_ln\nwhere rgn = 'IB'\ngroup by rc_cd\norder by 2",
    );
    const text = "select 'from\n  a\nb' from t";
    expect(formatSql(text)).toContain("'from\n  a\nb'");
  });
});
