import { followRefusal, pageHeaders } from "./client";
import { ApiError, NetworkError, readProblem } from "./errors";
import { reportReachable } from "./reachability";

/** The least that every frame of a turn carries. */
export interface StreamFrame {
  type: string;
  seq: number;
}

interface StreamOptions<Frame extends StreamFrame> {
  /** The request that opens the stream. */
  open: { path: string; method?: "GET" | "POST"; body?: unknown; headers?: Record<string, string> };
  /** Where the stream goes on after a break, once its first frame told which turn it is; null while that is unknown. */
  resumePath: (after: number) => string | null;
  onFrame: (frame: Frame) => void;
  signal: AbortSignal;
  /** Called when the line broke and again when frames come anew. */
  onReconnecting?: (waiting: boolean) => void;
}

const CLOSING = new Set(["done", "error"]);
/** The server or the database behind it is restarting: a line that will come back, not a refusal. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
const RETRY_DELAYS_MS = [250, 500, 1000, 2000, 4000, 8000];

/** Takes text as it comes and gives whole server-sent events as the text of their data lines. */
export function createEventParser(): (text: string) => string[] {
  let rest = "";
  return (text) => {
    // A trailing CR may be half of a CRLF: it waits for the next piece.
    const all = rest + text;
    const held = all.endsWith("\r") ? "\r" : "";
    const blocks = all
      .slice(0, all.length - held.length)
      .replace(/\r\n?/g, "\n")
      .split("\n\n");
    rest = (blocks.pop() ?? "") + held;
    return blocks.flatMap((block) => {
      const data = block.split("\n").filter((line) => line.startsWith("data:"));
      return data.length ? [data.map((line) => line.slice(5).replace(/^ /, "")).join("\n")] : [];
    });
  };
}

/**
 * Follows one turn to its `done` or `error` frame. A line that breaks before that is taken up again after the
 * last frame seen, so no frame is lost and none is shown twice. Throws ApiError when the server refuses,
 * NetworkError when it stays away after every retry, and AbortError when `signal` fires.
 */
export async function followStream<Frame extends StreamFrame>(options: StreamOptions<Frame>): Promise<void> {
  let lastSeq = -1;
  let failures = 0;
  let target: StreamOptions<Frame>["open"] = options.open;
  for (;;) {
    const closed = await readOnce(target, options.signal, (frame: Frame) => {
      const seen = frame.seq < lastSeq || (frame.seq === lastSeq && frame.type !== "snapshot");
      if (seen && !CLOSING.has(frame.type)) return;
      lastSeq = Math.max(lastSeq, frame.seq);
      if (failures > 0) options.onReconnecting?.(false);
      failures = 0;
      options.onFrame(frame);
    });
    if (closed) return;
    const path = options.resumePath(lastSeq);
    const delay = RETRY_DELAYS_MS[failures];
    if (delay === undefined || (path === null && !mayRepeat(options.open))) {
      throw new NetworkError("The answer's line broke.");
    }
    failures += 1;
    options.onReconnecting?.(true);
    await pause(delay, options.signal);
    // A question whose answer never began is put again under its key: the server knows whether it took it before.
    target = path === null ? options.open : { path };
  }
}

function mayRepeat(open: { headers?: Record<string, string> }): boolean {
  return Boolean(open.headers?.["Idempotency-Key"]);
}

/** Reads one connection; true when a closing frame came, false when the line ended without one. */
async function readOnce<Frame extends StreamFrame>(
  target: StreamOptions<Frame>["open"],
  signal: AbortSignal,
  onFrame: (frame: Frame) => void,
): Promise<boolean> {
  const headers: Record<string, string> = {
    Accept: "text/event-stream",
    ...pageHeaders(),
    ...target.headers,
  };
  const init: RequestInit = { method: target.method ?? "GET", credentials: "same-origin", headers, signal };
  if (target.body !== undefined) {
    init.body = JSON.stringify(target.body);
    headers["Content-Type"] = "application/json";
  }
  try {
    const response = await fetch(target.path, init);
    reportReachable(true);
    if (!response.ok) throw await readProblem(response);
    return await readFrames(response, onFrame);
  } catch (failure) {
    if (signal.aborted) throw failure;
    if (failure instanceof TypeError || (failure instanceof DOMException && failure.name !== "AbortError")) {
      reportReachable(navigator.onLine);
      return false;
    }
    if (failure instanceof ApiError && AWAY.has(failure.status)) return false;
    if (failure instanceof ApiError) followRefusal(failure);
    throw failure;
  }
}

async function readFrames<Frame extends StreamFrame>(
  response: Response,
  onFrame: (frame: Frame) => void,
): Promise<boolean> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const parse = createEventParser();
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return false;
    for (const data of parse(piece.value)) {
      const frame = JSON.parse(data) as Frame;
      onFrame(frame);
      if (CLOSING.has(frame.type)) {
        void reader?.cancel();
        return true;
      }
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException("Stopped", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
