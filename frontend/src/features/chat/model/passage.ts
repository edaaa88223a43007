import { joinRanges, type TextRange } from "@/lib/ranges";

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

/**
 * The words of a passage that several statements rest on, in ascending order. The whole passage stands only where no
 * statement names words of it.
 */
export function citedRanges(passage: string, statements: readonly string[]): TextRange[] {
  const found = statements.map((statement) => citedWords(passage, statement));
  const exact = found.filter(({ start, end }) => end - start < passage.length);
  return joinRanges(exact.length > 0 ? exact : [{ start: 0, end: passage.length }]);
}

/** The sentences of an answer that carry the mark `[number]`, without marks and Markdown signs. */
export function statementsOf(answer: string, number: number): string[] {
  const mark = `[${number}]`;
  const statements: string[] = [];
  for (let at = answer.indexOf(mark); at !== -1; at = answer.indexOf(mark, at + mark.length)) {
    statements.push(statementBefore(answer, at));
  }
  return statements;
}

function statementBefore(answer: string, at: number): string {
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

export interface Quote {
  before: string;
  words: string;
  after: string;
}

const LEAD = 110;
const TRAIL = 160;

/** The cited words of a passage as plain text, with what stands around them in their own line. */
export function quoteOf(passage: string, { start, end }: TextRange): Quote {
  const lineStart = passage.lastIndexOf("\n", start - 1) + 1;
  const nextLine = passage.indexOf("\n", end);
  const lineEnd = nextLine === -1 ? passage.length : nextLine;
  const before = plain(passage.slice(lineStart, start));
  const after = plain(passage.slice(end, lineEnd));
  return {
    before: before.length > LEAD ? `…${before.slice(before.indexOf(" ", before.length - LEAD))}` : before,
    words: plain(passage.slice(start, end)),
    after: after.length > TRAIL ? `${after.slice(0, after.lastIndexOf(" ", TRAIL))} …` : after,
  };
}

/** Text without the signs of Markdown; the cells of a table row stand apart. */
function plain(markdown: string): string {
  return markdown
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+/gm, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*\|?[\s:|-]+\|?\s*$/gm, "")
    .replace(/^\s*\||\|\s*$/gm, "")
    .replace(/\s*\|\s*/g, " · ")
    .replace(/[*_`]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
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
