import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn, TurnScope } from "@/api/generated";
import { chatQuery } from "@/api/queries/chats";
import { useShortcut, useWiderThan } from "@/ui/hooks";
import { Sheet } from "@/ui/Sheet";
import { useRail } from "@/ui/ShellContext";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { ErrorState } from "@/ui/States";
import { ChatBar } from "./ChatBar";
import { ChatThread } from "./ChatThread";
import { CitationRail } from "./CitationRail";
import { Composer } from "./Composer";
import { LiveAnswer } from "./LiveAnswer";
import { attachRun, type Run, stopRun, useRun } from "./model/runs";
import { useModels } from "./models";
import { ModelPicker, ScopePicker } from "./pickers";
import { attachRunning, useAsk } from "./useAsk";

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
    if (detail) attachRunning(detail, (turn) => attachRun(client, chatId, turn));
  }, [detail, client, chatId]);
  const turns = useMemo(() => withRun(detail?.turns ?? [], run), [detail, run]);
  const { search, openTurn } = useOpenCitation(turns);
  useShortcut("escape", () => {
    if (run) stopRun(chatId);
  });
  if (error && !run) {
    return (
      <div className="p-10">
        <ErrorState title={t("chat.state.notOpened")} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <div className="flex grow min-h-0">
      <section
        className="flex flex-col grow min-w-0 min-h-0"
        aria-label={detail?.chat.title ?? t("chat.title")}
      >
        <ChatBar
          chatId={chatId}
          title={detail?.chat.title ?? null}
          usage={run?.usage ?? detail?.usage ?? null}
          turns={turns}
        />
        {detail || run ? (
          <Conversation
            chatId={chatId}
            turns={turns}
            run={run}
            openCitation={search.citation ?? null}
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
      <Rail chatId={chatId} turn={openTurn} open={search.citation ?? null} />
    </div>
  );
}

interface ConversationProps {
  chatId: string;
  turns: readonly Turn[];
  run: Run | undefined;
  openTurnId: string | null;
  openCitation: number | null;
}

function Conversation({ chatId, turns, run, openTurnId, openCitation }: ConversationProps) {
  const { t } = useTranslation();
  const ask = useAsk();
  const { defaultModelId } = useModels();
  const [draft, setDraft] = useState("");
  const [scope, setScope] = useState<TurnScope | null>(turns.at(-1)?.scope ?? null);
  const [chosen, setChosen] = useState<string | null>(null);
  const modelId = chosen ?? turns.at(-1)?.modelId ?? defaultModelId;
  const send = (question: string, options: { modelId?: string; versionOf?: Turn } = {}) =>
    void ask({ id: chatId, turns }, question, {
      modelId: options.modelId ?? modelId,
      scope,
      versionOf: options.versionOf,
    });
  return (
    <>
      <ChatThread
        chatId={chatId}
        turns={turns}
        run={run}
        openTurnId={openTurnId}
        openCitation={openCitation}
        onAsk={send}
      />
      <div className="flex-none px-6 pb-4 pt-2 max-sm:px-3 max-sm:pb-3 bg-paper">
        <div className="max-w-[45.5rem] mx-auto">
          <Composer
            value={draft}
            onChange={setDraft}
            onSend={() => {
              send(draft.trim());
              setDraft("");
            }}
            onStop={run ? () => stopRun(chatId) : undefined}
            placeholder={t("chat.composer.followUp")}
            tools={
              <>
                <ScopePicker scope={scope} onChange={setScope} />
                <ModelPicker modelId={modelId} onChange={setChosen} />
              </>
            }
          />
        </div>
      </div>
    </>
  );
}

interface RailProps {
  chatId: string;
  turn: Turn | null;
  open: number | null;
}

/** Beside the answer where there is room, else over it: from the right, on a phone from below. */
function Rail({ chatId, turn, open }: RailProps) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const beside = useWiderThan("56rem");
  const tablet = useWiderThan("40rem");
  useRail(beside && turn !== null);
  const rail = turn && <CitationRail chatId={chatId} turn={turn} open={open} />;
  if (beside) {
    return rail ? (
      <div className="flex w-(--rail) max-lg:w-[328px] flex-none border-l border-line min-h-0">{rail}</div>
    ) : null;
  }
  return (
    <Sheet
      side={tablet ? "right" : "bottom"}
      title={t("chat.rail.title")}
      open={turn !== null}
      onOpenChange={(stays) => {
        if (!stays) void navigate({ search: {}, replace: true, resetScroll: false });
      }}
    >
      {rail}
    </Sheet>
  );
}

/** The turns of the chat with the one that is being answered in its place. */
function withRun(turns: readonly Turn[], run: Run | undefined): readonly Turn[] {
  if (!run) return turns;
  const before = turns.filter((turn) => turn.turnIndex < run.turn.turnIndex);
  const known = turns.find((turn) => turn.id === run.turn.id);
  return [...before, known ? { ...run.turn, versions: known.versions } : run.turn];
}

function useOpenCitation(turns: readonly Turn[]) {
  const search = route.useSearch();
  const openTurn = turns.find((turn) => turn.id !== "" && turn.id === search.turn) ?? null;
  return { search, openTurn };
}
