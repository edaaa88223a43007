import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api/errors";
import type { ChatDetail, NewTurn, Turn, TurnScope } from "@/api/generated";
import { chatQuery, createChat } from "@/api/queries/chats";
import { useFailure } from "@/ui/failure";
import { showErrorToast } from "@/ui/Toast";
import { giveBack } from "./model/drafts";
import { attachRun, startRun } from "./model/runs";
import type { Question } from "./model/turn";

export interface AskOptions {
  /** Empty where the server's default answers. */
  modelId: string;
  scope: TurnScope | null;
  /** The turn that the new one is another version of. */
  versionOf?: Turn | undefined;
}

type Ask = (
  chat: { id: string; turns: readonly Turn[] } | null,
  question: string,
  options: AskOptions,
) => Promise<void>;

/** Asks in a chat, or in a new one where there is none yet. A question that is not taken goes back to the composer. */
export function useAsk(): Ask {
  const client = useQueryClient();
  const navigate = useNavigate();
  const failure = useFailure();
  const { t } = useTranslation();
  return async (chat, question, options) => {
    let chatId = chat?.id ?? "";
    try {
      chatId ||= (await createChat()).id;
      const asked = questionAfter(chat?.turns ?? [], question, options);
      const run = startRun(client, chatId, asked, bodyOf(question, options));
      run.catch(() => {});
      if (!chat) await navigate({ to: "/chat/$chatId", params: { chatId } });
      await run;
    } catch (error) {
      if (!options.versionOf) giveBack(chatId, question);
      if (error instanceof ApiError && error.code === "turn_running") {
        showErrorToast(t("chat.state.notAsked"), t("chat.state.alreadyRunning"));
        await takeUp(client, chatId);
        return;
      }
      const { detail, requestId } = failure(error);
      showErrorToast(t("chat.state.notAsked"), detail, requestId);
    }
  };
}

/** Takes up the turn of a chat that is being answered on the server. */
export function attachRunning(client: QueryClient, detail: ChatDetail): void {
  const running = detail.turns.find((turn) => turn.state === "running");
  if (running) attachRun(client, detail.chat.id, running);
}

async function takeUp(client: QueryClient, chatId: string): Promise<void> {
  attachRunning(client, await client.fetchQuery({ ...chatQuery(chatId), staleTime: 0 }));
}

function bodyOf(question: string, { modelId, scope, versionOf }: AskOptions): NewTurn {
  return {
    question,
    ...(modelId && { modelId }),
    ...(scope && { scope }),
    ...(versionOf && { parentTurnId: versionOf.parentTurnId }),
  };
}

function questionAfter(
  turns: readonly Turn[],
  question: string,
  { modelId, scope, versionOf }: AskOptions,
): Question {
  const last = turns.at(-1);
  return {
    question,
    modelId,
    scope,
    turnIndex: versionOf?.turnIndex ?? (last ? last.turnIndex + 1 : 0),
    parentTurnId: versionOf ? versionOf.parentTurnId : (last?.id ?? null),
  };
}
