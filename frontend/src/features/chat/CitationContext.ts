import { createContext, useContext } from "react";
import type { Citation, Turn } from "@/api/generated";

interface Citations {
  chatId: string;
  turn: Turn | null;
  /** The number of the citation that stands open in the rail, where it is one of this turn. */
  open: number | null;
}

export const CitationContext = createContext<Citations>({ chatId: "", turn: null, open: null });

export function useCitations(): Citations {
  return useContext(CitationContext);
}

export function citationOf(turn: Turn | null, number: number): Citation | undefined {
  return turn?.citations.find((citation) => citation.index === number);
}
