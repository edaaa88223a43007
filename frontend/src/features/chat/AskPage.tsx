import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowRight, FileText, Library } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TurnScope } from "@/api/generated";
import { suggestionsQuery } from "@/api/queries/chats";
import { sessionQuery } from "@/api/queries/session";
import { sourcesQuery } from "@/api/queries/sources";
import { usePageTitle } from "@/ui/hooks";
import { NarrowBar } from "@/ui/Page";
import { Composer } from "./Composer";
import { useModels } from "./models";
import { ModelPicker, ScopePicker } from "./pickers";
import { useAsk } from "./useAsk";

const route = getRouteApi("/shell/");

/** A new question: what can be asked here, and the questions that this workspace's own headings suggest. */
export function AskPage() {
  const { t } = useTranslation();
  usePageTitle(t("chat.title"));
  const { ask: given } = route.useSearch();
  const { data: session } = useQuery(sessionQuery);
  const { defaultModelId, items: models } = useModels();
  const [draft, setDraft] = useState("");
  const [scope, setScope] = useState<TurnScope | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const ask = useAsk();
  const modelId = chosen ?? defaultModelId;
  const [asking, setAsking] = useState(false);
  const send = async (question: string) => {
    setAsking(true);
    const taken = await ask(null, question, { modelId, scope });
    if (!taken) setDraft(question);
    setAsking(false);
  };
  useGivenQuestion(given, models.length > 0, (question) => void send(question));
  const workspace = session?.activeWorkspace?.name ?? "";
  const onlyLocal = models.length > 0 && models.every((model) => model.local);
  return (
    <>
      <NarrowBar title={workspace} />
      <div className="grow min-h-0 overflow-y-auto">
        <div className="max-w-[47.5rem] mx-auto px-6 pt-[9vh] pb-12 max-sm:px-4 max-sm:pt-8">
          <h1 className="font-read font-medium text-3xl leading-[1.15] tracking-[-0.02em]">
            {t(`chat.hello.${partOfDay()}`, { name: firstName(session?.user.name) })}
          </h1>
          <p className="text-ink-2 text-lg mt-2.5 max-w-[60ch]">{t("chat.hello.lead", { workspace })}</p>
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
              tools={
                <>
                  <ScopePicker scope={scope} onChange={setScope} />
                  <ModelPicker modelId={modelId} onChange={setChosen} />
                </>
              }
            />
          </div>
          <Holdings />
          {onlyLocal && <NoModelNote owner={session?.user.instanceOwner ?? false} />}
          <Suggestions disabled={asking} onPick={(question) => void send(question)} />
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

function Holdings() {
  const { t } = useTranslation();
  const { data } = useQuery(sourcesQuery);
  if (!data) return <p className="h-5 mt-3" />;
  const count = data.items.reduce((sum, source) => sum + source.documentCount, 0);
  return (
    <p className="flex items-center gap-2 text-xs text-ink-3 mt-3 min-h-5">
      <Library size={14} aria-hidden />
      {count > 0 ? (
        t("chat.hello.holdings", {
          count,
          sources: data.items.map((source) => source.name).join(t("common.and")),
        })
      ) : (
        <span>
          {t("chat.hello.nothing")} <Link to="/sources">{t("chat.hello.addDocuments")}</Link>
        </span>
      )}
    </p>
  );
}

function NoModelNote({ owner }: { owner: boolean }) {
  const { t } = useTranslation();
  return (
    <p className="mt-5 px-4 py-3 rounded-md border border-accent-line bg-accent-soft text-on-soft text-sm">
      {t("chat.hello.noModel")}{" "}
      {owner ? <Link to="/settings">{t("chat.hello.addModel")}</Link> : t("chat.hello.askOwner")}
    </p>
  );
}

function Suggestions({ disabled, onPick }: { disabled: boolean; onPick: (question: string) => void }) {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(suggestionsQuery(i18n.language));
  if (!data || data.items.length === 0) return null;
  return (
    <section className="mt-10" aria-labelledby="suggestions">
      <h2 id="suggestions" className="caps flex items-center gap-2">
        <FileText size={14} aria-hidden />
        {t("chat.hello.begin")}
      </h2>
      <ul className="mt-2 border-t border-line list-none">
        {data.items.map((item) => (
          <li key={item.question} className="border-b border-line">
            <button
              type="button"
              disabled={disabled}
              onClick={() => onPick(item.question)}
              className="group/suggestion flex items-center gap-3 w-full text-left py-3 px-0.5 font-read text-lg hover:text-accent"
            >
              <span className="grow">{item.question}</span>
              <ArrowRight
                size={16}
                aria-hidden
                className="text-accent flex-none opacity-0 group-hover/suggestion:opacity-100"
              />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function partOfDay(): "morning" | "afternoon" | "evening" {
  const hour = new Date().getHours();
  if (hour < 12) return "morning";
  return hour < 18 ? "afternoon" : "evening";
}

function firstName(name: string | undefined): string {
  return name?.split(" ")[0] ?? "";
}
