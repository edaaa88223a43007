import { ChevronLeft, ChevronRight, PanelRightClose, X } from "lucide-react";
import { type TouchEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Citation, QueryRows, Turn } from "@/api/generated";
import { IconButton } from "@/ui/Button";
import { Skeleton } from "@/ui/Skeleton";
import { Tabs } from "@/ui/Tabs";
import type { Mark } from "./CitationContext";
import { sortedCitations, sortedResults, useCitationSteps } from "./citationSteps";
import { RailCitation } from "./RailCitation";
import { RailResult } from "./RailResult";

interface CitationRailProps {
  chatId: string;
  turn: Turn;
  open: Mark | null;
  /** The figure of the answer that was picked, by its place in the turn. */
  figure: number | null;
  /** One citation at a time, as a sheet on a phone shows them; a swipe goes to the next. */
  single: boolean;
  onClose: () => void;
}

/** The evidence of one answer: what it cites, and what was read for it without being cited. */
export function CitationRail({ chatId, turn, open, figure, single, onClose }: CitationRailProps) {
  const { t } = useTranslation();
  const { cited, read } = sortedCitations(turn);
  const results = sortedResults(turn);
  const openIsRead =
    read.some((citation) => citation.index === open) || results.read.some((result) => result.mark === open);
  const [tab, setTab] = useState(openIsRead ? "read" : "cited");
  useEffect(() => setTab(openIsRead ? "read" : "cited"), [openIsRead]);
  const steps = useCitationSteps(chatId, turn, open);
  const swipe = useSwipe(steps.step);
  const running = turn.state === "running";
  const list = (citations: readonly Citation[], rows: readonly QueryRows[], empty: string) => (
    <div className="flex flex-col gap-3 p-4 max-sm:p-3">
      {citations.length + rows.length === 0 && !running && <p className="text-sm text-ink-3">{empty}</p>}
      {citations.map((citation) => (
        <RailCitation
          key={citation.index}
          chatId={chatId}
          turn={turn}
          citation={citation}
          open={citation.index === open}
        />
      ))}
      {rows.map((result) => (
        <RailResult
          key={result.mark}
          chatId={chatId}
          turn={turn}
          result={result}
          open={result.mark === open}
          figure={result.mark === open ? figure : null}
        />
      ))}
      {running && <Arriving read={read.length} />}
    </div>
  );
  const alone = single && open !== null;
  const shown = alone ? cited.filter((citation) => citation.index === open) : cited;
  const shownResults = alone ? results.cited.filter((result) => result.mark === open) : results.cited;
  return (
    <aside className="flex flex-col grow min-w-0 min-h-0 bg-desk" aria-label={t("chat.rail.title")}>
      <div className="flex items-center gap-1 h-[52px] px-4 max-sm:pr-2 border-b border-line max-sm:border-b-0 flex-none">
        <h2 className="font-strong text-sm max-sm:text-md">{t("chat.rail.title")}</h2>
        {running && <span className="text-xs text-ink-3 ml-1">{t("chat.rail.arriving")}</span>}
        <span className="grow" />
        {steps.count > 1 && (
          <>
            <IconButton
              size="sm"
              label={t("shell.keys.previousCitation")}
              icon={<ChevronLeft size={16} aria-hidden />}
              onClick={() => steps.step(-1)}
            />
            <span className="text-xs text-ink-2 tabular-nums">
              {steps.at >= 0
                ? t("chat.rail.position", { number: steps.at + 1, count: steps.count })
                : steps.count}
            </span>
            <IconButton
              size="sm"
              label={t("shell.keys.nextCitation")}
              icon={<ChevronRight size={16} aria-hidden />}
              onClick={() => steps.step(1)}
            />
          </>
        )}
        <IconButton
          size="sm"
          label={t("chat.rail.close")}
          icon={single ? <X size={18} aria-hidden /> : <PanelRightClose size={16} aria-hidden />}
          onClick={onClose}
        />
      </div>
      <Tabs
        value={tab}
        onChange={setTab}
        label={t("chat.rail.title")}
        tabs={[
          {
            value: "cited",
            label: t("chat.rail.cited"),
            count: steps.count,
            panel: <div {...swipe}>{list(shown, shownResults, t("chat.rail.noneCited"))}</div>,
          },
          {
            value: "read",
            label: t("chat.rail.read"),
            count: read.length + results.read.length,
            panel: list(read, results.read, t("chat.rail.noneRead")),
          },
        ]}
      />
    </aside>
  );
}

function Arriving({ read }: { read: number }) {
  const { t } = useTranslation();
  return (
    <>
      <div aria-hidden className="bg-raised border border-line rounded-md p-3 flex gap-2.5">
        <Skeleton className="w-[18px] h-[17px] flex-none" />
        <span className="grow grid gap-2 pt-[3px]">
          <Skeleton className="w-3/5" />
          <Skeleton className="w-2/5 h-2" />
        </span>
      </div>
      {read > 0 && <p className="text-xs text-ink-3 px-0.5">{t("chat.rail.readSoFar", { count: read })}</p>}
    </>
  );
}

const SWIPE_PX = 48;

/** A finger that goes sideways, clearly more than up or down, turns to the next citation. */
function useSwipe(step: (by: 1 | -1) => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches[0];
      from.current = touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0];
      if (!touch || !from.current) return;
      const x = touch.clientX - from.current.x;
      const y = touch.clientY - from.current.y;
      from.current = null;
      if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? 1 : -1);
    },
  };
}
