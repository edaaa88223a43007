import { ArrowUp, Square } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import { Kbd } from "@/ui/Kbd";

interface ComposerProps {
  value: string;
  onChange: (value: string) => void;
  onSend: () => void;
  /** A running answer: the button stops it, and typing goes on. */
  onStop?: (() => void) | undefined;
  /** Stop was pressed and the answer has not ended yet. */
  stopping?: boolean;
  placeholder: string;
  /** The first question of a chat: two lines high, ready to type in. */
  big?: boolean;
  /** What the question looks at, at the left. */
  scope: ReactNode;
  /** Who answers, at the right. */
  model: ReactNode;
}

const MOST_ROWS_PX = 260;

/** The question box. Enter asks, Shift+Enter begins a line; it never blocks typing while an answer runs. */
export function Composer(props: ComposerProps) {
  const { value, onChange, onSend, onStop, stopping, placeholder, big, scope, model } = props;
  const { t } = useTranslation();
  const box = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useEffect(() => {
    const area = box.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight, MOST_ROWS_PX)}px`;
  }, [value]);
  const empty = value.trim() === "";
  const send = () => {
    if (!empty && !onStop) onSend();
  };
  return (
    <form
      className={cx("composer", big && "is-big", !empty && "is-filled")}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={box}
        id="composer"
        // biome-ignore lint/a11y/noAutofocus: a page for a new question is opened to type one
        autoFocus={Boolean(big) && window.matchMedia("(hover: hover)").matches}
        rows={big ? 2 : 1}
        value={value}
        placeholder={placeholder}
        aria-label={t("chat.composer.label")}
        enterKeyHint="send"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="composer-tools">
        <span className="composer-pickers">{scope}</span>
        <span className="grow" />
        <span className="composer-pickers">{model}</span>
        {onStop ? (
          <button type="button" onClick={onStop} disabled={Boolean(stopping)} className="composer-stop">
            <Square size={12} fill="currentColor" aria-hidden />
            {t(stopping ? "chat.composer.stopping" : "chat.composer.stop")}
            <span className="max-md:hidden" aria-hidden>
              <Kbd>Esc</Kbd>
            </span>
          </button>
        ) : (
          <button
            type="submit"
            disabled={empty}
            aria-label={t("chat.composer.send")}
            title={t("chat.composer.send")}
            className="composer-send"
          >
            <ArrowUp size={20} aria-hidden />
          </button>
        )}
      </div>
    </form>
  );
}
