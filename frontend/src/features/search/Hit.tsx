import { Hash, Quote, Sparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SearchHit } from "@/api/types";
import { cx } from "@/lib/cx";
import { splitAtRanges, toUtf16Ranges } from "@/lib/ranges";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { Time } from "@/ui/Time";
import { headingPath, plainSnippet } from "./plainSnippet";

const MATCH_ICONS = { both: Quote, dense: Sparkles, lexical: Hash } as const;

/** A snippet in words, without the signs of its format, with the words that were searched for marked. */
function Snippet({ hit }: { hit: SearchHit }) {
  const marks = toUtf16Ranges(hit.snippet, hit.highlights);
  const written = hit.type === "text" || hit.type === "json";
  const { text, ranges } = written
    ? { text: hit.snippet, ranges: marks }
    : plainSnippet(hit.snippet, marks, hit.headingPath.at(-1));
  return splitAtRanges(text, ranges).map((piece, index) =>
    piece.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a fixed text have no other name
      <mark key={index}>{piece.text}</mark>
    ) : (
      piece.text
    ),
  );
}

interface HitProps {
  hit: SearchHit;
  id: string;
  selected: boolean;
  onSelect: () => void;
  onOpen: () => void;
}

/** One found passage: where it stands, its words, why it was found, how old it is. */
export function Hit({ hit, id, selected, onSelect, onOpen }: HitProps) {
  const { t } = useTranslation();
  const Icon = MATCH_ICONS[hit.matchKind];
  const path = headingPath(hit);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys for its options
    <li
      id={id}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of the list around it
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      onMouseEnter={onSelect}
      onClick={onOpen}
      className={cx(
        "px-4 py-3.5 max-sm:px-2.5 cursor-pointer scroll-my-4",
        selected
          ? "bg-raised rounded-md inset-ring-2 inset-ring-accent shadow-page"
          : "shadow-[inset_0_-1px_var(--color-line)]",
      )}
    >
      <h2 className="font-read font-strong text-[1.0625rem] leading-snug">{hit.title}</h2>
      {path && <p className="text-xs text-ink-3 mt-0.5 truncate">{path}</p>}
      <p className="font-read text-lg leading-[1.55] text-ink-2 mt-1.5 line-clamp-3 [&_mark]:py-0">
        <Snippet hit={hit} />
      </p>
      <p className="flex items-center justify-between gap-3 mt-1.5 text-xs text-ink-3">
        <span className="inline-flex items-center gap-1.5" title={t(`search.matchHelp.${hit.matchKind}`)}>
          <Icon size={14} aria-hidden />
          {t(`search.match.${hit.matchKind}`)}
        </span>
        <span>
          {t("search.changed")} <Time iso={hit.updatedAt} />
        </span>
      </p>
    </li>
  );
}

/** The shape of passages to come. */
export function HitShapes() {
  return (
    <Waiting>
      {[0, 1, 2].map((row) => (
        <div key={row} className="grid gap-2.5 px-4 py-4 border-b border-line">
          <Skeleton className="w-2/5 h-4" />
          <Skeleton className="w-1/4" />
          <Skeleton className="w-full" />
          <Skeleton className="w-4/5" />
        </div>
      ))}
    </Waiting>
  );
}
