import { useCallback, useEffect, useMemo, useRef } from "react";
import type { Turn } from "@/api/generated";
import { AnswerActions } from "./AnswerActions";
import { AnswerText } from "./AnswerText";
import { CitationContext, type Mark } from "./CitationContext";
import { FollowUps } from "./FollowUps";
import type { Run } from "./model/runs";
import { answerText } from "./model/turn";
import { isQuoting } from "./models";
import { Nearest } from "./Nearest";
import { QuestionHead } from "./QuestionHead";
import { Steps } from "./Steps";
import { TurnEnding } from "./TurnEnding";

interface TurnViewProps {
  chatId: string;
  turn: Turn;
  /** The citation that stands open beside the answer, where it is one of this turn. */
  openCitation: Mark | null;
  /** Some turn of the chat is being answered. */
  busy: boolean;
  /** This turn is being answered. */
  run: Run | undefined;
  last: boolean;
  onAsk: (question: string) => void;
  onAskAgain: (question: string, modelId?: string) => void;
}

/** One question with its steps, its answer and what can be done with it. */
export function TurnView(props: TurnViewProps) {
  const { chatId, turn, openCitation, busy, run, last, onAsk, onAskAgain } = props;
  const ask = useLatest(onAsk);
  const mayAsk = !busy && !isQuoting({ id: turn.modelId });
  const context = useMemo(
    () => ({ chatId, turn, open: openCitation, onAsk: mayAsk ? ask : null }),
    [chatId, turn, openCitation, mayAsk, ask],
  );
  const text = answerText(turn);
  const over = turn.state !== "running";
  return (
    <CitationContext value={context}>
      <article className="py-8 first:pt-0 border-b border-line last:border-b-0 last:pb-2" aria-busy={!over}>
        <QuestionHead turn={turn} busy={busy} onEdit={onAskAgain} />
        <Steps turn={turn} compactedTurns={run?.compactedTurns ?? null} />
        {text && (
          <div className="mt-3">
            <AnswerText text={text} figures={turn.figures} running={!over} />
          </div>
        )}
        {over && turn.notFound && <Nearest turn={turn} />}
        <TurnEnding
          turn={turn}
          busy={busy}
          reconnecting={run?.reconnecting ?? false}
          onAgain={() => onAskAgain(turn.question)}
        />
        {over && turn.id && (
          <AnswerActions
            chatId={chatId}
            turn={turn}
            busy={busy}
            onRegenerate={(modelId) => onAskAgain(turn.question, modelId)}
          />
        )}
        {last && over && !busy && <FollowUps questions={turn.followUps} onPick={onAsk} />}
      </article>
    </CitationContext>
  );
}

/** One function that stays the same and calls the latest one, so that what it is given to is not drawn anew. */
function useLatest(call: (question: string) => void): (question: string) => void {
  const latest = useRef(call);
  useEffect(() => {
    latest.current = call;
  }, [call]);
  return useCallback((question: string) => latest.current(question), []);
}
