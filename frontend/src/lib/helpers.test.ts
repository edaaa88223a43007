import { describe, expect, it } from "vitest";
import { fileExtension, fileSize, groupFiles, kindNames, relativePath } from "./files";
import { linkHost, ownPath, safeLink } from "./links";
import { surroundings } from "./surroundings";
import { dayGroup, relativeTime } from "./time";

describe("links", () => {
  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "/own",
    "",
    "JaVaScRiPt:x",
  ])("leaves %s dead", (address) => expect(safeLink(address)).toBeNull());

  it.each(["https://example.org/a", "http://example.org", "mailto:a@example.org"])("keeps %s", (address) =>
    expect(safeLink(address)).toBe(address),
  );

  it("goes back only to own pages after sign-in", () => {
    expect(ownPath("/search?q=a")).toBe("/search?q=a");
    for (const path of ["//example.org", "/\\example.org", "https://example.org", undefined]) {
      expect(ownPath(path)).toBe("/");
    }
  });

  it("names the host that an address leads to", () => {
    expect(linkHost("https://example.org:8443/a")).toBe("example.org:8443");
    expect(linkHost("no address")).toBeNull();
  });
});

describe("files", () => {
  it("keeps the folders of a dropped file, in NFC and without a leading dot", () => {
    const dropped = Object.assign(new File(["x"], "resi.md"), { path: "./Manuale/caffe\u0300/resi.md" });
    expect(relativePath(dropped)).toBe("Manuale/caffè/resi.md");
  });

  it("reads the ending of the name alone", () => {
    expect(fileExtension("v1.2/README")).toBe("");
    expect(fileExtension("Notes.MD")).toBe(".md");
  });

  it("names each kind once", () => {
    expect(kindNames([".md", ".markdown", ".csv", ".log"])).toBe("Markdown, CSV, TXT");
  });

  it("says sizes in the words of the locale", () => {
    expect(fileSize(100 * 1024 * 1024, "en")).toBe("100 MB");
    expect(fileSize(1536, "it")).toBe("1,5 kB");
  });

  it("sends many small files together and large ones alone", () => {
    const items = [3, 3, 9, 1].map((size) => ({ file: new File(["x".repeat(size)], "a") }));
    const sizes = groupFiles(items, { bytes: 6, files: 20 }).map((group) =>
      group.map((item) => item.file.size),
    );
    expect(sizes).toEqual([[3, 3], [9], [1]]);
    expect(groupFiles(items, { bytes: 100, files: 3 }).map((group) => group.length)).toEqual([3, 1]);
  });
});

describe("time", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");

  it("says the age in the words of the locale", () => {
    expect(relativeTime("2026-11-09T12:00:00Z", "en", now)).toBe("3 weeks ago");
    expect(relativeTime("2026-11-29T11:00:00Z", "it", now)).toBe("ieri");
    expect(relativeTime("2026-11-30T11:59:50Z", "en", now)).toBe("now");
  });

  it("puts moments under the reader's own days", () => {
    const here = new Date(2026, 10, 30, 9);
    expect(dayGroup(new Date(2026, 10, 30, 0, 1).toISOString(), here)).toBe("today");
    expect(dayGroup(new Date(2026, 10, 29, 23, 59).toISOString(), here)).toBe("yesterday");
    expect(dayGroup(new Date(2026, 10, 25).toISOString(), here)).toBe("week");
    expect(dayGroup(new Date(2026, 10, 5).toISOString(), here)).toBe("month");
    expect(dayGroup(new Date(2026, 8, 5).toISOString(), here)).toBe("older");
  });
});

describe("surroundings", () => {
  const text = `# One\n\n${"😀 first words. ".repeat(40)}\n\n# Two\n\nBefore. The cited words. After.\n\n${"Last. ".repeat(80)}\n\nEnd.`;
  const start = [...text.slice(0, text.indexOf("The cited"))].length;
  const range = { start, end: start + "The cited words.".length };

  it("keeps the cited words where the shorter text has them", () => {
    const near = surroundings(text, range, 60);
    expect([...near.text].slice(near.range.start, near.range.end).join("")).toBe("The cited words.");
    expect(near.text.startsWith("# Two")).toBe(true);
  });

  it("gives a short text whole", () => {
    expect(surroundings(text, range, 10_000)).toEqual({ text, range });
  });
});
