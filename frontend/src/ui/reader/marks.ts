import type { Element, ElementContent, Parents, Root, Text } from "hast";
import { SKIP, visit } from "unist-util-visit";
import type { TextRange } from "@/lib/ranges";
import { alignToSource } from "./positions";

interface Span {
  start: number;
  end: number;
}

/** Where a text node stands in the source: its own position, else that of the element around it (code blocks). */
function spanOf(node: Text, parent: Parents | undefined): Span | null {
  const position = node.position ?? parent?.position;
  const start = position?.start.offset;
  const end = position?.end.offset;
  return start === undefined || end === undefined ? null : { start, end };
}

/**
 * Wraps what lies in `ranges` (UTF-16 units of `source`, ascending) in `<mark>`; `data-mark` is the range's number.
 * A range that goes over several elements gives a mark in each.
 */
export function markTree(tree: Root, source: string, ranges: readonly TextRange[]): void {
  if (ranges.length === 0) return;
  visit(tree, "text", (node, index, parent) => {
    const span = spanOf(node, parent);
    if (!span || !parent || index === undefined) return undefined;
    const near = ranges.filter((range) => range.start < span.end && range.end > span.start);
    if (near.length === 0 || node.value.trim() === "") return undefined;
    const pieces = cut(node.value, source.slice(span.start, span.end), span.start, near, ranges);
    parent.children.splice(index, 1, ...pieces);
    return [SKIP, index + pieces.length];
  });
}

function cut(
  shown: string,
  source: string,
  base: number,
  near: readonly TextRange[],
  all: readonly TextRange[],
): ElementContent[] {
  const places = alignToSource(shown, source);
  const pieces: ElementContent[] = [];
  let from = 0;
  for (const range of near) {
    const start = firstAt(places, range.start - base);
    const end = Math.min(firstAt(places, range.end - base), shown.length);
    if (end <= start) continue;
    if (start > from) pieces.push({ type: "text", value: shown.slice(from, start) });
    pieces.push(markElement(shown.slice(start, end), all.indexOf(range)));
    from = end;
  }
  if (from < shown.length) pieces.push({ type: "text", value: shown.slice(from) });
  return pieces;
}

function firstAt(places: readonly number[], offset: number): number {
  const found = places.findIndex((place) => place >= offset);
  return found === -1 ? places.length - 1 : found;
}

function markElement(value: string, number: number): Element {
  return {
    type: "element",
    tagName: "mark",
    properties: { dataMark: number },
    children: [{ type: "text", value }],
  };
}
