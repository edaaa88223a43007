import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addShortcut, listenForShortcuts } from "./shortcuts";

describe("shortcuts", () => {
  let singleKeys = true;
  const search = vi.fn();
  const palette = vi.fn();
  const stop = vi.fn();
  let cleanups: (() => void)[] = [];

  beforeEach(() => {
    singleKeys = true;
    cleanups = [
      listenForShortcuts(() => singleKeys),
      addShortcut({ key: "/", run: search }),
      addShortcut({ key: "k", withCommand: true, run: palette }),
      addShortcut({ key: "escape", run: stop }),
    ];
    for (const spy of [search, palette, stop]) spy.mockClear();
  });
  afterEach(() => {
    for (const cleanup of cleanups) cleanup();
    document.body.innerHTML = "";
  });

  const press = (init: KeyboardEventInit, target: EventTarget = document.body) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));

  function field(): HTMLElement {
    const input = document.createElement("input");
    document.body.append(input);
    return input;
  }

  it("leaves single keys to who types, and keeps those with Ctrl", () => {
    press({ key: "/" });
    press({ key: "/" }, field());
    press({ key: "k", ctrlKey: true }, field());
    press({ key: "k" });
    expect(search).toHaveBeenCalledTimes(1);
    expect(palette).toHaveBeenCalledTimes(1);
  });

  it("takes no single key where they are switched off", () => {
    singleKeys = false;
    press({ key: "/" });
    press({ key: "Escape" });
    expect(search).not.toHaveBeenCalled();
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it("leaves Esc to an open layer", () => {
    document.body.innerHTML = '<div data-base-ui-portal><div role="dialog" data-open></div></div>';
    press({ key: "Escape" });
    expect(stop).not.toHaveBeenCalled();
  });

  it("gives a key to the part of the page that asked for it last", () => {
    const later = vi.fn();
    const remove = addShortcut({ key: "/", run: later });
    press({ key: "/" });
    remove();
    press({ key: "/" });
    expect(later).toHaveBeenCalledTimes(1);
    expect(search).toHaveBeenCalledTimes(1);
  });
});
