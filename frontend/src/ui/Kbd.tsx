import type { ReactNode } from "react";

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid place-items-center min-w-[18px] h-[18px] px-1 rounded-xs bg-sunken inset-ring inset-ring-line font-ui font-medium text-2xs leading-none text-ink-3">
      {children}
    </kbd>
  );
}
