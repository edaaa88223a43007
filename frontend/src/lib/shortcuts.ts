export interface Shortcut {
  /** As KeyboardEvent.key names it, in lower case for letters. */
  key: string;
  /** With Ctrl, or Cmd on a Mac. Such keys also work while one types. */
  withCommand?: boolean;
  run: (event: KeyboardEvent) => void;
}

const shortcuts: Shortcut[] = [];

const TYPING = "input, textarea, select, [contenteditable='true'], [role='textbox']";
const LAYER =
  "[data-base-ui-portal] [data-open]:is([role='dialog'], [role='alertdialog'], [role='menu'], [role='listbox'])";

/** Whether a dialog, a menu or a list is open above the page. */
export function hasOpenLayer(): boolean {
  return document.querySelector(LAYER) !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPING) !== null;
}

/** Whether a key press is one for `shortcut`: the top layer keeps its keys, and letters belong to who types. */
export function fires(shortcut: Shortcut, event: KeyboardEvent, singleKeys: boolean): boolean {
  // AltGr types "[" and "]" on many keyboards and reports itself as Ctrl and Alt together.
  const altGraph = event.getModifierState("AltGraph");
  const command = (event.ctrlKey || event.metaKey) && !altGraph;
  if (event.key.toLowerCase() !== shortcut.key || event.isComposing || event.defaultPrevented) return false;
  if (Boolean(shortcut.withCommand) !== command || (event.altKey && !altGraph)) return false;
  if (shortcut.withCommand) return true;
  if (hasOpenLayer()) return false;
  return shortcut.key === "escape" || (singleKeys && !isTyping(event.target));
}

/** Adds a key for the whole page; where two want the same key the one added last has it. Gives back how to take it off. */
export function addShortcut(shortcut: Shortcut): () => void {
  shortcuts.unshift(shortcut);
  return () => {
    shortcuts.splice(shortcuts.indexOf(shortcut), 1);
  };
}

/** Listens for the keys of the page. In the capture phase, so that Esc is judged before a layer has closed itself. */
export function listenForShortcuts(singleKeys: () => boolean): () => void {
  const listen = (event: KeyboardEvent) => {
    const found = shortcuts.find((shortcut) => fires(shortcut, event, singleKeys()));
    if (!found) return;
    if (found.key !== "escape") event.preventDefault();
    found.run(event);
  };
  window.addEventListener("keydown", listen, { capture: true });
  return () => window.removeEventListener("keydown", listen, { capture: true });
}
