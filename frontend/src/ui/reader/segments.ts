/** A part of a Markdown text that can be parsed by itself; `offset` is where it begins, in UTF-16 units. */
export interface Segment {
  text: string;
  offset: number;
}

export interface Heading {
  level: number;
  title: string;
  /** Where the heading begins in the text, in UTF-16 units: its id in the page. */
  offset: number;
}

interface Line {
  text: string;
  offset: number;
  fenced: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/;
const DEFINITION = /^ {0,3}\[[^\]]+\]:[ \t]*\S/;
const NOT_A_PARAGRAPH = /^ {0,3}(?:[>|*+-]|\d+[.)]|`{3}|~{3}|$)/;

function* linesOf(text: string): Generator<Line> {
  let fence = "";
  let offset = 0;
  for (const line of text.split("\n")) {
    const match = FENCE.exec(line);
    const marker = match?.[1] ?? "";
    const closes = fence !== "" && marker.startsWith(fence) && match?.[2]?.trim() === "";
    const fenced = fence !== "" || marker !== "";
    if (closes) fence = "";
    else if (fence === "" && marker) fence = marker;
    yield { text: line, offset, fenced };
    offset += line.length + 1;
  }
}

/** The words of a heading without the signs of its inline formatting. */
function plainTitle(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|[*`]|~~)/g, "")
    .replace(/\\([\\`*_{}[\]()#+.!-])/g, "$1")
    .trim();
}

/** The headings of a Markdown text in reading order. Those inside code fences are none. */
export function listHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  let before: Line | null = null;
  for (const line of linesOf(text)) {
    if (line.fenced) {
      before = null;
      continue;
    }
    const atx = ATX.exec(line.text);
    const setext = SETEXT.exec(line.text);
    if (atx?.[1]) {
      const title = plainTitle(atx[2] ?? "");
      if (title) headings.push({ level: atx[1].length, title, offset: line.offset + line.text.indexOf("#") });
    } else if (setext?.[1] && before && !NOT_A_PARAGRAPH.test(before.text)) {
      const indent = before.text.length - before.text.trimStart().length;
      const level = setext[1].startsWith("=") ? 1 : 2;
      headings.push({ level, title: plainTitle(before.text), offset: before.offset + indent });
    }
    before = atx ? null : line;
  }
  return headings;
}

const CUT_ANYWAY = 3;
const NEW_PARAGRAPH = /^[^\s>|*+\-=#<\d]/;

/**
 * Cuts a Markdown text before headings into parts of about `size` UTF-16 units, so that a long document is parsed
 * and drawn piece by piece; where no heading comes for long, before a paragraph. Link definitions are repeated at the end of every part; positions stay right, because
 * what is repeated lies behind the part's own text.
 */
export function splitMarkdown(text: string, size = 20_000): Segment[] {
  if (text.length <= size) return [{ text, offset: 0 }];
  const cuts = [0];
  const definitions: string[] = [];
  let afterBlank = false;
  for (const line of linesOf(text)) {
    const length = line.offset - (cuts.at(-1) ?? 0);
    const paragraph = afterBlank && length >= size * CUT_ANYWAY && NEW_PARAGRAPH.test(line.text);
    if (!line.fenced && length >= size && (paragraph || ATX.test(line.text))) cuts.push(line.offset);
    afterBlank = line.text.trim() === "";
    if (!line.fenced && DEFINITION.test(line.text)) definitions.push(line.text);
  }
  const tail = definitions.length > 0 ? `\n\n${definitions.join("\n")}` : "";
  return cuts.map((start, index) => ({ text: text.slice(start, cuts[index + 1]) + tail, offset: start }));
}

/** The id of the heading that begins at a position of the document. */
export function headingId(offset: number): string {
  return `at-${offset}`;
}
