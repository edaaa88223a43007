import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/ui/Button";
import { useSettled, useShortcut } from "@/ui/hooks";
import { readCsv } from "@/ui/reader/csv";
import { useFoundPlaces } from "./useFoundPlaces";

interface FindBarProps {
  canvas: RefObject<HTMLElement | null>;
  /** The text of a table, whose rows are searched instead of the page; null for a document of running text. */
  table: string | null;
  onRow: (row: number | null) => void;
  onClose: () => void;
}

const TYPING_MS = 120;

/** Finds words in the shown document; Enter goes on, Shift and Enter goes back, Esc closes. */
export function FindBar({ canvas, table, onRow, onClose }: FindBarProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const query = useSettled(text, TYPING_MS).trim();
  const input = useRef<HTMLInputElement>(null);
  const rows = useMatchingRows(table, query);
  const places = useFoundPlaces(canvas, table === null ? query : "", at);
  const total = rows ? rows.length : places;
  const row = rows?.[at] ?? null;
  useEffect(() => input.current?.focus(), []);
  useEffect(() => onRow(row), [row, onRow]);
  useShortcut("escape", onClose);
  const go = (step: number) => total > 0 && setAt((at + step + total) % total);
  return (
    <search className="flex items-center gap-1 h-11 px-5 max-md:px-2 border-b border-line bg-paper flex-none">
      <Search size={16} className="text-ink-3" aria-hidden />
      <input
        ref={input}
        type="search"
        value={text}
        aria-label={t("documents.find")}
        placeholder={t("documents.findPlaceholder")}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          go(event.shiftKey ? -1 : 1);
        }}
        className="grow min-w-0 h-8 px-1.5 bg-transparent text-md rounded-sm [&::-webkit-search-cancel-button]:hidden"
      />
      <span role="status" className="text-xs text-ink-3 tabular-nums whitespace-nowrap px-1">
        {query &&
          (total > 0 ? t("documents.findCount", { current: at + 1, total }) : t("documents.findNone"))}
      </span>
      <IconButton
        size="sm"
        label={t("documents.findPrevious")}
        icon={<ChevronUp size={16} aria-hidden />}
        disabled={total === 0}
        onClick={() => go(-1)}
      />
      <IconButton
        size="sm"
        label={t("documents.findNext")}
        icon={<ChevronDown size={16} aria-hidden />}
        disabled={total === 0}
        onClick={() => go(1)}
      />
      <IconButton
        size="sm"
        label={t("documents.findClose")}
        icon={<X size={16} aria-hidden />}
        onClick={onClose}
      />
    </search>
  );
}

function useMatchingRows(table: string | null, query: string): number[] | null {
  const rows = useMemo(() => (table === null ? null : readCsv(table).rows), [table]);
  return useMemo(() => {
    if (!rows) return null;
    const wanted = query.toLocaleLowerCase();
    if (!wanted) return [];
    return rows.flatMap((row, index) =>
      row.cells.some((cell) => cell.toLocaleLowerCase().includes(wanted)) ? [index] : [],
    );
  }, [rows, query]);
}
