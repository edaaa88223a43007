import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { DocumentNote } from "@/api/types";
import { HoverCard } from "@/ui/HoverCard";
import { bestNotes } from "./model/tables";

interface NoteMarksProps {
  notes: readonly DocumentNote[];
  numbers: ReadonlyMap<string, number>;
}

/** The marks of the documents that say something of a thing: each leads to the words in the document. */
export function NoteMarks({ notes, numbers }: NoteMarksProps) {
  return bestNotes(notes).map((note) => (
    <NoteMark key={note.linkId} note={note} number={numbers.get(note.documentId) ?? 0} />
  ));
}

function NoteMark({ note, number }: { note: DocumentNote; number: number }) {
  const { t } = useTranslation();
  const address = {
    to: "/documents/$documentId",
    params: { documentId: note.documentId },
    search: { start: note.range.start, end: note.range.end },
  } as const;
  const link = (
    <Link
      {...address}
      className="mark"
      aria-label={t("databases.columns.mark", { number, title: note.title })}
    >
      {number}
    </Link>
  );
  return (
    <HoverCard trigger={link}>
      <div className="flex items-center gap-2">
        <span className="mark m-0">{number}</span>
        <b className="font-strong truncate grow">{note.title}</b>
      </div>
      <NotePath note={note} />
      <NoteQuote quote={note.quote} clamp />
      <div className="flex items-center justify-between gap-3 text-xs text-ink-3">
        <span>{t(`databases.links.states.${note.state}`)}</span>
        <Link
          {...address}
          className="inline-flex items-center gap-1.5 h-7 px-2 rounded-sm text-ink text-sm font-medium no-underline hover:bg-hover"
        >
          {t("databases.columns.openDocument")}
          <ArrowUpRight size={15} aria-hidden />
        </Link>
      </div>
    </HoverCard>
  );
}

/** Where in its document a note stands. */
export function NotePath({ note }: { note: DocumentNote }) {
  const path = note.headingPath.filter((part) => part !== note.title).join(" › ");
  return path && <p className="text-xs text-ink-3 mt-0.5 break-words">{path}</p>;
}

export function NoteQuote({ quote, clamp }: { quote: string; clamp?: boolean }) {
  return (
    <blockquote
      className={`font-read text-md leading-[1.55] border-l-[3px] border-marker-edge pl-[11px] my-2.5 break-words ${clamp ? "line-clamp-5" : ""}`}
    >
      {quote}
    </blockquote>
  );
}
