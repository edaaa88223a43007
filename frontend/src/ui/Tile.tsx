import type { ReactNode } from "react";
import { cx } from "@/lib/cx";

interface TileProps {
  children: ReactNode;
  size?: "md" | "lg";
  tone?: "accent" | "plain";
}

/** A square with an initial or an icon, for workspaces and providers. */
export function Tile({ children, size = "md", tone = "plain" }: TileProps) {
  return (
    <span
      aria-hidden
      className={cx(
        "grid place-items-center flex-none font-read font-strong leading-none",
        size === "lg" ? "size-[38px] rounded-[9px] text-[1.0625rem]" : "size-[26px] rounded-sm text-sm",
        tone === "accent" ? "bg-accent-soft text-on-soft" : "bg-sunken text-ink-2 inset-ring inset-ring-line",
      )}
    >
      {children}
    </span>
  );
}

/** The initial of a name as it stands in a tile. */
export function initial(name: string): string {
  return [...name.trim()][0]?.toLocaleUpperCase() ?? "?";
}
