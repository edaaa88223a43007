import type { TextRange } from "@/lib/ranges";

const SENTENCE = /[^\n]+?(?:[.!?]+(?=\s|$)|\n|$)/gu;
const WORD = /[\p{L}\p{N}]{3,}/gu;
const ENOUGH = 0.34;

/**
 * The words of a passage that a statement of the answer rests on: the sentence or table row that shares most of its words, and
 * the whole passage where none shares enough. UTF-16 range of `passage`.
 */
export function citedWords(passage: string, statement: string): TextRange {
  const whole = { start: 0, end: passage.length };
  const quoted = passage.indexOf(statement.trim());
  if (statement.trim() && quoted !== -1) return { start: quoted, end: quoted + statement.trim().length };
  const wanted = words(statement);
  if (wanted.size === 0) return whole;
  let best = { score: 0, range: whole };
  for (const match of passage.matchAll(SENTENCE)) {
    const found = words(match[0]);
    const shared = [...found].filter((word) => wanted.has(word)).length;
    const score = (2 * shared) / (found.size + wanted.size);
    if (score > best.score)
      best = { score, range: trimmed(passage, match.index, match.index + match[0].length) };
  }
  return best.score >= ENOUGH ? best.range : whole;
}

/** The sentence of an answer that carries the mark `[number]`, without marks and Markdown signs. */
export function statementOf(answer: string, number: number): string {
  const at = answer.indexOf(`[${number}]`);
  if (at === -1) return "";
  const before = answer.slice(0, at).replace(/\s*\[[\dQ]+\]/g, "");
  const start = Math.max(
    before.lastIndexOf("\n"),
    ...[". ", "! ", "? "].map((end) => lastEnd(before.trimEnd(), end)),
  );
  return before
    .slice(start + 1)
    .replace(/[*_`>#]/g, "")
    .replace(/^[\s\-–"“”|]+|[\s"“”|]+$/g, "");
}

function lastEnd(text: string, end: string): number {
  const at = text.slice(0, -1).lastIndexOf(end);
  return at === -1 ? -1 : at + 1;
}

function words(text: string): Set<string> {
  return new Set([...text.toLowerCase().matchAll(WORD)].map((match) => match[0]));
}

function trimmed(text: string, start: number, end: number): TextRange {
  const piece = text.slice(start, end);
  const lead = piece.length - piece.trimStart().length;
  return { start: start + lead, end: start + piece.trimEnd().length };
}
