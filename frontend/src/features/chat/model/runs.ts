import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError, NetworkError } from "@/api/errors";
import type { ChatDetail, ContextUsage, NewTurn, Turn } from "@/api/generated";
import { chatQuery, chatsQuery, stopTurn } from "@/api/queries/chats";
import { followStream } from "@/api/stream";
import { applyFrame, askedTurn, type Question, type TurnFrame } from "./turn";

/** A turn that is being answered. It lives outside the pages, so that going to another page does not end it. */
export interface Run {
  turn: Turn;
  /** The line to the server broke and is being taken up again. */
  reconnecting: boolean;
  usage: ContextUsage | null;
  /** Turns that the model now remembers as a summary, when this run made one. */
  compactedTurns: number | null;
}

interface Entry {
  run: Run;
  abort: AbortController;
}

const entries = new Map<string, Entry>();
const listeners = new Set<() => void>();

/** The run of a chat; undefined while nothing is being answered there. */
export function useRun(chatId: string): Run | undefined {
  return useSyncExternalStore(subscribe, () => entries.get(chatId)?.run);
}

/** Asks and follows the answer to its end. The promise rejects when the server does not take the question. */
export function startRun(client: QueryClient, chatId: string, asked: Question, body: NewTurn): Promise<void> {
  const key = crypto.randomUUID();
  return follow(client, chatId, askedTurn(asked), {
    path: `/api/chat/${chatId}/turns`,
    method: "POST",
    body,
    headers: { "Idempotency-Key": key, "Accept-Language": document.documentElement.lang },
  });
}

/** Takes up a turn that runs on the server already, after a reload or from another tab. */
export function attachRun(client: QueryClient, chatId: string, turn: Turn): void {
  if (entries.has(chatId)) return;
  void follow(client, chatId, turn, { path: streamPath(chatId, turn.id) });
}

/** Ends the run at once; the text so far stays. */
export function stopRun(chatId: string): void {
  const turnId = entries.get(chatId)?.run.turn.id;
  if (turnId) void stopTurn(chatId, turnId);
}

/** Forgets the run of a chat that is gone. */
export function dropRun(chatId: string): void {
  entries.get(chatId)?.abort.abort();
  remove(chatId);
}

async function follow(
  client: QueryClient,
  chatId: string,
  turn: Turn,
  open: Parameters<typeof followStream>[0]["open"],
): Promise<void> {
  const abort = new AbortController();
  entries.set(chatId, { run: { turn, reconnecting: false, usage: null, compactedTurns: null }, abort });
  tell();
  try {
    await followStream<TurnFrame>({
      open,
      signal: abort.signal,
      resumePath: (after) => {
        const id = entries.get(chatId)?.run.turn.id;
        return id ? `${streamPath(chatId, id)}${after >= 0 ? `?after=${after}` : ""}` : null;
      },
      onFrame: (frame) => receive(client, chatId, frame),
      onReconnecting: (reconnecting) => update(chatId, (run) => ({ ...run, reconnecting })),
    });
  } catch (failure) {
    if (abort.signal.aborted) return;
    if (failure instanceof ApiError || !entries.get(chatId)?.run.turn.id) {
      remove(chatId);
      throw failure;
    }
    if (failure instanceof NetworkError) update(chatId, (run) => ({ ...run, reconnecting: true }));
  }
  await client.invalidateQueries(chatQuery(chatId));
  remove(chatId);
  void client.invalidateQueries({ queryKey: chatsQuery.queryKey });
}

function receive(client: QueryClient, chatId: string, frame: TurnFrame): void {
  if (frame.type === "title") {
    rename(client, chatId, frame.title);
    return;
  }
  update(chatId, (run) => ({
    ...run,
    turn: applyFrame(run.turn, frame),
    ...(frame.type === "context" && { usage: frame.usage }),
    ...(frame.type === "compaction" && { compactedTurns: frame.turnCount }),
  }));
}

function rename(client: QueryClient, chatId: string, title: string): void {
  client.setQueryData(chatQuery(chatId).queryKey, (detail: ChatDetail | undefined) =>
    detail ? { ...detail, chat: { ...detail.chat, title } } : detail,
  );
  void client.invalidateQueries({ queryKey: chatsQuery.queryKey });
}

function streamPath(chatId: string, turnId: string): string {
  return `/api/chat/${chatId}/turns/${turnId}/stream`;
}

function update(chatId: string, change: (run: Run) => Run): void {
  const entry = entries.get(chatId);
  if (!entry) return;
  entries.set(chatId, { ...entry, run: change(entry.run) });
  tell();
}

function remove(chatId: string): void {
  if (entries.delete(chatId)) tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
