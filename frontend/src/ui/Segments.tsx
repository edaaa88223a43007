import type { ReactNode } from "react";
import { cx } from "@/lib/cx";

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: { value: Value; label: ReactNode; icon?: ReactNode }[];
  onChange: (value: Value) => void;
}

/** A few choices side by side, one of them on. */
export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  return (
    <fieldset
      aria-label={label}
      className="inline-flex p-0.5 rounded-sm bg-sunken inset-ring inset-ring-line"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={cx(
            "inline-flex items-center gap-1.5 h-6 max-sm:h-10 px-2.5 rounded-[4px] text-xs font-medium [&_svg]:size-3.5",
            option.value === value ? "bg-raised text-ink shadow-raise" : "text-ink-2 hover:text-ink",
          )}
        >
          {option.icon}
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
