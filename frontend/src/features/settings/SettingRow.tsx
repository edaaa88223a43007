import type { ReactNode } from "react";

interface SettingRowProps {
  title: string;
  detail?: ReactNode;
  children: ReactNode;
}

/** One setting: what it is at the left, the control at the right. */
export function SettingRow({ title, detail, children }: SettingRowProps) {
  return (
    <div className="flex items-center justify-between gap-6 max-sm:flex-col max-sm:items-start max-sm:gap-3 py-4 border-b border-line">
      <div className="min-w-0">
        <h3 className="font-strong text-sm">{title}</h3>
        {detail && <div className="text-ink-2 text-sm mt-0.5">{detail}</div>}
      </div>
      <div className="flex-none">{children}</div>
    </div>
  );
}
