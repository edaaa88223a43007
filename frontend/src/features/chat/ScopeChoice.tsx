import { Check } from "lucide-react";
import type { ReactNode } from "react";

interface ChoiceProps {
  checked: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}

/** One line of the scope picker: on or off. */
export function Choice({ checked, onChange, children }: ChoiceProps) {
  return (
    <label className="flex items-center gap-[9px] w-full flex-none min-h-8 max-sm:min-h-11 px-[9px] rounded-sm text-sm cursor-pointer hover:bg-hover has-focus-visible:bg-hover">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="sr-only"
      />
      <span className="grow min-w-0 truncate">{children}</span>
      {checked && <Check size={16} aria-hidden className="text-ink-3 flex-none" />}
    </label>
  );
}
