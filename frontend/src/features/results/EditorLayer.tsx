import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, keymap, tooltips } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useEffectEvent, useRef } from "react";
import type { CompletionList } from "@/api/generated";
import type { SqlEditorProps } from "./SqlEditor";

/**
 * The editor. It stands in a shadow root: there its styles are sheets made by script, where in the page itself they
 * would be a style element, which the content policy forbids.
 */
export function EditorLayer(props: SqlEditorProps) {
  const {
    value,
    onChange,
    label,
    onRun,
    completion,
    describedBy,
    autoFocus = false,
    disabled = false,
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const parts = useRef({ names: new Compartment(), field: new Compartment() });
  const changed = useEffectEvent(onChange);
  const run = useEffectEvent(() => {
    onRun?.();
    return true;
  });
  const first = useEffectEvent(() => ({ value, completion, label, describedBy, disabled, autoFocus }));
  useEffect(() => {
    const box = host.current;
    if (!box) return undefined;
    const root = box.shadowRoot ?? box.attachShadow({ mode: "open", delegatesFocus: true });
    const { names, field } = parts.current;
    const start = first();
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: start.value,
        extensions: [
          Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => run() }])),
          names.of(language(start.completion)),
          field.of(fieldOf(start)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
          ...BASE,
        ],
      }),
    });
    view.current = editor;
    if (start.autoFocus) editor.focus();
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.names.reconfigure(language(completion)) });
  }, [completion]);
  useEffect(() => {
    view.current?.dispatch({
      effects: parts.current.field.reconfigure(fieldOf({ label, disabled, describedBy })),
    });
  }, [label, disabled, describedBy]);
  return <div ref={host} />;
}

interface FieldState {
  label: string;
  disabled: boolean;
  describedBy: string | undefined;
}

function fieldOf({ label, disabled, describedBy }: FieldState) {
  // A name cannot point out of the shadow root: the sentence itself goes in.
  const description = describedBy && document.getElementById(describedBy)?.textContent;
  return [
    EditorView.contentAttributes.of({
      "aria-label": label,
      ...(description && { "aria-description": description }),
      tabindex: "0",
      spellcheck: "false",
      autocapitalize: "off",
    }),
    EditorState.readOnly.of(disabled),
    EditorView.editable.of(!disabled),
  ];
}

function language(completion: CompletionList | null | undefined) {
  const schema: Record<string, Record<string, readonly string[]>> = {};
  for (const table of completion?.items ?? []) {
    schema[table.schema] = { ...schema[table.schema], [table.name]: table.columns };
  }
  return sql({ dialect: PostgreSQL, schema, defaultSchema: defaultSchema(completion) });
}

/** The schema whose tables are named without it: `public`, or the only one there is. */
function defaultSchema(completion: CompletionList | null | undefined): string {
  const owners = new Set(completion?.items.map((table) => table.schema));
  const [only] = owners;
  return owners.size === 1 && only ? only : "public";
}

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--color-code-keyword)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--color-code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--color-code-number)" },
  { tag: tags.comment, color: "var(--color-code-comment)", fontStyle: "italic" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--color-ink)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    font: "400 0.78125rem/1.65 var(--font-mono)",
    overflow: "auto",
    minHeight: "9.25rem",
    maxHeight: "21.5rem",
  },
  ".cm-content": { padding: "8px 0", caretColor: "var(--color-accent)" },
  ".cm-line": { padding: "0 12px" },
  ".cm-cursor": { borderLeftColor: "var(--color-accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--color-accent-soft)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--color-accent-soft)",
    color: "var(--color-on-soft)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--color-raised)",
    border: "1px solid var(--color-line-strong)",
    borderRadius: "var(--radius-sm)",
    boxShadow: "var(--shadow-float)",
    zIndex: "var(--z-menu)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--font-mono)",
    fontSize: "var(--text-xs)",
    maxHeight: "8.5rem",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", color: "var(--color-ink)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--color-accent-soft)",
    color: "var(--color-on-soft)",
  },
  ".cm-completionIcon": { display: "none" },
  ".cm-completionDetail": { color: "var(--color-ink-3)", fontStyle: "normal" },
});

/**
 * Typing over a selection is done here: the browser would keep the look of what was there in a style attribute, which
 * the content policy forbids.
 */
const TYPING_OVER = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { from, to, empty } = view.state.selection.main;
    const text = event.data;
    if (event.inputType !== "insertText" || text === null || empty || view.composing) return false;
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type" });
    const handled = view.state
      .facet(EditorView.inputHandler)
      .some((handler) => handler(view, from, to, text, insert));
    if (!handled) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});

const BASE = [
  TYPING_OVER,
  history(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  indentUnit.of("  "),
  EditorState.tabSize.of(2),
  EditorView.lineWrapping,
  autocompletion({ icons: false }),
  tooltips({ position: "absolute" }),
  syntaxHighlighting(COLOURS),
  LOOK,
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
];
