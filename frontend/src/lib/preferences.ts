export type Theme = "system" | "light" | "dark";
export type Language = "en" | "it";

export interface Preferences {
  theme: Theme;
  language: Language;
  singleKeys: boolean;
}

const KEYS = { theme: "ks.theme", language: "ks.language", singleKeys: "ks.single-keys" } as const;
const listeners = new Set<() => void>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function load(): Preferences {
  const theme = read(KEYS.theme);
  const language = read(KEYS.language);
  const preferred = navigator.language.startsWith("it") ? "it" : "en";
  return {
    theme: theme === "light" || theme === "dark" ? theme : "system",
    language: language === "en" || language === "it" ? language : preferred,
    singleKeys: read(KEYS.singleKeys) !== "off",
  };
}

let current = load();

export function getPreferences(): Preferences {
  return current;
}

export function subscribePreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stores what changed for this browser and applies it to the page at once. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEYS.theme, current.theme);
    localStorage.setItem(KEYS.language, current.language);
    localStorage.setItem(KEYS.singleKeys, current.singleKeys ? "on" : "off");
  } catch {
    // A browser that keeps nothing still follows the choice until the page is closed.
  }
  const root = document.documentElement;
  if (current.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = current.theme;
  root.lang = current.language;
  for (const listener of listeners) listener();
}
