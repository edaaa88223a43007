import { ArrowDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { Button } from "@/ui/Button";
import type { Mark } from "./CitationContext";
import { findMark } from "./citationSteps";
import type { Run } from "./model/runs";
import { TurnView } from "./TurnView";

interface ChatThreadProps {
  chatId: string;
  turns: readonly Turn[];
  run: Run | undefined;
  openTurnId: string | null;
  openCitation: Mark | null;
  onAsk: (question: string) => void;
  onAskAgain: (turn: Turn, question: string, modelId?: string) => void;
}

const NEAR_END_PX = 80;

/** The questions and answers one below the other. It follows the text only while the reader is at its end. */
export function ChatThread(props: ChatThreadProps) {
  const { chatId, turns, run, openTurnId, openCitation, onAsk, onAskAgain } = props;
  const { t } = useTranslation();
  const { box, onScroll, away, toEnd } = useFollowing(turns, openTurnId, openCitation);
  const last = turns.at(-1);
  return (
    <div className="relative grow min-h-0 flex flex-col">
      <div
        ref={box}
        className="relative grow min-h-0 overflow-y-auto [overflow-anchor:none]"
        onScroll={onScroll}
      >
        <div className="max-w-[45.5rem] mx-auto px-6 pt-8 pb-6 max-sm:px-4 max-sm:pt-5">
          {turns.map((turn) => (
            <TurnView
              key={turn.turnIndex}
              chatId={chatId}
              turn={turn}
              openCitation={turn.id === openTurnId ? openCitation : null}
              busy={run !== undefined}
              run={turn.state === "running" ? run : undefined}
              last={turn === last}
              onAsk={onAsk}
              onAskAgain={(question, modelId) => onAskAgain(turn, question, modelId)}
            />
          ))}
        </div>
      </div>
      {away && (
        <Button
          size="sm"
          icon={<ArrowDown size={14} aria-hidden />}
          onClick={toEnd}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-float"
        >
          {t("chat.latest")}
        </Button>
      )}
    </div>
  );
}

/** Keeps the end of the thread in view until the reader scrolls away from it; a new question brings it back. */
function useFollowing(turns: readonly Turn[], openTurnId: string | null, openCitation: Mark | null) {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(openTurnId === null);
  const [away, setAway] = useState(false);
  const last = turns.at(-1);
  const toEnd = () => {
    follows.current = true;
    box.current?.scrollTo({ top: box.current.scrollHeight });
  };
  const asked = last?.state === "running" && last.id === "" ? last.createdAt : "";
  useEffect(() => {
    if (asked) follows.current = true;
  }, [asked]);
  const grows = `${turns.length}/${last?.steps.length}/${last?.parts.join("").length}/${last?.state}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the thread grows
  useEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [grows, asked]);
  // Who comes back from a document, or opens a link to a citation, lands on its mark.
  const place = useRef({ openTurnId, openCitation });
  useEffect(() => {
    const { openTurnId: turnId, openCitation: number } = place.current;
    if (turnId && number !== null) findMark(turnId, number)?.scrollIntoView({ block: "center" });
  }, []);
  const onScroll = () => {
    const area = box.current;
    if (!area) return;
    follows.current = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_END_PX;
    setAway(!follows.current);
  };
  return { box, onScroll, away, toEnd };
}
