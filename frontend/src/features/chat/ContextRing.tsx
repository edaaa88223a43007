import { useTranslation } from "react-i18next";
import type { ContextUsage } from "@/api/generated";

const LENGTH = 2 * Math.PI * 6;
const HIGH = 0.8;

/** How much of the model's room this chat has used; amber from four fifths on. */
export function ContextRing({ usage }: { usage: ContextUsage }) {
  const { t, i18n } = useTranslation();
  const share = Math.min(1, usage.fraction);
  const percent = new Intl.NumberFormat(i18n.language, { style: "percent" }).format(share);
  const high = share >= HIGH;
  const label = t(high ? "chat.context.high" : "chat.context.used", { percent });
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      data-high={high}
      className="inline-flex items-center gap-1.5 px-2 h-7 text-xs text-ink-2 tabular-nums data-[high=true]:text-warn data-[high=false]:max-sm:hidden"
    >
      <svg viewBox="0 0 16 16" className="size-4" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="var(--color-line-strong)" strokeWidth="2.2" />
        <circle
          cx="8"
          cy="8"
          r="6"
          fill="none"
          stroke={high ? "var(--color-warn)" : "var(--color-accent)"}
          strokeWidth="2.2"
          strokeDasharray={`${share * LENGTH} ${LENGTH}`}
          strokeLinecap="round"
          transform="rotate(-90 8 8)"
        />
      </svg>
      {percent}
    </span>
  );
}
