import { Command } from "cmdk";
import type { ReactNode } from "react";
import { findRanges, splitAtRanges } from "@/lib/ranges";

const ITEM =
  "flex items-center gap-3 min-h-[38px] max-sm:min-h-11 px-3 rounded-sm text-md data-[selected=true]:bg-accent-soft data-[selected=true]:text-on-soft [&>svg]:text-ink-3 data-[selected=true]:[&>svg]:text-on-soft cursor-pointer";

/** The classes of a group of rows. */
export const GROUP =
  "[&_[cmdk-group-heading]]:caps [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1.5";

export interface RowsProps {
  text: string;
  onDone: () => void;
}

/** One thing that can be picked. */
export function Row({
  id,
  icon,
  onPick,
  children,
  end,
}: {
  id: string;
  icon: ReactNode;
  onPick: () => void;
  children: ReactNode;
  end?: ReactNode;
}) {
  return (
    <Command.Item value={id} onSelect={onPick} className={ITEM}>
      {icon}
      <span className="grow min-w-0 truncate">{children}</span>
      {end}
    </Command.Item>
  );
}

/** A label with the letters that were typed. */
export function Matched({ text, query }: { text: string; query: string }) {
  return splitAtRanges(text, findRanges(text, query)).map((piece, index) =>
    piece.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a fixed text have no other name
      <b key={index} className="font-strong border-b-2 border-marker-edge">
        {piece.text}
      </b>
    ) : (
      piece.text
    ),
  );
}
