import type { QueryRows, StartTurnResponse, Turn, TurnStep } from "@/api/generated";

export type TurnFrame = StartTurnResponse;

/** What is asked next, before the server has answered anything. */
export interface Question {
  question: string;
  modelId: string;
  scope: Turn["scope"];
  turnIndex: number;
  parentTurnId: string | null;
}

/** A turn as it stands the moment it is asked. */
export function askedTurn(asked: Question): Turn {
  return {
    id: "",
    turnIndex: asked.turnIndex,
    parentTurnId: asked.parentTurnId,
    versions: [],
    question: asked.question,
    scope: asked.scope,
    modelId: asked.modelId,
    state: "running",
    parts: [],
    steps: [],
    citations: [],
    queryResults: [],
    answer: "",
    figures: [],
    followUps: [],
    notFound: null,
    reason: null,
    errorCode: null,
    errorMessage: null,
    modelUsed: null,
    providerUsed: null,
    usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0 },
    feedback: null,
    createdAt: new Date().toISOString(),
  };
}

/** The turn after one more frame. Frames about the whole chat leave it as it is. */
export function applyFrame(turn: Turn, frame: TurnFrame): Turn {
  switch (frame.type) {
    case "started":
      // The first frame of all: what follows is the whole turn, also where it is told again from its beginning.
      return {
        ...turn,
        parts: [],
        steps: [],
        citations: [],
        queryResults: [],
        figures: [],
        id: frame.turnId,
        turnIndex: frame.turnIndex,
        parentTurnId: frame.parentTurnId,
        modelId: frame.modelId,
      };
    case "step":
      return { ...turn, steps: withStep(turn.steps, frame) };
    case "citations":
      return { ...turn, citations: [...turn.citations, ...frame.citations] };
    case "rows":
      return { ...turn, queryResults: withRows(turn.queryResults, frame) };
    case "delta":
      return { ...turn, parts: withText(turn.parts, frame.part, frame.text) };
    case "snapshot":
      return { ...turn, ...frame.turn };
    case "figures":
      return { ...turn, figures: frame.figures };
    case "done":
      return {
        ...turn,
        state: frame.reason === "stopped" ? "stopped" : "done",
        reason: frame.reason,
        modelUsed: frame.modelUsed,
        providerUsed: frame.providerUsed,
        usage: frame.usage,
        notFound: frame.notFound,
        followUps: frame.followUps,
      };
    case "error":
      return { ...turn, state: "failed", errorCode: frame.code, errorMessage: frame.message };
    default:
      return turn;
  }
}

/** The text of the answer: the last part, unless a step has claimed it as a thought before its work. */
export function answerText(turn: Turn): string {
  if (turn.answer) return turn.answer;
  const last = turn.parts.length - 1;
  return turn.steps.some((step) => step.part === last) ? "" : (turn.parts[last] ?? "");
}

/** The numbers of the citations whose marks stand in the answer. */
export function citedNumbers(turn: Turn): Set<number> {
  return new Set([...answerText(turn).matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1])));
}

/** The marks of the query results that the answer cites, in words or by one of its figures. */
export function citedResults(turn: Turn): Set<string> {
  const named = [...answerText(turn).matchAll(/\[(Q\d+)\]/g)].map((match) => match[1] ?? "");
  const counted = turn.figures.flatMap((figure) =>
    figure.kind === "cell" || figure.kind === "derived"
      ? figure.refs.map((ref) => ref.split(":")[0] ?? "")
      : [],
  );
  return new Set([...named, ...counted]);
}

/** Whether a result comes from a statement that a person has checked. */
export function isVerified(turn: Turn | null, result: QueryRows): boolean {
  return (
    turn?.steps.some((step) => step.stepId === result.stepId && step.tool === "run_verified_query") ?? false
  );
}

function withRows(results: readonly QueryRows[], frame: Extract<TurnFrame, { type: "rows" }>): QueryRows[] {
  const { type: _type, seq: _seq, ...result } = frame;
  return [...results.filter((other) => other.mark !== result.mark), result];
}

function withStep(steps: readonly TurnStep[], frame: Extract<TurnFrame, { type: "step" }>): TurnStep[] {
  const { stepId, tool, displayText, state, part } = frame;
  const step: TurnStep = { stepId, tool, displayText, state, part };
  const known = steps.findIndex((other) => other.stepId === stepId);
  return known === -1 ? [...steps, step] : steps.with(known, step);
}

function withText(parts: readonly string[], part: number, text: string): string[] {
  const next = [...parts];
  while (next.length <= part) next.push("");
  next[part] += text;
  return next;
}
