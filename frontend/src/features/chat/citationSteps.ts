import { useNavigate } from "@tanstack/react-router";
import type { Citation, QueryRows, Turn } from "@/api/generated";
import type { Mark } from "./CitationContext";
import { citedNumbers, citedResults } from "./model/turn";

/** The citations in the order of their numbers, parted by whether the answer uses them. */
export function sortedCitations(turn: Turn): { cited: Citation[]; read: Citation[] } {
  const numbers = citedNumbers(turn);
  const all = [...turn.citations].sort((a, b) => a.index - b.index);
  return {
    cited: all.filter((citation) => numbers.has(citation.index)),
    read: all.filter((citation) => !numbers.has(citation.index)),
  };
}

/** The query results in the order of their marks, parted by whether the answer uses them. */
export function sortedResults(turn: Turn): { cited: QueryRows[]; read: QueryRows[] } {
  const marks = citedResults(turn);
  const all = [...turn.queryResults].sort((a, b) => Number(a.mark.slice(1)) - Number(b.mark.slice(1)));
  return {
    cited: all.filter((result) => marks.has(result.mark)),
    read: all.filter((result) => !marks.has(result.mark)),
  };
}

/** The first mark of a citation in its answer. */
export function findMark(turnId: string, number: Mark): HTMLElement | null {
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
export function useCitationSteps(chatId: string, turn: Turn | null, open: Mark | null): CitationSteps {
  const navigate = useNavigate();
  const cited: Mark[] = turn
    ? [
        ...sortedCitations(turn).cited.map((citation) => citation.index),
        ...sortedResults(turn).cited.map((result) => result.mark),
      ]
    : [];
  const at = open === null ? -1 : cited.indexOf(open);
  const show = (mark: Mark | undefined) => {
    if (mark === undefined || !turn?.id) return;
    void navigate({
      to: "/chat/$chatId",
      params: { chatId },
      search: { turn: turn.id, citation: mark },
      replace: open !== null,
      resetScroll: false,
    });
    findMark(turn.id, mark)?.scrollIntoView({ block: "nearest" });
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
