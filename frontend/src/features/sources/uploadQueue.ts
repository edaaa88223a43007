import type { ConnectorCatalogue, UploadOutcome } from "@/api/types";
import { fileExtension, relativePath } from "@/lib/files";

export type UploadState =
  | "waiting"
  | "sending"
  | "sent"
  | "same"
  | "replaced"
  | "refused"
  | "failed"
  | "stopped";

export interface UploadItem {
  id: number;
  file: File;
  path: string;
  state: UploadState;
  /** Bytes that have left. */
  sent: number;
  /** Why it was refused or not sent, in a sentence. */
  reason: string | null;
  /** Another file of the workspace that has the same content. */
  sameAs: string | null;
}

type Refusal = "unsupported" | "tooLarge" | "empty";

/** Why a file need not be sent at all, or null where it may. The server checks again. */
export function refusalOf(file: File, rules: ConnectorCatalogue["uploads"]): Refusal | null {
  if (!rules.fileExtensions.includes(fileExtension(file.name))) return "unsupported";
  if (file.size > rules.maxBytes) return "tooLarge";
  return file.size === 0 ? "empty" : null;
}

let lastId = 0;

/** Makes queue items of files; those that need not be sent are refused at once with the sentence `say` gives. */
export function createItems(
  files: readonly File[],
  rules: ConnectorCatalogue["uploads"] | undefined,
  say: (refusal: Refusal) => string,
): UploadItem[] {
  return files.map((file) => {
    const refusal = rules ? refusalOf(file, rules) : null;
    lastId += 1;
    return {
      id: lastId,
      file,
      path: relativePath(file),
      state: refusal ? "refused" : "waiting",
      sent: 0,
      reason: refusal && say(refusal),
      sameAs: null,
    };
  });
}

/** Spreads the bytes that a request has sent over its files in their order. */
export function spreadSent(group: readonly UploadItem[], bytes: number): Map<number, number> {
  let left = bytes;
  return new Map(
    group.map((item) => {
      const sent = Math.min(left, item.file.size);
      left -= sent;
      return [item.id, sent];
    }),
  );
}

/** What the server's answer means for one file of the request. */
export function settle(item: UploadItem, answer: UploadOutcome): UploadItem {
  const rejected = answer.rejected.find((one) => one.name === item.path);
  if (rejected) return { ...item, state: "refused", reason: rejected.detail };
  const taken = answer.documents.find((one) => one.name === item.path);
  const done = { ...item, sent: item.file.size, reason: null, sameAs: taken?.sameAs ?? null };
  if (taken?.unchanged) return { ...done, state: "same" };
  return { ...done, state: taken?.replaced ? "replaced" : "sent" };
}

/** Whether a file of the queue is on its way or waits for its turn. */
export function isPending(item: UploadItem): boolean {
  return item.state === "waiting" || item.state === "sending";
}
