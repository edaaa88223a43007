import { createContext, useContext } from "react";
import type { Citation, QueryRows, Turn } from "@/api/generated";

/** What a mark in an answer says: a number for words of a document, Q1 for rows of a query. */
export type Mark = number | string;

interface Citations {
  chatId: string;
  turn: Turn | null;
  /** The citation that stands open in the rail, where it is one of this turn. */
  open: Mark | null;
  /** Asks a further question; null while one is answered, and where no model reads questions. */
  onAsk: ((question: string) => void) | null;
}

export const CitationContext = createContext<Citations>({
  chatId: "",
  turn: null,
  open: null,
  onAsk: null,
});

export function useCitations(): Citations {
  return useContext(CitationContext);
}

export function citationOf(turn: Turn | null, number: number): Citation | undefined {
  return turn?.citations.find((citation) => citation.index === number);
}

export function resultOf(turn: Turn | null, mark: string): QueryRows | undefined {
  return turn?.queryResults.find((result) => result.mark === mark);
}
