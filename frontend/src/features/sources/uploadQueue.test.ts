import { describe, expect, test } from "vitest";
import { groupFiles } from "@/lib/files";
import { createItems, settle, spreadSent } from "./uploadQueue";

const RULES = { fileExtensions: [".md", ".csv"], maxBytes: 1000 };

function file(name: string, size = 10): File {
  return new File([new Uint8Array(size)], name);
}

const items = (...files: File[]) => createItems(files, RULES, (refusal) => refusal);

describe("files that are added", () => {
  test("those that cannot be read are refused before they are sent", () => {
    const added = items(file("a.md"), file("b.exe"), file("c.md", 1001), file("d.csv", 0), file("MD"));
    expect(added.map((item) => item.reason)).toEqual([
      null,
      "unsupported",
      "tooLarge",
      "empty",
      "unsupported",
    ]);
    expect(added.map((item) => item.state)).toEqual(["waiting", "refused", "refused", "refused", "refused"]);
  });

  test("a request stays within its size and number", () => {
    const queue = items(file("a.md", 400), file("b.md", 400), file("c.md", 400), file("d.md", 900));
    const groups = groupFiles(queue, { bytes: 800, files: 20 });
    expect(groups.map((group) => group.map((item) => item.path))).toEqual([
      ["a.md", "b.md"],
      ["c.md"],
      ["d.md"],
    ]);
    expect(groupFiles(queue, { bytes: 9000, files: 3 }).map((group) => group.length)).toEqual([3, 1]);
  });
});

describe("files that are sent", () => {
  test("progress goes through the files in their order", () => {
    const group = items(file("a.md", 100), file("b.md", 50));
    expect([...spreadSent(group, 120).values()]).toEqual([100, 20]);
  });

  test("the server's word decides how each came out", () => {
    const taken = { id: "1", state: "queued", replaced: false, unchanged: false, sameAs: null } as const;
    const answer = {
      sourceId: "s",
      documents: [
        { ...taken, name: "new.md" },
        { ...taken, name: "same.md", unchanged: true },
        { ...taken, name: "edited.md", replaced: true },
        { ...taken, name: "copy.md", sameAs: "new.md" },
      ],
      rejected: [{ name: "bad.md", code: "unsupported_file", detail: "This is a picture." }],
    };
    const settled = items(
      ...["new.md", "same.md", "edited.md", "copy.md", "bad.md"].map((name) => file(name)),
    ).map((item) => settle(item, answer));
    expect(settled.map((item) => item.state)).toEqual(["sent", "same", "replaced", "sent", "refused"]);
    expect(settled[3]?.sameAs).toBe("new.md");
    expect(settled[4]?.reason).toBe("This is a picture.");
  });
});
