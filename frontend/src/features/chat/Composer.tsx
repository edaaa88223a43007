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
  placeholder: string;
  big?: boolean;
  /** Scope and model pickers. */
  tools: ReactNode;
}

const MOST_ROWS_PX = 260;

/** The question box. Enter asks, Shift+Enter begins a line; it never blocks typing while an answer runs. */
export function Composer({ value, onChange, onSend, onStop, placeholder, big, tools }: ComposerProps) {
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
  return (
    <form
      className={cx(
        "bg-raised border border-line-control rounded-lg shadow-raise pt-3 pb-2.5 px-3 pl-4 focus-within:border-accent",
        big && "pt-4",
      )}
      onSubmit={(event) => {
        event.preventDefault();
        if (!empty && !onStop) onSend();
      }}
    >
      <textarea
        ref={box}
        id="composer"
        rows={big ? 2 : 1}
        value={value}
        placeholder={placeholder}
        aria-label={t("chat.composer.label")}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          const send = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
          if (!send) return;
          event.preventDefault();
          if (!empty && !onStop) onSend();
        }}
        className="block w-full resize-none bg-transparent text-lg leading-[1.45] outline-none placeholder:text-ink-3 pr-4"
      />
      <div className="flex items-center gap-1.5 mt-2 -ml-2">
        {tools}
        <span className="grow" />
        {onStop ? (
          <button
            type="button"
            onClick={onStop}
            className="inline-flex items-center gap-2 h-[34px] max-sm:h-10 px-3 rounded-[9px] border border-line-strong bg-raised text-sm font-medium hover:bg-sunken"
          >
            <Square size={12} fill="currentColor" aria-hidden />
            {t("chat.composer.stop")}
            <span className="max-md:hidden">
              <Kbd>Esc</Kbd>
            </span>
          </button>
        ) : (
          <button
            type="submit"
            disabled={empty}
            aria-label={t("chat.composer.send")}
            title={t("chat.composer.send")}
            className="grid place-items-center size-[34px] max-sm:size-10 rounded-[9px] bg-accent text-on-accent enabled:hover:bg-accent-hover disabled:bg-sunken disabled:text-ink-off disabled:ring-1 disabled:ring-line"
          >
            <ArrowUp size={20} aria-hidden />
          </button>
        )}
      </div>
    </form>
  );
}
