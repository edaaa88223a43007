import { type RefObject, useEffect, useState } from "react";
import { findInPage } from "./findInPage";

const SETTLE_MS = 200;

/**
 * Marks every place where `query` stands in the page and brings the one numbered `at` into view. Gives back how many
 * there are; follows the document while it is still being drawn.
 */
export function useFoundPlaces(canvas: RefObject<HTMLElement | null>, query: string, at: number): number {
  const [places, setPlaces] = useState<Range[]>([]);
  useEffect(() => {
    const page = canvas.current;
    if (!page) return;
    const look = () => setPlaces(findInPage(page, query));
    look();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watcher = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(look, SETTLE_MS);
    });
    watcher.observe(page, { childList: true, subtree: true });
    return () => {
      clearTimeout(timer);
      watcher.disconnect();
    };
  }, [canvas, query]);
  const current = places[at];
  useEffect(() => {
    if (!("highlights" in CSS)) return;
    CSS.highlights.set("found", new Highlight(...places));
    return () => void CSS.highlights.delete("found");
  }, [places]);
  useEffect(() => {
    if (!current) return;
    current.startContainer.parentElement?.scrollIntoView({ block: "center" });
    if (!("highlights" in CSS)) return;
    const shown = new Highlight(current);
    shown.priority = 1;
    CSS.highlights.set("found-current", shown);
    return () => void CSS.highlights.delete("found-current");
  }, [current]);
  return places.length;
}
