import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { chatQuery } from "@/api/queries/chats";
import { useShortcut } from "@/ui/hooks";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { ErrorState } from "@/ui/States";
import { ChatBar } from "./ChatBar";
import { Conversation } from "./Conversation";
import { useCitationSteps } from "./citationSteps";
import { LiveAnswer } from "./LiveAnswer";
import { type Run, stopRun, useRun } from "./model/runs";
import { Rail, useRailWanted } from "./Rail";
import { attachRunning } from "./useAsk";

const route = getRouteApi("/shell/chat/$chatId");

/** One chat: its questions and answers, the composer, and the evidence beside them. */
export function ChatPage() {
  const { chatId } = route.useParams();
  return <OpenChat key={chatId} chatId={chatId} />;
}

function OpenChat({ chatId }: { chatId: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const run = useRun(chatId);
  const {
    data: detail,
    error,
    refetch,
  } = useQuery({ ...chatQuery(chatId), enabled: !run || Boolean(run.turn.id) });
  useEffect(() => {
    if (detail) attachRunning(client, detail);
  }, [detail, client]);
  const turns = useMemo(() => withRun(detail?.turns ?? [], run), [detail, run]);
  const { citation: open = null, figure = null, turn: openId } = route.useSearch();
  const openTurn = turns.find((turn) => turn.id !== "" && turn.id === openId) ?? null;
  const rail = useRailWanted();
  const railTurn = openTurn ?? (rail.wanted ? (turns.at(-1) ?? null) : null);
  const steps = useCitationSteps(chatId, openTurn ?? turns.at(-1) ?? null, open);
  useShortcut("[", () => steps.step(-1));
  useShortcut("]", () => steps.step(1));
  // The end of a run is shown at once; the run itself stays until the server's own record of it is here.
  const running = run?.turn.state === "running" ? run : undefined;
  useShortcut("escape", (event) => {
    if (running && !belongsToLayer(event)) stopRun(chatId);
  });
  if (error && !run && !detail) {
    return (
      <div className="p-10 max-sm:p-4">
        <ErrorState title={t("chat.state.notOpened")} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <div className="flex grow min-h-0">
      <section
        className="flex flex-col grow min-w-0 min-h-0"
        aria-label={detail?.chat.title || t("chat.title")}
      >
        <ChatBar
          chatId={chatId}
          title={detail?.chat.title ?? null}
          usage={run?.usage ?? detail?.usage ?? null}
          run={running}
          railOpen={railTurn !== null}
          cited={steps.count}
          onOpenRail={() => {
            rail.want(true);
            steps.openFirst();
          }}
        />
        {detail || run ? (
          <Conversation
            chatId={chatId}
            turns={turns}
            run={running}
            openCitation={open}
            openTurnId={openTurn?.id ?? null}
          />
        ) : (
          <Waiting>
            <div className="max-w-[45.5rem] mx-auto px-6 pt-8 flex flex-col gap-4">
              <Skeleton className="w-2/3 h-6" />
              <Skeleton className="w-full" />
              <Skeleton className="w-5/6" />
            </div>
          </Waiting>
        )}
        <LiveAnswer run={run} />
      </section>
      <Rail
        chatId={chatId}
        turn={railTurn}
        open={openTurn ? open : null}
        figure={openTurn ? figure : null}
        chosen={openTurn !== null}
        onClose={() => {
          rail.want(false);
          steps.close();
        }}
      />
    </div>
  );
}

/** Esc that closes a card or leaves a field does not stop the answer as well. */
function belongsToLayer({ target }: KeyboardEvent): boolean {
  if (document.querySelector("[data-citation-card]")) return true;
  return target instanceof Element && target.closest("[data-keeps-escape]") !== null;
}

/** The turns of the chat with the one that is being answered in its place. */
function withRun(turns: readonly Turn[], run: Run | undefined): readonly Turn[] {
  if (!run) return turns;
  const before = turns.filter((turn) => turn.turnIndex < run.turn.turnIndex);
  const known = turns.find((turn) => turn.id === run.turn.id);
  return [...before, known ? { ...run.turn, versions: known.versions } : run.turn];
}
