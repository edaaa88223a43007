import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleSlash, FileSearch, WifiOff } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { Button } from "@/ui/Button";
import { AnswerActions } from "./AnswerActions";
import { AnswerText } from "./AnswerText";
import { CitationContext } from "./CitationContext";
import { FollowUps } from "./FollowUps";
import { answerText } from "./model/turn";
import { QuestionHead } from "./QuestionHead";
import { Steps } from "./Steps";

interface TurnViewProps {
  chatId: string;
  turn: Turn;
  /** The citation that stands open beside the answer, where it is one of this turn. */
  openCitation: number | null;
  busy: boolean;
  reconnecting: boolean;
  last: boolean;
  onAsk: (question: string, options?: { modelId?: string; versionOf?: Turn }) => void;
}

/** One question with its steps, its answer and what can be done with it. */
export function TurnView({ chatId, turn, openCitation, busy, reconnecting, last, onAsk }: TurnViewProps) {
  const { t } = useTranslation();
  const context = useMemo(() => ({ chatId, turn, open: openCitation }), [chatId, turn, openCitation]);
  const text = answerText(turn);
  const over = turn.state !== "running";
  return (
    <CitationContext value={context}>
      <article className="py-8 first:pt-0 border-b border-line last:border-b-0" aria-busy={!over}>
        <QuestionHead
          chatId={chatId}
          turn={turn}
          busy={busy}
          onEdit={(question) => onAsk(question, { versionOf: turn, modelId: turn.modelId })}
        />
        <Steps turn={turn} />
        {text && (
          <div className="mt-3">
            <AnswerText text={text} figures={turn.figures} running={!over} />
          </div>
        )}
        {reconnecting && (
          <Note icon={<WifiOff size={16} aria-hidden />} tone="warn">
            {t("chat.state.reconnecting")}
          </Note>
        )}
        <Ending
          turn={turn}
          onAgain={() => onAsk(turn.question, { versionOf: turn, modelId: turn.modelId })}
        />
        {over && turn.notFound && <Nearest turn={turn} />}
        {over && turn.id && (
          <AnswerActions
            chatId={chatId}
            turn={turn}
            busy={busy}
            onRegenerate={(modelId) => onAsk(turn.question, { versionOf: turn, modelId })}
          />
        )}
        {last && over && <FollowUps questions={turn.followUps} onPick={(question) => onAsk(question)} />}
      </article>
    </CitationContext>
  );
}

function Ending({ turn, onAgain }: { turn: Turn; onAgain: () => void }) {
  const { t } = useTranslation();
  if (turn.state === "stopped") {
    return (
      <Note icon={<CircleSlash size={16} aria-hidden />} tone="plain">
        {t("chat.state.stopped")}
      </Note>
    );
  }
  if (turn.state === "failed") {
    return (
      <div
        role="alert"
        className="flex items-start gap-3 mt-4 p-3 rounded-md border border-bad-line bg-bad-soft"
      >
        <CircleAlert size={18} className="text-bad flex-none mt-0.5" aria-hidden />
        <p className="grow text-sm">{turn.errorMessage ?? t("chat.state.failed")}</p>
        <Button size="sm" onClick={onAgain}>
          {t("common.tryAgain")}
        </Button>
      </div>
    );
  }
  if (turn.reason && turn.reason !== "answered" && turn.reason !== "stopped") {
    return (
      <Note icon={<CircleAlert size={16} aria-hidden />} tone="warn">
        {t(`chat.reason.${turn.reason}`)}
      </Note>
    );
  }
  return null;
}

function Note({ icon, tone, children }: { icon: ReactNode; tone: "plain" | "warn"; children: ReactNode }) {
  return (
    <p
      role="status"
      className={`flex items-center gap-2 mt-4 text-sm ${tone === "warn" ? "text-warn" : "text-ink-2"}`}
    >
      {icon}
      {children}
    </p>
  );
}

function Nearest({ turn }: { turn: Turn }) {
  const { t } = useTranslation();
  const nearest = turn.notFound?.nearest ?? [];
  if (nearest.length === 0) return null;
  return (
    <section className="mt-5" aria-label={t("chat.notFound.nearest")}>
      <h3 className="caps">{t("chat.notFound.nearest")}</h3>
      <ul className="mt-2 border-t border-line list-none">
        {nearest.map((match) => (
          <li key={`${match.documentId}${match.heading}`} className="border-b border-line">
            <Link
              to="/documents/$documentId"
              params={{ documentId: match.documentId }}
              className="flex items-center gap-3 py-2.5 text-ink no-underline hover:bg-hover"
            >
              <FileSearch size={16} className="text-ink-3 flex-none" aria-hidden />
              <span className="min-w-0">
                <span className="block font-medium truncate">{match.heading || match.title}</span>
                <span className="block text-xs text-ink-3 truncate">
                  {match.author
                    ? t("chat.notFound.owner", { title: match.title, author: match.author })
                    : match.title}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
