import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { useWiderThan } from "@/ui/hooks";
import { Sheet } from "@/ui/Sheet";
import { useRail } from "@/ui/ShellContext";
import type { Mark } from "./CitationContext";
import { CitationRail } from "./CitationRail";

interface RailProps {
  chatId: string;
  turn: Turn | null;
  open: Mark | null;
  /** The figure of the answer that was picked, by its place in the turn. */
  figure: number | null;
  /** One of its citations was picked; else the rail only stands there because there is room. */
  chosen: boolean;
  onClose: () => void;
}

/** Beside the answer where there is room, else over it: from the right, on a phone from below. */
export function Rail({ chatId, turn, open, figure, chosen, onClose }: RailProps) {
  const { t } = useTranslation();
  const wide = useWiderThan("75rem");
  const beside = useWiderThan("56rem");
  const tablet = useWiderThan("40rem");
  const shown = turn !== null && (chosen || wide);
  useRail(beside && shown);
  const rail = shown && (
    <CitationRail
      chatId={chatId}
      turn={turn}
      open={open}
      figure={figure}
      single={!tablet}
      onClose={onClose}
    />
  );
  if (beside) {
    return rail ? (
      <div className="flex w-(--rail) max-lg:w-[328px] flex-none border-l border-line min-h-0">{rail}</div>
    ) : null;
  }
  return (
    <Sheet
      side={tablet ? "right" : "bottom"}
      title={t("chat.rail.title")}
      open={shown}
      onOpenChange={(stays) => {
        if (!stays) onClose();
      }}
    >
      {rail}
    </Sheet>
  );
}

let wantedHere = true;

/** Whether the rail stands beside every answer; who closed it has it closed until it is opened again. */
export function useRailWanted(): { wanted: boolean; want: (wanted: boolean) => void } {
  const [wanted, setWanted] = useState(wantedHere);
  const want = (next: boolean) => {
    wantedHere = next;
    setWanted(next);
  };
  return { wanted, want };
}
