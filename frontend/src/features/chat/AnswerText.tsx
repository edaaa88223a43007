import type { Element, ElementContent, Root } from "hast";
import type { Components } from "hast-util-to-jsx-runtime";
import { CircleHelp } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { SKIP, visit } from "unist-util-visit";
import type { Figure } from "@/api/generated";
import { cx } from "@/lib/cx";
import { toUtf16Ranges } from "@/lib/ranges";
import { Markdown } from "@/ui/reader/Markdown";
import { CitationChip } from "./CitationChip";

interface AnswerTextProps {
  text: string;
  figures: readonly Figure[];
  running: boolean;
}

const MARK = /\s?\[(\d{1,4})\]/g;
/** A mark that has not come whole yet: it appears as a chip, never as brackets first. */
const HALF_MARK = /\s?\[\d{0,4}$/;

/** The answer as a well-set article: [n] are chips, sentences without a source say so. */
export function AnswerText({ text: whole, figures, running }: AnswerTextProps) {
  const text = running ? whole.replace(HALF_MARK, "") : whole;
  const unsupported = useMemo(
    () =>
      toUtf16Ranges(
        text,
        figures.filter((figure) => figure.kind === "unsupported"),
      ),
    [text, figures],
  );
  return (
    <div className={cx("read answer", running && "is-running")}>
      <Markdown text={text} marks={unsupported} transform={setOut} components={COMPONENTS} />
    </div>
  );
}

function setOut(tree: Root): void {
  tagLastPieces(tree);
  putChips(tree);
}

/** A sentence without a source is in several pieces where parts of it are set apart; only its last one is tagged. */
function tagLastPieces(tree: Root): void {
  const last = new Map<unknown, Element>();
  visit(tree, { type: "element", tagName: "mark" }, (node) => {
    last.set(node.properties["dataMark"], node);
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

function Chip({ node }: { node?: Element | undefined }) {
  const { number, occurrence } = node?.properties ?? {};
  return <CitationChip number={Number(number)} occurrence={Number(occurrence)} />;
}

function Unsupported({ node, children }: { node?: Element | undefined; children?: ReactNode }) {
  const { t } = useTranslation();
  if (!node?.properties["dataLast"]) return <span className="unsupported">{children}</span>;
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

const COMPONENTS = { "citation-mark": Chip, mark: Unsupported } as Partial<Components>;
