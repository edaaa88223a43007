import { QueryClient } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import { server } from "@/testing/server";
import { attachRun, dropRun, startRun, stopRun, useRun } from "./runs";
import { answerText, askedTurn, type Question, type TurnFrame } from "./turn";

const ASKED: Question = {
  question: "How long?",
  modelId: "m",
  scope: null,
  turnIndex: 0,
  parentTurnId: null,
};
const STARTED: TurnFrame = {
  type: "started",
  seq: 0,
  turnId: "t",
  turnIndex: 0,
  parentTurnId: null,
  modelId: "m",
};
const DONE: TurnFrame = {
  type: "done",
  seq: 9,
  reason: "answered",
  modelUsed: "m",
  providerUsed: "p",
  usage: { inputTokens: 1, outputTokens: 1, modelCalls: 1 },
  notFound: null,
  followUps: [],
};
const delta = (seq: number, text: string): TurnFrame => ({ type: "delta", seq, part: 0, text });

/** A stream that sends these frames and then ends, breaks, or stays open. */
function stream(frames: TurnFrame[], then: "end" | "break" | "stay" = "end") {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const frame of frames) {
        const text = `id: ${frame.seq}\nevent: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`;
        // Cut in the middle of a frame, as a network does.
        const bytes = new TextEncoder().encode(text);
        controller.enqueue(bytes.slice(0, 7));
        controller.enqueue(bytes.slice(7));
      }
      if (then === "end") controller.close();
      if (then === "break") setTimeout(() => controller.error(new TypeError("network")), 20);
    },
  });
  return new HttpResponse(body, { headers: { "Content-Type": "text/event-stream" } });
}

const asks = (answer: () => Response) => http.post("/api/chat/c/turns", answer);
const resumes = (answer: (after: string | null) => Response) =>
  http.get("/api/chat/c/turns/t/stream", ({ request }) =>
    answer(new URL(request.url).searchParams.get("after")),
  );

function follow() {
  const { result } = renderHook(() => useRun("c"));
  return () => result.current;
}

afterEach(() => dropRun("c"));

describe("a run", () => {
  it("takes the answer up after the last frame seen when the line breaks, and shows nothing twice", async () => {
    const asked: (string | null)[] = [];
    server.use(
      asks(() => stream([STARTED, delta(1, "Twelve ")], "break")),
      resumes((after) => {
        asked.push(after);
        return stream([delta(1, "Twelve "), delta(2, "months")], "stay");
      }),
    );
    const run = follow();
    void startRun(new QueryClient(), "c", ASKED, { question: "How long?" });
    await waitFor(() => expect(answerText(run()?.turn ?? askedTurn(ASKED))).toBe("Twelve months"));
    expect(asked).toEqual(["1"]);
    expect(run()?.turn.state).toBe("running");
  });

  it("does not take a stream that ends without its last frame for a whole answer", async () => {
    server.use(
      asks(() => stream([STARTED, delta(1, "Half an")])),
      resumes(() => stream([{ type: "error", seq: 2, code: "model_cut", message: "It broke." }], "stay")),
    );
    const seen: string[] = [];
    const run = follow();
    const client = new QueryClient();
    vi.spyOn(client, "invalidateQueries").mockImplementation(async () => {
      seen.push(run()?.turn.state ?? "gone");
    });
    await startRun(client, "c", ASKED, { question: "How long?" });
    expect(seen[0]).toBe("failed");
  });

  it("says that the line is broken while the server stays away", async () => {
    server.use(
      asks(() => stream([STARTED, delta(1, "Half an")])),
      resumes(() => HttpResponse.error()),
    );
    const run = follow();
    void startRun(new QueryClient(), "c", ASKED, { question: "How long?" });
    await waitFor(() => expect(run()?.reconnecting).toBe(true));
    expect(run()?.turn.state).toBe("running");
  });

  it("rejects a question that the server does not take, and is gone", async () => {
    server.use(asks(() => HttpResponse.json({ code: "turn_running", detail: "One runs." }, { status: 409 })));
    const run = follow();
    const started = startRun(new QueryClient(), "c", ASKED, { question: "How long?" });
    await expect(started).rejects.toMatchObject({ code: "turn_running" });
    expect(run()).toBeUndefined();
  });

  it("stops a question that has not begun yet as soon as it has", async () => {
    const stopped = vi.fn();
    let begin: (frames: TurnFrame[]) => void = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        begin = (frames) => {
          for (const frame of frames)
            controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\n`));
        };
      },
    });
    server.use(
      asks(() => new HttpResponse(body)),
      http.post("/api/chat/c/turns/t/stop", () => {
        stopped();
        return HttpResponse.json({ status: "ok" });
      }),
    );
    const run = follow();
    void startRun(new QueryClient(), "c", ASKED, { question: "How long?" });
    stopRun("c");
    expect(stopped).not.toHaveBeenCalled();
    begin([STARTED]);
    await waitFor(() => expect(stopped).toHaveBeenCalledOnce());
    await waitFor(() => expect(run()?.stopping).toBe(true));
  });

  it("is taken up from the server with its whole state, once", async () => {
    const turn = { ...askedTurn(ASKED), id: "t", parts: ["Old"] };
    const opened = vi.fn();
    server.use(
      resumes(() => {
        opened();
        return stream([{ type: "snapshot", seq: 5, turn: { ...turn, parts: ["New"] } }, DONE], "stay");
      }),
    );
    const run = follow();
    const client = new QueryClient();
    vi.spyOn(client, "invalidateQueries").mockImplementation(() => new Promise(() => {}));
    attachRun(client, "c", turn);
    attachRun(client, "c", turn);
    await waitFor(() => expect(run()?.turn.state).toBe("done"));
    expect(answerText(run()?.turn ?? turn)).toBe("New");
    expect(opened).toHaveBeenCalledOnce();
  });
});
