import { useNavigate } from "@tanstack/react-router";
import type { Citation, Turn } from "@/api/generated";
import { citedNumbers } from "./model/turn";

/** The citations in the order of their numbers, parted by whether the answer uses them. */
export function sortedCitations(turn: Turn): { cited: Citation[]; read: Citation[] } {
  const numbers = citedNumbers(turn);
  const all = [...turn.citations].sort((a, b) => a.index - b.index);
  return {
    cited: all.filter((citation) => numbers.has(citation.index)),
    read: all.filter((citation) => !numbers.has(citation.index)),
  };
}

/** The first mark of a citation in its answer. */
export function findMark(turnId: string, number: number): HTMLElement | null {
  return document.querySelector(`[data-citation="${turnId}:${number}"]`);
}

interface CitationSteps {
  /** The place of the open citation among the cited ones, -1 where none of them is open. */
  at: number;
  count: number;
  step: (by: 1 | -1) => void;
  openFirst: () => void;
  close: () => void;
}

/** Going from one citation of an answer to the next, around at its ends. */
export function useCitationSteps(chatId: string, turn: Turn | null, open: number | null): CitationSteps {
  const navigate = useNavigate();
  const cited = turn ? sortedCitations(turn).cited : [];
  const at = cited.findIndex((citation) => citation.index === open);
  const show = (citation: Citation | undefined) => {
    if (!citation || !turn?.id) return;
    void navigate({
      to: "/chat/$chatId",
      params: { chatId },
      search: { turn: turn.id, citation: citation.index },
      replace: open !== null,
      resetScroll: false,
    });
    findMark(turn.id, citation.index)?.scrollIntoView({ block: "nearest" });
  };
  return {
    at,
    count: cited.length,
    step: (by) => {
      const from = at === -1 && by === -1 ? 0 : at;
      show(cited[(from + by + cited.length) % cited.length]);
    },
    openFirst: () => show(cited[0]),
    close: () => {
      void navigate({
        to: "/chat/$chatId",
        params: { chatId },
        search: {},
        replace: true,
        resetScroll: false,
      });
      if (turn && open !== null) findMark(turn.id, open)?.focus({ preventScroll: true });
    },
  };
}
