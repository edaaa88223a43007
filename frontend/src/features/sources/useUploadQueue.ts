import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { connectorsQuery } from "@/api/queries/sources";
import { uploadFiles } from "@/api/upload";
import { fileSize, groupFiles, kindNames } from "@/lib/files";
import { useFailure } from "@/ui/failure";
import { createItems, isPending, settle, spreadSent, type UploadItem } from "./uploadQueue";

const GROUP = { bytes: 8 * 1024 * 1024, files: 20 };

export interface UploadQueue {
  items: readonly UploadItem[];
  add: (files: readonly File[]) => void;
  retry: (id: number) => void;
  stop: () => void;
  clear: () => void;
}

/** Sends files one request after the other and keeps how each of them came out. */
export function useUploadQueue(): UploadQueue {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const failure = useFailure();
  const { data: connectors } = useQuery(connectorsQuery);
  const rules = connectors?.uploads;
  const [items, setItems] = useState<readonly UploadItem[]>([]);
  const waiting = useRef<UploadItem[]>([]);
  const control = useRef<AbortController | null>(null);

  const change = (ids: ReadonlySet<number>, to: (item: UploadItem) => UploadItem) =>
    setItems((all) => all.map((item) => (ids.has(item.id) ? to(item) : item)));

  async function sendGroup(group: readonly UploadItem[], signal: AbortSignal): Promise<void> {
    const ids = new Set(group.map((item) => item.id));
    change(ids, (item) => ({ ...item, state: "sending" }));
    try {
      const answer = await uploadFiles(
        group,
        (bytes) => {
          const sent = spreadSent(group, bytes);
          change(ids, (item) => ({ ...item, sent: sent.get(item.id) ?? item.sent }));
        },
        signal,
      );
      change(ids, (item) => settle(item, answer));
    } catch (error) {
      const stopped = signal.aborted;
      // Where every file of a request is refused the answer is the first one's problem: send each alone to learn its own.
      if (!stopped && group.length > 1 && error instanceof Error && error.name === "ApiError") {
        for (const item of group) await sendGroup([item], signal);
        return;
      }
      const refused = error instanceof Error && error.name === "ApiError";
      const state = stopped ? "stopped" : refused ? "refused" : "failed";
      change(ids, (item) => ({ ...item, state, sent: 0, reason: stopped ? null : failure(error).detail }));
    }
    await client.invalidateQueries({ queryKey: ["sources"] });
  }

  async function work(): Promise<void> {
    if (control.current) return;
    const controller = new AbortController();
    control.current = controller;
    while (waiting.current.length > 0 && !controller.signal.aborted) {
      const [group] = groupFiles(waiting.current, GROUP);
      if (!group) break;
      waiting.current = waiting.current.slice(group.length);
      await sendGroup(group, controller.signal);
    }
    control.current = null;
  }

  function enqueue(added: readonly UploadItem[]): void {
    waiting.current.push(...added.filter((item) => item.state === "waiting"));
    void work();
  }

  return {
    items,
    add: (files) => {
      const added = createItems(files, rules, (refusal) =>
        t(`sources.progress.${refusal}`, {
          size: fileSize(rules?.maxBytes ?? 0, i18n.language),
          kinds: kindNames(rules?.fileExtensions ?? []),
        }),
      );
      setItems((all) => [...all.filter(isPending), ...added]);
      enqueue(added);
    },
    retry: (id) => {
      const item = items.find((one) => one.id === id);
      if (!item) return;
      const again: UploadItem = { ...item, state: "waiting", reason: null };
      change(new Set([id]), () => again);
      enqueue([again]);
    },
    stop: () => {
      const ids = new Set(waiting.current.map((item) => item.id));
      waiting.current = [];
      control.current?.abort();
      change(ids, (item) => ({ ...item, state: "stopped" }));
    },
    clear: () => setItems((all) => all.filter(isPending)),
  };
}
