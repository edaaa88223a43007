import { describe, expect, it } from "vitest";
import { createEventParser } from "./stream";

const STREAM = [
  ": still here\n\n",
  'event: delta\nid: 0\ndata: {"text":"a"}\n\n',
  'event: delta\r\nid: 1\r\ndata: {"text":\r\ndata: "b\\n\\ndata: c"}\r\n\r\n',
  "data: last\r\r",
].join("");
const EVENTS = ['{"text":"a"}', '{"text":\n"b\\n\\ndata: c"}', "last"];

describe("createEventParser", () => {
  it("gives the same events wherever the line is cut", () => {
    for (let cut = 0; cut <= STREAM.length; cut += 1) {
      const parse = createEventParser();
      const events = [...parse(STREAM.slice(0, cut)), ...parse(STREAM.slice(cut)), ...parse("\n")];
      expect(events, `cut at ${cut}`).toEqual(EVENTS);
    }
  });

  it("waits for the end of an event", () => {
    const parse = createEventParser();
    expect(parse("data: half")).toEqual([]);
    expect(parse(" done\n\n")).toEqual(["half done"]);
  });
});
