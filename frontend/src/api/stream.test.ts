import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { server } from "@/testing/server";
import { createEventParser, followStream, type StreamFrame } from "./stream";

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

const POST = {
  path: "/api/chat/c/turns",
  method: "POST",
  body: {},
  headers: { "Idempotency-Key": "k" },
} as const;
const DONE = 'data: {"type":"started","seq":0}\n\ndata: {"type":"done","seq":1}\n\n';

function follow(resumePath: (after: number) => string | null): Promise<StreamFrame[]> {
  const frames: StreamFrame[] = [];
  const signal = new AbortController().signal;
  return followStream({ open: POST, resumePath, onFrame: (frame) => frames.push(frame), signal }).then(
    () => frames,
  );
}

describe("followStream", () => {
  it("puts a question again under the same key where the line broke before its answer began", async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.post("*/api/chat/c/turns", ({ request }) => {
        keys.push(request.headers.get("Idempotency-Key"));
        return keys.length === 1 ? HttpResponse.error() : new HttpResponse(DONE);
      }),
    );
    expect((await follow(() => null)).map((frame) => frame.type)).toEqual(["started", "done"]);
    expect(keys).toEqual(["k", "k"]);
  });

  it("waits out a server that restarts while an answer runs", async () => {
    let asked = 0;
    server.use(
      http.post("*/api/chat/c/turns", () => new HttpResponse('data: {"type":"started","seq":0}\n\n')),
      http.get("*/api/chat/c/turns/t/stream", () => {
        asked += 1;
        return asked === 1
          ? HttpResponse.json({ code: "unavailable" }, { status: 503 })
          : new HttpResponse('data: {"type":"done","seq":1}\n\n');
      }),
    );
    const frames = await follow((after) => (after >= 0 ? "/api/chat/c/turns/t/stream?after=0" : null));
    expect(frames.map((frame) => frame.type)).toEqual(["started", "done"]);
  });

  it("does not repeat what the server refused", async () => {
    server.use(
      http.post("*/api/chat/c/turns", () => HttpResponse.json({ code: "turn_running" }, { status: 409 })),
    );
    await expect(follow(() => null)).rejects.toMatchObject({ code: "turn_running" });
  });
});
