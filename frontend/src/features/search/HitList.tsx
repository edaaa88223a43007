import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SearchHit } from "@/api/types";
import { Hit } from "./Hit";

interface HitListProps {
  hits: readonly SearchHit[];
  selected: number;
  onSelect: (index: number) => void;
  onOpen: (index: number) => void;
}

/** The found passages as a list that the arrow keys go through. */
export function HitList({ hits, selected, onSelect, onOpen }: HitListProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      Home: 0,
      End: hits.length - 1,
    }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      onSelect(Math.max(0, Math.min(target, hits.length - 1)));
    } else if (event.key === "Enter") onOpen(selected);
  };
  return (
    <ul
      ref={list}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are options, picked by keys
      role="listbox"
      aria-label={t("search.hits")}
      aria-activedescendant={`hit-${selected}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="rounded-md"
    >
      {hits.map((hit, index) => (
        <Hit
          key={hit.chunkId}
          id={`hit-${index}`}
          hit={hit}
          selected={index === selected}
          onSelect={() => onSelect(index)}
          onOpen={() => onOpen(index)}
        />
      ))}
    </ul>
  );
}
