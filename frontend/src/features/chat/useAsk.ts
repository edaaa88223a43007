import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ChatDetail, NewTurn, Turn, TurnScope } from "@/api/generated";
import { chatQuery, createChat } from "@/api/queries/chats";
import { useFailure } from "@/ui/failure";
import { showErrorToast } from "@/ui/Toast";
import { attachRun, startRun } from "./model/runs";

export interface AskOptions {
  modelId: string;
  scope: TurnScope | null;
  /** The turn that the new one is another version of. */
  versionOf?: Turn | undefined;
}

/** Asks in a chat, or in a new one where there is none yet. */
export function useAsk(): (
  chat: { id: string; turns: readonly Turn[] } | null,
  question: string,
  options: AskOptions,
) => Promise<boolean> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const failure = useFailure();
  const { t } = useTranslation();
  return async (chat, question, { modelId, scope, versionOf }) => {
    try {
      const chatId = chat?.id ?? (await createChat()).id;
      const last = chat?.turns.at(-1);
      const body: NewTurn = {
        question,
        modelId,
        ...(scope && { scope }),
        ...(versionOf && { parentTurnId: versionOf.parentTurnId }),
      };
      const asked = {
        question,
        modelId,
        scope,
        turnIndex: versionOf?.turnIndex ?? (last ? last.turnIndex + 1 : 0),
        parentTurnId: versionOf ? versionOf.parentTurnId : (last?.id ?? null),
      };
      const run = startRun(client, chatId, asked, body);
      if (!chat) await navigate({ to: "/chat/$chatId", params: { chatId } });
      await run;
      return true;
    } catch (error) {
      const { detail, requestId } = failure(error);
      showErrorToast(t("chat.state.notAsked"), detail, requestId);
      if (error instanceof Error && "code" in error && error.code === "turn_running" && chat) {
        const detail = await client.fetchQuery(chatQuery(chat.id));
        attachRunning(detail, (turn) => attachRun(client, chat.id, turn));
      }
      return false;
    }
  };
}

/** Takes up the turn of a chat that is being answered on the server. */
export function attachRunning(detail: ChatDetail, attach: (turn: Turn) => void): void {
  const running = detail.turns.find((turn) => turn.state === "running");
  if (running) attach(running);
}
