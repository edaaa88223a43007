import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { getPreferences, type Preferences, subscribePreferences } from "@/lib/preferences";
import { addShortcut, type Shortcut } from "@/lib/shortcuts";

/** Keeps a key of the page while the component is there. */
export function useShortcut(
  key: string,
  run: Shortcut["run"],
  options: { withCommand?: boolean } = {},
): void {
  const { withCommand = false } = options;
  const latest = useEffectEvent(run);
  useEffect(() => addShortcut({ key, withCommand, run: (event) => latest(event) }), [key, withCommand]);
}

/** The choices of this browser: theme, language, single keys. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribePreferences, getPreferences);
}

/** Names the page in the browser's tab and history. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · KnowledgeStack`;
  }, [title]);
}

/** A value that follows another one after it has stood still for `ms` milliseconds. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** Whether the window is at least so wide, in CSS units ("56rem"); follows changes of the window. */
export function useWiderThan(width: string): boolean {
  const query = `(min-width: ${width})`;
  return useSyncExternalStore(
    (notify) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", notify);
      return () => media.removeEventListener("change", notify);
    },
    () => window.matchMedia(query).matches,
  );
}
