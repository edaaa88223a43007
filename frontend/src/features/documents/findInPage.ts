import { findRanges } from "@/lib/ranges";

const BLOCK = "p, li, h1, h2, h3, h4, h5, h6, td, th, pre, div";

/** Every place in `page` where `query` stands, over the borders of inline elements but not from one block to the next. */
export function findInPage(page: HTMLElement, query: string): Range[] {
  if (!query) return [];
  const nodes: { node: Text; start: number }[] = [];
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  let text = "";
  let block: Element | null = null;
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const around: Element | null = node.parentElement?.closest(BLOCK) ?? null;
    // A sign that no one types keeps the last word of a block apart from the first of the next.
    if (around !== block && text) text += "\u0000";
    block = around;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  let index = 0;
  return findRanges(text, query).flatMap(({ start, end }) => {
    while ((nodes[index + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) index += 1;
    const first = nodes[index];
    const last = nodes.findLast((one, place) => place >= index && one.start < end);
    if (!first || !last) return [];
    const range = document.createRange();
    range.setStart(first.node, start - first.start);
    range.setEnd(last.node, end - last.start);
    return [range];
  });
}
