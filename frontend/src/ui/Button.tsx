import { LoaderCircle } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "@/lib/cx";

type Tone = "plain" | "primary" | "quiet" | "bad";
type Size = "sm" | "md" | "lg";

const BASE =
  "inline-flex items-center justify-center gap-[7px] border rounded-sm font-medium whitespace-nowrap no-underline transition-colors duration-(--duration-fast) ease-out disabled:text-ink-off disabled:bg-sunken disabled:border-line select-none";
const TONES: Record<Tone, string> = {
  plain: "bg-raised border-line-strong text-ink enabled:hover:bg-sunken active:enabled:bg-pressed",
  primary: "bg-accent border-transparent text-on-accent enabled:hover:bg-accent-hover",
  quiet:
    "bg-transparent border-transparent text-ink-2 enabled:hover:bg-hover enabled:hover:text-ink disabled:bg-transparent disabled:border-transparent",
  bad: "bg-bad border-transparent text-on-bad enabled:hover:brightness-110",
};
const SIZES: Record<Size, string> = {
  sm: "h-(--control-sm) px-2.5 text-xs max-sm:h-10",
  md: "h-(--control-md) px-3.5 text-sm max-sm:h-11",
  lg: "h-(--control-lg) px-[18px] text-md",
};
const SQUARES: Record<Size, string> = {
  sm: "w-(--control-sm) h-(--control-sm) max-sm:size-10",
  md: "w-(--control-md) h-(--control-md) max-sm:size-11",
  lg: "size-(--control-lg)",
};

/** The classes of a button, for links that look like one. */
export function buttonClass(tone: Tone = "plain", size: Size = "md"): string {
  return cx(BASE, TONES[tone].replaceAll("enabled:", ""), SIZES[size]);
}

interface ButtonProps extends ComponentProps<"button"> {
  tone?: Tone;
  size?: Size;
  icon?: ReactNode;
  /** What it is doing now; the button cannot be pressed meanwhile. */
  busy?: string | false | null | undefined;
}

export function Button({
  tone = "plain",
  size = "md",
  icon,
  busy,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || Boolean(busy)}
      aria-busy={busy ? true : undefined}
      className={cx(BASE, TONES[tone], SIZES[size], className)}
    >
      {busy ? <LoaderCircle className="spin" size={16} aria-hidden /> : icon}
      {busy || children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** The name that is read out and shown on hover. */
  label: string;
  icon: ReactNode;
  tone?: Tone;
  size?: Size;
}

export function IconButton({
  label,
  icon,
  tone = "quiet",
  size = "md",
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={cx(BASE, TONES[tone], SQUARES[size], className)}
    >
      {icon}
    </button>
  );
}
