import { describe, expect, it } from "vitest";
import type { Citation, QueryReceipt, Turn } from "@/api/generated";
import { answerText, applyFrame, askedTurn, citedNumbers, citedResults, type TurnFrame } from "./turn";

const ASKED = askedTurn({
  question: "How long?",
  modelId: "local",
  scope: null,
  turnIndex: 0,
  parentTurnId: null,
});

function seen(...frames: TurnFrame[]): Turn {
  return frames.reduce(applyFrame, ASKED);
}

const step = (seq: number, state: "running" | "done" | "failed", part = 0): TurnFrame => ({
  type: "step",
  seq,
  stepId: "s1",
  tool: "search_document_chunks",
  displayText: "Searching 1 source",
  state,
  part,
});
const delta = (seq: number, part: number, text: string): TurnFrame => ({ type: "delta", seq, part, text });
const citation = { index: 1, documentId: "d", title: "Warranty" } as Citation;

describe("a turn as its frames come", () => {
  it("joins the text of a part and keeps parts apart", () => {
    const turn = seen(
      delta(1, 0, "Let me "),
      delta(2, 0, "look."),
      step(3, "running"),
      delta(4, 1, "12 months [1]"),
    );
    expect(turn.parts).toEqual(["Let me look.", "12 months [1]"]);
    expect(answerText(turn)).toBe("12 months [1]");
  });

  it("takes a result in, and the same one again only once", () => {
    const rows: TurnFrame = {
      type: "rows",
      seq: 2,
      mark: "Q1",
      stepId: "s1",
      title: null,
      databaseConnectionId: "db",
      database: "Sales ledger",
      sql: "select 1",
      columns: [{ name: "n", type: "integer" }],
      rows: [["1"]],
      rowCount: 1,
      truncated: false,
      truncatedReason: null,
      durationMs: 3,
      receipt: {} as QueryReceipt,
    };
    const turn = seen(rows, { ...rows, seq: 3 }, delta(4, 0, "One [Q1] [1]."));
    expect(turn.queryResults.map((result) => result.mark)).toEqual(["Q1"]);
    expect(turn.queryResults[0]).not.toHaveProperty("seq");
    expect([...citedResults(turn)]).toEqual(["Q1"]);
    expect([...citedNumbers(turn)]).toEqual([1]);
  });

  it("shows no answer while the only text belongs to a step", () => {
    expect(answerText(seen(delta(1, 0, "Let me look."), step(2, "running")))).toBe("");
  });

  it("changes a step in its place", () => {
    const turn = seen(step(1, "running"), step(2, "done"));
    expect(turn.steps).toHaveLength(1);
    expect(turn.steps[0]?.state).toBe("done");
  });

  it("keeps the text of an answer that fails or is stopped", () => {
    const failed = seen(delta(1, 0, "Half an"), {
      type: "error",
      seq: 2,
      code: "model_cut",
      message: "It broke.",
    });
    expect([failed.state, failed.errorMessage, answerText(failed)]).toEqual([
      "failed",
      "It broke.",
      "Half an",
    ]);
    const stopped = seen(delta(1, 0, "Half an"), {
      type: "done",
      seq: 2,
      reason: "stopped",
      modelUsed: "local",
      providerUsed: "local",
      usage: { inputTokens: 0, outputTokens: 0, modelCalls: 1 },
      notFound: null,
      followUps: [],
    });
    expect([stopped.state, answerText(stopped)]).toEqual(["stopped", "Half an"]);
  });

  it("begins anew where the frames are told again from the first one", () => {
    const told = seen(
      { type: "citations", seq: 1, citations: [citation] },
      delta(2, 0, "Twelve"),
      { type: "started", seq: 0, turnId: "t", turnIndex: 0, parentTurnId: null, modelId: "local" },
      { type: "citations", seq: 1, citations: [citation] },
      delta(2, 0, "Twelve"),
    );
    expect([told.citations.length, answerText(told)]).toEqual([1, "Twelve"]);
  });

  it("takes a snapshot over whatever it had", () => {
    const turn = seen(delta(1, 0, "Old"), { type: "snapshot", seq: 9, turn: { ...ASKED, parts: ["New"] } });
    expect(answerText(turn)).toBe("New");
  });

  it("counts what the answer cites, not what was read", () => {
    const turn = seen(
      { type: "citations", seq: 1, citations: [citation, { ...citation, index: 2 }] },
      delta(2, 0, "A [2]."),
    );
    expect([...citedNumbers(turn)]).toEqual([2]);
  });
});
