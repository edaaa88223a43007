import { Link } from "@tanstack/react-router";
import { ArrowRightLeft, BadgeCheck, Check, CircleDashed, CircleSlash, X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChangeLink } from "@/api/queries/catalogue";
import type { DocumentNote } from "@/api/types";
import { Status } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { CorrectLink } from "./layers";
import { percent } from "./model/numbers";
import { thingName } from "./model/tables";
import { NotePath, NoteQuote } from "./NoteMark";
import { useMay } from "./useMay";

export interface Thing {
  schema: string;
  table: string;
  column: string | null;
}

interface LinkRowProps {
  connectionId: string;
  thing: Thing;
  note: DocumentNote;
  /** Makes the name of the thing a link to it. */
  leadsToTable?: boolean;
}

const STATES = {
  proposed: { tone: "off", icon: <CircleDashed aria-hidden /> },
  confirmed: { tone: "good", icon: <BadgeCheck aria-hidden /> },
  refused: { tone: "off", icon: <CircleSlash aria-hidden /> },
} as const;

/** One link: the words of the document, the table or column that they are about, and a person's judgement of it. */
export function LinkRow({ connectionId, thing, note, leadsToTable = false }: LinkRowProps) {
  const { t, i18n } = useTranslation();
  const { write } = useMay();
  const row = useRef<HTMLLIElement>(null);
  const [correcting, setCorrecting] = useState(false);
  const change = useChangeLink(connectionId);
  const name = thingName(thing);
  const words = { title: note.title, thing: name };
  const judge = (state: "confirmed" | "refused") =>
    change.mutate({ linkId: note.linkId, change: { state } }, { onSettled: () => focusNear(row.current) });
  const { tone, icon } = STATES[note.state];
  return (
    <li ref={row} className="py-3 border-b border-line last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="font-strong break-all">
          {leadsToTable ? (
            <Link
              to="/databases"
              search={{ connection: connectionId, schema: thing.schema, table: thing.table }}
              className="no-underline hover:underline rounded-xs"
            >
              {name}
            </Link>
          ) : (
            name
          )}
        </code>
        <Status tone={tone} icon={icon}>
          {t(`databases.links.states.${note.state}`)}
          {note.state === "proposed" && (
            <span className="font-regular">
              {t("databases.links.fits", { percent: percent(note.score, i18n.language) })}
            </span>
          )}
        </Status>
        {write && (
          <span className="ml-auto max-sm:ml-0 max-sm:basis-full max-sm:order-1 flex flex-wrap gap-1.5">
            {note.state !== "confirmed" && (
              <Button
                size="sm"
                icon={<Check size={14} aria-hidden />}
                aria-label={t("databases.links.confirmOf", words)}
                disabled={change.isPending}
                onClick={() => judge("confirmed")}
              >
                {t("databases.links.confirm")}
              </Button>
            )}
            <Button
              size="sm"
              tone="quiet"
              icon={<ArrowRightLeft size={14} aria-hidden />}
              aria-label={t("databases.links.correctOf", words)}
              onClick={() => setCorrecting(true)}
            >
              {t("databases.links.correct")}
            </Button>
            {note.state !== "refused" && (
              <Button
                size="sm"
                tone="quiet"
                icon={<X size={14} aria-hidden />}
                aria-label={t("databases.links.refuseOf", words)}
                disabled={change.isPending}
                onClick={() => judge("refused")}
              >
                {t("databases.links.refuse")}
              </Button>
            )}
          </span>
        )}
      </div>
      <NoteQuote quote={note.quote} />
      <div className="text-xs text-ink-3">
        <Link
          to="/documents/$documentId"
          params={{ documentId: note.documentId }}
          search={{ start: note.range.start, end: note.range.end }}
          className="font-medium text-ink-2 underline underline-offset-[3px] decoration-1 rounded-xs"
        >
          {note.title}
        </Link>
        <NotePath note={note} />
      </div>
      {correcting && (
        <CorrectLink
          connectionId={connectionId}
          thing={thing}
          note={note}
          onClose={() => setCorrecting(false)}
        />
      )}
    </li>
  );
}

/** The row may leave the list with the judgement; the focus then stays near it. */
function focusNear(row: HTMLElement | null): void {
  const near = row?.nextElementSibling ?? row?.previousElementSibling ?? row;
  if (row?.contains(document.activeElement) || document.activeElement === document.body) {
    near?.querySelector<HTMLElement>("button, a")?.focus();
  }
}
