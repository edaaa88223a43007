import type { Element, ElementContent, Root } from "hast";
import type { Components } from "hast-util-to-jsx-runtime";
import { CircleHelp } from "lucide-react";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { SKIP, visit } from "unist-util-visit";
import type { Figure } from "@/api/generated";
import { cx } from "@/lib/cx";
import { Markdown } from "@/ui/reader/Markdown";
import { AnswerResult } from "./AnswerResult";
import { CitationChip } from "./CitationChip";
import { FigureLink } from "./FigureLink";
import { type AnswerMark, answerMarks } from "./model/figures";
import { ResultChip } from "./ResultChip";

interface AnswerTextProps {
  text: string;
  figures: readonly Figure[];
  running: boolean;
}

const MARK = /\s?\[(Q?\d{1,4})\]/g;
/** A mark that has not come whole yet: it appears as a chip, never as brackets first. */
const HALF_MARK = /\s?\[Q?\d{0,4}$/;

const MarksContext = createContext<readonly AnswerMark[]>([]);

/** The answer as a well-set article: marks are chips, results stand where they are first cited, figures show their evidence. */
export function AnswerText({ text: whole, figures, running }: AnswerTextProps) {
  const text = running ? whole.replace(HALF_MARK, "") : whole;
  const marks = useMemo(() => answerMarks(text, figures), [text, figures]);
  const setOut = useMemo(() => settingOf(marks), [marks]);
  return (
    <MarksContext value={marks}>
      <div className={cx("read answer", running && "is-running")}>
        <Markdown text={text} marks={marks} transform={setOut} components={COMPONENTS} />
      </div>
    </MarksContext>
  );
}

function settingOf(marks: readonly AnswerMark[]): (tree: Root) => void {
  return (tree) => {
    tagLastPieces(tree, marks);
    putChips(tree);
    putResults(tree);
  };
}

/** A sentence without a source is in several pieces where parts of it are set apart; only its last one is tagged. */
function tagLastPieces(tree: Root, marks: readonly AnswerMark[]): void {
  const last = new Map<number, Element>();
  visit(tree, { type: "element", tagName: "mark" }, (node) => {
    const mark = marks[Number(node.properties["dataMark"])];
    if (mark && mark.group >= 0) last.set(mark.group, node);
  });
  for (const node of last.values()) node.properties["dataLast"] = true;
}

function putChips(tree: Root): void {
  const counts = new Map<string, number>();
  visit(tree, "text", (node, index, parent) => {
    if (!parent || index === undefined || (parent.type === "element" && parent.tagName === "code"))
      return undefined;
    const pieces = cutMarks(node.value, counts);
    if (pieces.length === 1 && pieces[0]?.type === "text") return undefined;
    parent.children.splice(index, 1, ...pieces);
    return [SKIP, index + pieces.length];
  });
}

function cutMarks(value: string, counts: Map<string, number>): ElementContent[] {
  const pieces: ElementContent[] = [];
  let from = 0;
  for (const match of value.matchAll(MARK)) {
    const before = value.slice(from, match.index);
    if (before) pieces.push({ type: "text", value: before });
    const number = match[1] ?? "";
    const occurrence = counts.get(number) ?? 0;
    counts.set(number, occurrence + 1);
    pieces.push({
      type: "element",
      tagName: "citation-mark",
      properties: { number, occurrence },
      children: [],
    });
    from = match.index + match[0].length;
  }
  if (from < value.length || pieces.length === 0) pieces.push({ type: "text", value: value.slice(from) });
  return pieces;
}

/** The rows of a query stand once, below the block that cites them first. */
function putResults(tree: Root): void {
  const placed = new Set<string>();
  tree.children = tree.children.flatMap((block) => {
    const results: Element[] = [];
    visit(block, { type: "element", tagName: "citation-mark" }, (node) => {
      const mark = String(node.properties["number"]);
      if (!mark.startsWith("Q") || placed.has(mark)) return;
      placed.add(mark);
      results.push({ type: "element", tagName: "answer-result", properties: { mark }, children: [] });
    });
    return [block, ...results];
  });
}

function Chip({ node }: { node?: Element | undefined }) {
  const { number, occurrence } = node?.properties ?? {};
  const mark = String(number);
  if (mark.startsWith("Q")) return <ResultChip mark={mark} />;
  return <CitationChip number={Number(number)} occurrence={Number(occurrence)} />;
}

function Result({ node }: { node?: Element | undefined }) {
  return <AnswerResult mark={String(node?.properties["mark"])} />;
}

function SetOut({ node, children }: { node?: Element | undefined; children?: ReactNode }) {
  const mark = useContext(MarksContext)[Number(node?.properties["dataMark"])];
  if (mark?.figure) {
    return (
      <FigureLink figure={mark.figure} position={mark.position}>
        {children}
      </FigureLink>
    );
  }
  return <Unsupported last={Boolean(node?.properties["dataLast"])}>{children}</Unsupported>;
}

function Unsupported({ last, children }: { last: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  if (!last) return <span className="unsupported">{children}</span>;
  return (
    <>
      <span className="unsupported">{children}</span>
      <span className="unsupported-tag" title={t("chat.answer.noSource")}>
        <CircleHelp size={12} aria-hidden />
        {t("chat.answer.noSourceTag")}
      </span>
    </>
  );
}

const COMPONENTS = { "citation-mark": Chip, "answer-result": Result, mark: SetOut } as Partial<Components>;
