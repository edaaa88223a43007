import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "@/lib/cx";

interface RailCardProps {
  chatId: string;
  turnId: string;
  /** What the address calls it: the number of a citation or the mark of a result. */
  mark: number | string;
  kind: "citation" | "query";
  title: string;
  /** Below the title, in the line that is always seen. */
  about: ReactNode;
  /** At the end of that line. */
  aside?: ReactNode;
  open: boolean;
  /** A change of it brings an open card into view again. */
  shown?: number | null;
  /** What an open card shows. */
  children: ReactNode;
}

/** A card of the rail: closed a line that opens it, open with all that it has. */
export function RailCard({
  chatId,
  turnId,
  mark,
  kind,
  title,
  about,
  aside,
  open,
  shown,
  children,
}: RailCardProps) {
  const card = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown of an open card may change
  useEffect(() => {
    if (open) card.current?.scrollIntoView({ block: "start" });
  }, [open, shown]);
  return (
    <section
      ref={card}
      className={cx(
        "bg-raised border rounded-md overflow-hidden flex-none scroll-mt-4",
        open ? "border-accent ring-1 ring-accent shadow-raise" : "border-line",
      )}
    >
      <Link
        to="/chat/$chatId"
        params={{ chatId }}
        search={{ turn: turnId, citation: mark }}
        replace
        resetScroll={false}
        aria-expanded={open}
        className="flex items-start gap-2.5 p-3 text-ink no-underline hover:bg-hover"
      >
        <span className={cx("mark m-0 mt-px", kind === "query" && "is-query")} aria-current={open}>
          {mark}
        </span>
        <span className="min-w-0 grow">
          <span className="block font-strong leading-tight">{title}</span>
          {about}
        </span>
        {aside}
      </Link>
      {open && children}
    </section>
  );
}
