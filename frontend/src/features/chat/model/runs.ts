import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { NetworkError } from "@/api/errors";
import type { ChatDetail, ContextUsage, NewTurn, Turn } from "@/api/generated";
import { chatQuery, chatsQuery, stopTurn } from "@/api/queries/chats";
import { isReachable, subscribeReachability } from "@/api/reachability";
import { followStream } from "@/api/stream";
import { applyFrame, askedTurn, type Question, type TurnFrame } from "./turn";

/** A turn that is being answered. It lives outside the pages, so that going to another page does not end it. */
export interface Run {
  turn: Turn;
  /** When this page began to follow it, in milliseconds as Date.now() counts. */
  startedAt: number;
  /** The line to the server broke and is being taken up again. */
  reconnecting: boolean;
  /** Stop was pressed and the server has not ended the turn yet. */
  stopping: boolean;
  usage: ContextUsage | null;
  /** Turns that the model now remembers as a summary, when this run made one. */
  compactedTurns: number | null;
}

interface Entry {
  run: Run;
  abort: AbortController;
}

type Opening = Parameters<typeof followStream>[0]["open"];

const RETRY_MS = 8000;
const entries = new Map<string, Entry>();
const listeners = new Set<() => void>();
let paint = 0;

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
  const current = entries.get(chatId)?.run.turn;
  if (current && (current.state === "running" || current.id === turn.id)) return;
  follow(client, chatId, turn, { path: streamPath(chatId, turn.id) }).catch(() =>
    client.invalidateQueries(chatQuery(chatId)),
  );
}

/** Ends the run at once; the text so far stays. A question that has no answer yet is stopped when it has begun. */
export function stopRun(chatId: string): void {
  const entry = entries.get(chatId);
  if (!entry || entry.run.stopping) return;
  update(chatId, (run) => ({ ...run, stopping: true }));
  if (entry.run.turn.id) tellServerToStop(chatId, entry.run.turn.id);
}

/** Forgets the run of a chat that is gone. */
export function dropRun(chatId: string): void {
  const entry = entries.get(chatId);
  if (!entry) return;
  entry.abort.abort();
  remove(chatId, entry.abort);
}

async function follow(client: QueryClient, chatId: string, turn: Turn, open: Opening): Promise<void> {
  const abort = new AbortController();
  entries.set(chatId, { run: runOf(turn), abort });
  tell();
  try {
    await followToEnd(client, chatId, open, abort.signal);
  } catch (failure) {
    if (abort.signal.aborted) return;
    remove(chatId, abort);
    throw failure;
  }
  await client.invalidateQueries(chatQuery(chatId));
  remove(chatId, abort);
  void client.invalidateQueries({ queryKey: chatsQuery.queryKey });
}

/** A server that stays away is asked again until it is back: the turn goes on there, and only it knows the end. */
async function followToEnd(
  client: QueryClient,
  chatId: string,
  open: Opening,
  signal: AbortSignal,
): Promise<void> {
  for (let target = open; ; ) {
    try {
      return await followStream<TurnFrame>({
        open: target,
        signal,
        resumePath: (after) => {
          const id = entries.get(chatId)?.run.turn.id;
          return id ? `${streamPath(chatId, id)}${after >= 0 ? `?after=${after}` : ""}` : null;
        },
        onFrame: (frame) => receive(client, chatId, frame),
        onReconnecting: (reconnecting) => update(chatId, (run) => ({ ...run, reconnecting })),
      });
    } catch (failure) {
      const id = entries.get(chatId)?.run.turn.id;
      if (!(failure instanceof NetworkError) || !id) throw failure;
      await untilReachable(signal);
      target = { path: streamPath(chatId, id) };
    }
  }
}

function untilReachable(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (then: () => void) => () => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener("abort", stop);
      then();
    };
    const stop = leave(() => reject(new DOMException("Stopped", "AbortError")));
    const timer = setTimeout(
      leave(() => resolve()),
      RETRY_MS,
    );
    const unsubscribe = subscribeReachability(() => {
      if (isReachable()) leave(() => resolve())();
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}

function receive(client: QueryClient, chatId: string, frame: TurnFrame): void {
  if (frame.type === "title") {
    rename(client, chatId, frame.title);
    return;
  }
  const change = (run: Run): Run => ({
    ...run,
    reconnecting: false,
    turn: applyFrame(run.turn, frame),
    ...(frame.type === "context" && { usage: frame.usage }),
    ...(frame.type === "compaction" && { compactedTurns: frame.turnCount }),
  });
  if (frame.type === "delta") updateSoon(chatId, change);
  else update(chatId, change);
  if (frame.type === "started" && entries.get(chatId)?.run.stopping) tellServerToStop(chatId, frame.turnId);
}

function tellServerToStop(chatId: string, turnId: string): void {
  stopTurn(chatId, turnId).catch(() => update(chatId, (run) => ({ ...run, stopping: false })));
}

function rename(client: QueryClient, chatId: string, title: string): void {
  client.setQueryData(chatQuery(chatId).queryKey, (detail: ChatDetail | undefined) =>
    detail ? { ...detail, chat: { ...detail.chat, title } } : detail,
  );
  void client.invalidateQueries({ queryKey: chatsQuery.queryKey });
}

function runOf(turn: Turn): Run {
  return {
    turn,
    startedAt: turn.id ? Date.parse(turn.createdAt) : Date.now(),
    reconnecting: false,
    stopping: false,
    usage: null,
    compactedTurns: null,
  };
}

function streamPath(chatId: string, turnId: string): string {
  return `/api/chat/${chatId}/turns/${turnId}/stream`;
}

function update(chatId: string, change: (run: Run) => Run): void {
  if (replace(chatId, change)) tell();
}

/** Words come faster than a screen draws: they are shown once per painted frame. */
function updateSoon(chatId: string, change: (run: Run) => Run): void {
  if (!replace(chatId, change) || paint) return;
  paint = requestAnimationFrame(tell);
}

function replace(chatId: string, change: (run: Run) => Run): boolean {
  const entry = entries.get(chatId);
  if (entry) entries.set(chatId, { ...entry, run: change(entry.run) });
  return entry !== undefined;
}

/** Takes a run away, unless another one has begun in its place. */
function remove(chatId: string, abort: AbortController): void {
  if (entries.get(chatId)?.abort !== abort) return;
  entries.delete(chatId);
  tell();
}

function tell(): void {
  cancelAnimationFrame(paint);
  paint = 0;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
