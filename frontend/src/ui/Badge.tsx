import type { ReactNode } from "react";
import { cx } from "@/lib/cx";

type Tone = "plain" | "good" | "warn" | "bad" | "accent";

const GROUNDS: Record<Tone, string> = {
  plain: "bg-sunken text-ink-2",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  accent: "bg-accent-soft text-on-soft",
};

export function Badge({
  tone = "plain",
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-[5px] h-[21px] px-2 rounded-xs text-xs font-medium whitespace-nowrap [&_svg]:size-3.5",
        GROUNDS[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}

const INKS = {
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
  run: "text-accent",
  off: "text-ink-3",
} as const;

/** How a thing stands: an icon, a word and a colour, never the colour alone. */
export function Status({
  tone,
  icon,
  children,
}: {
  tone: keyof typeof INKS;
  icon: ReactNode;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3.5",
        INKS[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
