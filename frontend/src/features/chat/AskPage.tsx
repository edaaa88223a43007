import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SessionUser, TurnScope } from "@/api/generated";
import { sessionQuery } from "@/api/queries/session";
import { usePageTitle } from "@/ui/hooks";
import { NarrowBar } from "@/ui/Page";
import { Beginnings, Holdings } from "./Beginnings";
import { Composer } from "./Composer";
import { ModelPicker } from "./ModelPicker";
import { putDraft, useDraft } from "./model/drafts";
import { isQuoting, useModels } from "./models";
import { ScopePicker } from "./ScopePicker";
import { useAsk } from "./useAsk";

const route = getRouteApi("/shell/");

/** A new question: what can be asked here, and the questions that this workspace's own headings suggest. */
export function AskPage() {
  const { t } = useTranslation();
  usePageTitle(t("chat.title"));
  const { ask: given, draft: begun } = route.useSearch();
  const { data: session } = useQuery(sessionQuery);
  const { defaultModelId, items: models, problem } = useModels();
  const [draft, setDraft] = useDraft("");
  const [scope, setScope] = useState<TurnScope | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const ask = useAsk();
  const [asking, setAsking] = useState(false);
  const modelId = chosen ?? defaultModelId;
  const send = async (question: string) => {
    setAsking(true);
    await ask(null, question, { modelId, scope });
    setAsking(false);
  };
  useEffect(() => {
    if (begun) putDraft("", begun);
  }, [begun]);
  useGivenQuestion(given, models.length > 0, (question) => void send(question));
  const workspace = session?.activeWorkspace?.name ?? "";
  const onlyLocal = models.length > 0 && models.every(isQuoting);
  return (
    <>
      <NarrowBar title={workspace} />
      <div className="grow min-h-0 overflow-y-auto">
        <div className="ask">
          <h1 className="font-read font-normal text-3xl leading-[1.15] tracking-[-0.022em] max-sm:text-[1.75rem]">
            <Greeting user={session?.user} />
          </h1>
          <p className="font-read text-read leading-[1.55] text-ink-2 mt-2.5 max-w-[56ch]">
            {t("chat.hello.lead", { workspace })}
          </p>
          <div className="mt-6">
            <Composer
              big
              value={draft}
              onChange={setDraft}
              onSend={() => {
                const question = draft.trim();
                setDraft("");
                void send(question);
              }}
              placeholder={t("chat.composer.first")}
              scope={<ScopePicker scope={scope} onChange={setScope} />}
              model={<ModelPicker modelId={modelId} onChange={setChosen} />}
            />
          </div>
          <Holdings />
          <Beginnings disabled={asking} onPick={(question) => void send(question)} />
          {onlyLocal &&
            (problem ? (
              <ServerProblem problem={problem} />
            ) : (
              <NoModelNote owner={session?.user.instanceOwner ?? false} />
            ))}
        </div>
      </div>
    </>
  );
}

/** A question handed over by the palette is asked once, as soon as it is known who answers. */
function useGivenQuestion(
  question: string | undefined,
  ready: boolean,
  send: (question: string) => void,
): void {
  const asked = useRef(false);
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    if (!question || !ready || asked.current) return;
    asked.current = true;
    latest.current(question);
  }, [question, ready]);
}

/** The account that a fresh installation makes has a role in place of a name: nobody is called by it. */
function Greeting({ user }: { user: SessionUser | undefined }) {
  const { t } = useTranslation();
  const greeting = t(`chat.hello.${partOfDay()}`);
  const name = user && !user.email.endsWith("@localhost") ? user.name.split(" ")[0] : "";
  return name ? t("chat.hello.named", { greeting, name }) : t("chat.hello.unnamed", { greeting });
}

/** A model server is set up, but it does not answer: until it does, quotes are what there is. */
function ServerProblem({ problem }: { problem: string }) {
  return (
    <p role="status" className="ask-note text-sm text-warn">
      {problem}
    </p>
  );
}

function NoModelNote({ owner }: { owner: boolean }) {
  const { t } = useTranslation();
  return (
    <aside className="ask-note" aria-labelledby="no-model">
      <h2 id="no-model" className="font-strong">
        {t("chat.hello.noModelTitle")}
      </h2>
      <p className="text-xs text-ink-2 mt-1.5">{t("chat.hello.noModel")}</p>
      <p className="text-xs text-ink-2 mt-2.5">
        {owner ? (
          <Link to="/settings" className="font-medium text-accent underline">
            {t("chat.hello.addModel")}
          </Link>
        ) : (
          t("chat.hello.askOwner")
        )}
      </p>
    </aside>
  );
}

function partOfDay(): "morning" | "afternoon" | "evening" {
  const hour = new Date().getHours();
  if (hour < 12) return "morning";
  return hour < 18 ? "afternoon" : "evening";
}
