import { useNavigate } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, PanelRightClose } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Citation, Turn } from "@/api/generated";
import { IconButton } from "@/ui/Button";
import { useShortcut } from "@/ui/hooks";
import { Tabs } from "@/ui/Tabs";
import { citedNumbers } from "./model/turn";
import { RailCitation } from "./RailCitation";

interface CitationRailProps {
  chatId: string;
  turn: Turn;
  /** The number of the open citation. */
  open: number | null;
}

/** The evidence of one answer: what it cites, and what was read for it without being cited. */
export function CitationRail({ chatId, turn, open }: CitationRailProps) {
  const { t } = useTranslation();
  const { cited, read } = sorted(turn);
  const openIsCited = open === null || cited.some((citation) => citation.index === open);
  const [tab, setTab] = useState(openIsCited ? "cited" : "read");
  useEffect(() => setTab(openIsCited ? "cited" : "read"), [openIsCited]);
  const go = useCitationSteps(chatId, turn, cited, open);
  const list = (citations: readonly Citation[], empty: string) => (
    <div className="flex flex-col gap-3 p-4">
      {citations.length === 0 && <p className="text-sm text-ink-3">{empty}</p>}
      {citations.map((citation) => (
        <RailCitation
          key={citation.index}
          chatId={chatId}
          turn={turn}
          citation={citation}
          open={citation.index === open}
        />
      ))}
    </div>
  );
  return (
    <aside className="flex flex-col grow min-h-0 bg-desk" aria-label={t("chat.rail.title")}>
      <div className="flex items-center gap-1 h-[52px] px-4 border-b border-line flex-none">
        <h2 className="font-strong text-sm grow">{t("chat.rail.title")}</h2>
        {cited.length > 1 && (
          <>
            <IconButton
              size="sm"
              label={t("shell.keys.previousCitation")}
              icon={<ChevronLeft size={16} aria-hidden />}
              onClick={() => go.step(-1)}
            />
            <span className="text-xs text-ink-2 tabular-nums">
              {t("chat.rail.position", { number: go.at + 1, count: cited.length })}
            </span>
            <IconButton
              size="sm"
              label={t("shell.keys.nextCitation")}
              icon={<ChevronRight size={16} aria-hidden />}
              onClick={() => go.step(1)}
            />
          </>
        )}
        <IconButton
          size="sm"
          label={t("chat.rail.close")}
          icon={<PanelRightClose size={16} aria-hidden />}
          onClick={go.close}
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
            count: cited.length,
            panel: list(cited, t("chat.rail.noneCited")),
          },
          {
            value: "read",
            label: t("chat.rail.read"),
            count: read.length,
            panel: list(read, t("chat.rail.noneRead")),
          },
        ]}
      />
    </aside>
  );
}

/** The citations in the order of their numbers, parted by whether the answer uses them. */
function sorted(turn: Turn): { cited: Citation[]; read: Citation[] } {
  const numbers = citedNumbers(turn);
  const all = [...turn.citations].sort((a, b) => a.index - b.index);
  return {
    cited: all.filter((citation) => numbers.has(citation.index)),
    read: all.filter((citation) => !numbers.has(citation.index)),
  };
}

function useCitationSteps(chatId: string, turn: Turn, cited: readonly Citation[], open: number | null) {
  const navigate = useNavigate();
  const at = cited.findIndex((citation) => citation.index === open);
  const step = (by: number) => {
    const next = cited[(at + by + cited.length) % cited.length];
    if (!next) return;
    void navigate({
      to: "/chat/$chatId",
      params: { chatId },
      search: { turn: turn.id, citation: next.index },
      replace: true,
      resetScroll: false,
    });
    document.getElementById(`mark-${turn.id}-${next.index}`)?.scrollIntoView({ block: "nearest" });
  };
  const close = () => {
    void navigate({ to: "/chat/$chatId", params: { chatId }, search: {}, replace: true, resetScroll: false });
    document.getElementById(`mark-${turn.id}-${open}`)?.focus();
  };
  useShortcut("[", () => step(-1));
  useShortcut("]", () => step(1));
  return { at, step, close };
}
