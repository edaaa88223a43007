import type { Root as HastRoot } from "hast";
import { type Components, toJsxRuntime } from "hast-util-to-jsx-runtime";
import type { Html } from "mdast";
import { type Handlers, toHast } from "mdast-util-to-hast";
import { memo, useMemo } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import type { TextRange } from "@/lib/ranges";
import { readingComponents } from "./elements";
import { markTree } from "./marks";
import { headingId } from "./segments";

export interface MarkdownProps {
  text: string;
  /** UTF-16 ranges of `text` that are shown as cited words. */
  marks?: readonly TextRange[];
  /** Where `text` begins in the whole document: ids of headings are positions in the document. */
  offset?: number;
  /** A last change of the tree before it is drawn. Must be the same function from one drawing to the next. */
  transform?: (tree: HastRoot) => void;
  /** Components for elements that `transform` puts in; likewise stable. */
  components?: Partial<Components>;
}

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const NO_MARKS: readonly TextRange[] = [];

/** Markup inside Markdown is never markup in the page: line breaks stay, comments go, the rest is shown as it is written. */
const handlers: Handlers = {
  html(_state, node: Html) {
    if (/^<br\s*\/?>$/i.test(node.value))
      return { type: "element", tagName: "br", properties: {}, children: [] };
    if (/^<!--[\s\S]*-->$/.test(node.value)) return undefined;
    return { type: "text", value: node.value };
  },
};

const HEADING = /^h[1-6]$/;

function nameHeadings(tree: HastRoot, offset: number): void {
  visit(tree, "element", (node) => {
    const start = node.position?.start.offset;
    if (!HEADING.test(node.tagName) || start === undefined) return;
    node.properties["id"] = headingId(start + offset);
    node.properties["tabIndex"] = -1;
  });
}

/** Draws Markdown without raw HTML, remote images or unsafe links. */
export const Markdown = memo(function Markdown(props: MarkdownProps) {
  const { text, marks = NO_MARKS, offset = 0, transform, components } = props;
  return useMemo(() => {
    const tree = toHast(parser.parse(text), { handlers }) as HastRoot;
    nameHeadings(tree, offset);
    markTree(tree, text, marks);
    transform?.(tree);
    return toJsxRuntime(tree, {
      Fragment,
      jsx,
      jsxs,
      passNode: true,
      ignoreInvalidStyle: true,
      components: { ...readingComponents, ...components },
    });
  }, [text, marks, offset, transform, components]);
});
