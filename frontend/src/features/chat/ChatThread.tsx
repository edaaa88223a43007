import { ArrowDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { Button } from "@/ui/Button";
import type { Run } from "./model/runs";
import { TurnView } from "./TurnView";

interface ChatThreadProps {
  chatId: string;
  turns: readonly Turn[];
  run: Run | undefined;
  openTurnId: string | null;
  openCitation: number | null;
  onAsk: (question: string, options?: { modelId?: string; versionOf?: Turn }) => void;
}

const NEAR_END_PX = 80;

/** The questions and answers one below the other. It follows the text only while the reader is at its end. */
export function ChatThread({ chatId, turns, run, openTurnId, openCitation, onAsk }: ChatThreadProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [away, setAway] = useState(false);
  const last = turns.at(-1);
  const grows = `${turns.length}/${last?.steps.length}/${last?.parts.join("").length}/${last?.state}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the thread grows
  useEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [grows]);
  const toEnd = () => {
    follows.current = true;
    box.current?.scrollTo({ top: box.current.scrollHeight });
  };
  return (
    <div className="relative grow min-h-0 flex flex-col">
      <div
        ref={box}
        className="grow min-h-0 overflow-y-auto"
        onScroll={({ currentTarget: area }) => {
          follows.current = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_END_PX;
          setAway(!follows.current);
        }}
      >
        <div className="max-w-[45.5rem] mx-auto px-6 pt-8 pb-6 max-sm:px-4 max-sm:pt-5">
          {turns.map((turn) => (
            <TurnView
              key={turn.turnIndex}
              chatId={chatId}
              turn={turn}
              openCitation={turn.id === openTurnId ? openCitation : null}
              busy={run !== undefined}
              reconnecting={turn.state === "running" && Boolean(run?.reconnecting)}
              last={turn === last}
              onAsk={onAsk}
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
