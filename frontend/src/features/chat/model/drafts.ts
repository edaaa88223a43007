import { useSyncExternalStore } from "react";

/** What stands unsent in the composers, by chat; "" is the composer of a new question. */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

export function useDraft(chatId: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => drafts.get(chatId) ?? "");
  return [text, (next) => putDraft(chatId, next)];
}

export function putDraft(chatId: string, text: string): void {
  if (text) drafts.set(chatId, text);
  else drafts.delete(chatId);
  for (const listener of listeners) listener();
}

/** Gives a question back that was not taken, unless something else has been typed since. */
export function giveBack(chatId: string, question: string): void {
  if (!drafts.get(chatId)) putDraft(chatId, question);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
