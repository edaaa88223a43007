import { type KeyboardEvent, lazy, Suspense } from "react";
import type { CompletionList } from "@/api/generated";

const EditorLayer = lazy(() => import("./EditorLayer").then((module) => ({ default: module.EditorLayer })));

export interface SqlEditorProps {
  value: string;
  onChange: (sql: string) => void;
  /** The name that is read out. */
  label: string;
  /** Ctrl+Enter (Cmd+Enter on a Mac). */
  onRun?: (() => void) | undefined;
  /** Names of tables and columns to complete; keywords are completed without it. */
  completion?: CompletionList | null | undefined;
  /** The id of a sentence about the field, such as an error. */
  describedBy?: string | undefined;
  autoFocus?: boolean;
  disabled?: boolean;
}

/** A field for SQL with colours and completion; a plain field until the editor is here, so that nobody waits to type. */
export function SqlEditor(props: SqlEditorProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps a key that the editor has used up
    <div className="sql-editor" data-keeps-escape onKeyDown={keepUsedEscape}>
      <Suspense fallback={<PlainEditor {...props} />}>
        <EditorLayer {...props} />
      </Suspense>
    </div>
  );
}

function PlainEditor({ value, onChange, label, describedBy, disabled }: SqlEditorProps) {
  return (
    <textarea
      value={value}
      onChange={(event) => onChange(event.target.value)}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={disabled}
      spellCheck={false}
      rows={5}
    />
  );
}

/** Esc that closed the list of completions goes no further: a dialog around the editor stays open. */
function keepUsedEscape(event: KeyboardEvent): void {
  if (event.key === "Escape" && event.defaultPrevented) event.stopPropagation();
}
