import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn, TurnScope } from "@/api/generated";
import { ChatThread } from "./ChatThread";
import type { Mark } from "./CitationContext";
import { Composer } from "./Composer";
import { ModelPicker } from "./ModelPicker";
import { useDraft } from "./model/drafts";
import { type Run, stopRun } from "./model/runs";
import { useAnsweringModel } from "./models";
import { ScopePicker } from "./ScopePicker";
import { useAsk } from "./useAsk";

interface ConversationProps {
  chatId: string;
  turns: readonly Turn[];
  run: Run | undefined;
  openTurnId: string | null;
  openCitation: Mark | null;
}

/** The questions and answers of a chat, and the composer for the next one. */
export function Conversation({ chatId, turns, run, openTurnId, openCitation }: ConversationProps) {
  const { t } = useTranslation();
  const ask = useAsk();
  const [draft, setDraft] = useDraft(chatId);
  const last = turns.at(-1);
  const [chosenScope, setChosenScope] = useState<TurnScope | null | undefined>(undefined);
  const [chosenModel, setChosenModel] = useState<string | null>(null);
  const scope = chosenScope === undefined ? (last?.scope ?? null) : chosenScope;
  const answering = useAnsweringModel();
  const modelId = answering(chosenModel ?? last?.modelId);
  const chat = { id: chatId, turns };
  return (
    <>
      <ChatThread
        chatId={chatId}
        turns={turns}
        run={run}
        openTurnId={openTurnId}
        openCitation={openCitation}
        onAsk={(question) => void ask(chat, question, { modelId, scope })}
        onAskAgain={(turn, question, model) =>
          void ask(chat, question, {
            modelId: answering(model ?? turn.modelId),
            scope: turn.scope,
            versionOf: turn,
          })
        }
      />
      <div className="flex-none px-6 pb-4 pt-2 max-sm:px-3 max-sm:pb-3 bg-paper">
        <div className="max-w-[45.5rem] mx-auto">
          <Composer
            value={draft}
            onChange={setDraft}
            onSend={() => {
              setDraft("");
              void ask(chat, draft.trim(), { modelId, scope });
            }}
            onStop={run ? () => stopRun(chatId) : undefined}
            stopping={run?.stopping ?? false}
            placeholder={t("chat.composer.followUp")}
            scope={<ScopePicker scope={scope} onChange={setChosenScope} />}
            model={<ModelPicker modelId={modelId} onChange={setChosenModel} />}
          />
        </div>
      </div>
    </>
  );
}
