import { lazy, Suspense, useSyncExternalStore } from "react";
import { anythingSaid, say, subscribeMessages } from "./messages";

const SHOWN_MS = 6000;
const ToastLayer = lazy(() => import("./ToastLayer").then((module) => ({ default: module.ToastLayer })));

/** Says in passing what was done, with a way to take it back. */
export function showToast(title: string, undo?: { label: string; run: () => void }): void {
  say({
    title,
    timeout: SHOWN_MS,
    ...(undo && { actionProps: { children: undo.label, onClick: undo.run } }),
  });
}

/** Says what failed; stays until it is closed. */
export function showErrorToast(title: string, detail: string, requestId: string | null = null): void {
  say({ title, description: detail, type: "error", timeout: 0, priority: "high", data: { requestId } });
}

/** Where messages appear. */
export function Toasts() {
  const wanted = useSyncExternalStore(subscribeMessages, anythingSaid);
  return (
    wanted && (
      <Suspense>
        <ToastLayer />
      </Suspense>
    )
  );
}
