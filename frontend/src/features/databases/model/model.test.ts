import { describe, expect, it } from "vitest";
import type { DatabaseConnection, DocumentNote, TableDetail } from "@/api/types";
import { changeOf, draftOf, missingIn, withHost } from "./connectionDraft";
import { parseConnectionString } from "./connectionString";
import { longCount, percent, shortCount } from "./numbers";
import { bestNotes, numberDocuments, readsTable, thingName } from "./tables";

describe("a connection string", () => {
  it("is taken apart, with what is encoded in it", () => {
    expect(
      parseConnectionString("postgresql://et%40l:p%3As@db.example:6432/wms?sslmode=verify-full"),
    ).toEqual({
      host: "db.example",
      port: "6432",
      database: "wms",
      username: "et@l",
      password: "p:s",
      tls: "verify",
    });
  });

  it.each([
    ["postgres://db.example/a", "5432"],
    ["postgres://db.example:443/a", "443"],
    ["postgres://[2001:db8::1]:5433/a", "5433"],
  ])("keeps the port of %s", (text, port) => expect(parseConnectionString(text)?.port).toBe(port));

  it("keeps an IPv6 host without its brackets", () =>
    expect(parseConnectionString("postgres://[2001:db8::1]/a")?.host).toBe("2001:db8::1"));

  it.each(["db.example", "mysql://db.example/a", "postgres://", "", "postgres:// a b"])("is not %j", (text) =>
    expect(parseConnectionString(text)).toBeNull(),
  );
});

const STORED = {
  name: "Warehouse",
  description: "Stock",
  host: "10.20.4.7",
  port: 5432,
  database: "wms",
  username: "etl_user",
  tls: "verify",
  hasCaCertificate: true,
  deniedColumns: ["public.emp.salary"],
} as DatabaseConnection;

describe("a connection in the form", () => {
  it("sends nothing of a connection that was not changed", () =>
    expect(changeOf(draftOf(STORED), STORED)).toEqual({}));

  it("sends only what was changed, the password only when one was typed", () => {
    const draft = {
      ...draftOf(STORED),
      port: "6432",
      password: "new",
      denied: "public.emp.salary\n public.emp.iban ",
      removeCertificate: true,
    };
    expect(changeOf(draft, STORED)).toEqual({
      port: 6432,
      password: "new",
      caCertificate: null,
      deniedColumns: ["public.emp.salary", "public.emp.iban"],
    });
  });

  it("asks for the password of a new one only", () => {
    expect(missingIn(draftOf(undefined), false)).toEqual([
      "name",
      "host",
      "database",
      "username",
      "password",
    ]);
    expect(missingIn(draftOf(STORED), true)).toEqual([]);
    expect(missingIn({ ...draftOf(STORED), port: "70000" }, true)).toEqual(["port"]);
  });

  it("fills itself from a pasted address and takes any other text as a host", () => {
    const filled = withHost(draftOf(undefined), "postgres://me:secret@db/erp?sslmode=disable");
    expect(filled).toMatchObject({
      host: "db",
      database: "erp",
      username: "me",
      password: "secret",
      tls: "off",
    });
    expect(withHost(filled, "db2").host).toBe("db2");
    expect(withHost(filled, "postgres://db3").database).toBe("erp");
  });
});

describe("counts", () => {
  it.each([
    [0, "0"],
    [9_999, "9,999"],
    [38_114, "38\u202fk"],
    [999_499, "999\u202fk"],
    [999_500, "1\u202fM"],
    [1_940_000, "1.9\u202fM"],
    [2_400_000_000, "2.4\u202fG"],
  ])("says %i as %s in little room", (count, words) => expect(shortCount(count, "en")).toBe(words));

  it("names millions in a sentence", () => {
    expect(longCount(38_114, "en")).toBe("38,114");
    expect(longCount(8_400_000, "en")).toBe("8.4 million");
    expect(longCount(8_400_000, "it")).toMatch(/^8,4\smilioni$/);
    expect(percent(0.873, "en")).toBe("87%");
  });
});

const note = (linkId: string, documentId: string, score: number, state: DocumentNote["state"] = "proposed") =>
  ({ linkId, documentId, score, state }) as DocumentNote;

describe("what documents say", () => {
  it("has one number for each document, the table's own first", () => {
    const table = {
      notes: [note("a", "two", 0.5)],
      columns: [{ notes: [note("b", "one", 0.9), note("c", "two", 0.8)] }],
    } as TableDetail;
    expect([...numberDocuments(table)]).toEqual([
      ["two", 1],
      ["one", 2],
    ]);
  });

  it("puts confirmed words before better fitting ones, once for each document", () => {
    const notes = [note("a", "one", 0.9), note("b", "two", 0.4, "confirmed"), note("c", "one", 0.95)];
    expect(bestNotes(notes).map(({ linkId }) => linkId)).toEqual(["b", "c"]);
  });

  it("knows a table by its full name, and leaves the usual schema out", () => {
    expect(readsTable(["public.ret_ln"], { schema: "public", name: "ret_ln" })).toBe(true);
    expect(readsTable(["old.ret_ln"], { schema: "public", name: "ret_ln" })).toBe(false);
    expect(thingName({ schema: "public", table: "ret_ln", column: "qty" })).toBe("ret_ln.qty");
    expect(thingName({ schema: "old", table: "ret_ln", column: null })).toBe("old.ret_ln");
  });
});
