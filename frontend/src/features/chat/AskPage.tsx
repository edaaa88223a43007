import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowRight, FileText, Library } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SessionUser, TurnScope } from "@/api/generated";
import { suggestionsQuery } from "@/api/queries/chats";
import { sessionQuery } from "@/api/queries/session";
import { sourcesQuery } from "@/api/queries/sources";
import { usePageTitle } from "@/ui/hooks";
import { NarrowBar } from "@/ui/Page";
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
          <Suggestions disabled={asking} onPick={(question) => void send(question)} />
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

function Holdings() {
  const { t } = useTranslation();
  const { data } = useQuery(sourcesQuery);
  if (!data) return <p className="h-5 mt-3" />;
  const count = data.items.reduce((sum, source) => sum + source.documentCount, 0);
  return (
    <p className="flex items-center gap-1.5 text-xs text-ink-3 mt-3 pl-0.5 min-h-5">
      <Library size={14} aria-hidden />
      {count > 0 ? (
        t("chat.hello.holdings", {
          count,
          sources: data.items.map((source) => source.name).join(t("common.and")),
        })
      ) : (
        <span>
          {t("chat.hello.nothing")}{" "}
          <Link to="/sources" className="text-accent underline">
            {t("chat.hello.addDocuments")}
          </Link>
        </span>
      )}
    </p>
  );
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

function Suggestions({ disabled, onPick }: { disabled: boolean; onPick: (question: string) => void }) {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(suggestionsQuery(i18n.language));
  if (!data || data.items.length === 0) return null;
  return (
    <section className="mt-9 max-sm:mt-7" aria-labelledby="suggestions">
      <h2 id="suggestions" className="font-strong text-sm mb-1">
        {t("chat.hello.begin")}
      </h2>
      <div className="grid grid-cols-[118px_minmax(0,1fr)] max-sm:block border-y border-line py-[5px]">
        <p className="flex items-center gap-[7px] h-8 text-xs text-ink-3">
          <FileText size={14} aria-hidden />
          {t("chat.hello.fromDocuments")}
        </p>
        <ul className="list-none">
          {data.items.map((item) => (
            <li key={item.question}>
              <button
                type="button"
                disabled={disabled}
                onClick={() => onPick(item.question)}
                className="group/suggestion flex items-center gap-3 w-full text-left py-[5px] max-sm:py-2.5 font-read text-[0.9688rem] leading-[1.45] enabled:hover:text-accent"
              >
                <span className="grow">{item.question}</span>
                <ArrowRight
                  size={16}
                  aria-hidden
                  className="text-accent flex-none opacity-0 group-hover/suggestion:opacity-100 group-focus-visible/suggestion:opacity-100"
                />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function partOfDay(): "morning" | "afternoon" | "evening" {
  const hour = new Date().getHours();
  if (hour < 12) return "morning";
  return hour < 18 ? "afternoon" : "evening";
}
