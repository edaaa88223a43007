import { Link } from "@tanstack/react-router";
import { CircleAlert, Square, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { cx } from "@/lib/cx";
import { Button } from "@/ui/Button";
import { type FailureCode, failureCode } from "./model/failures";

interface TurnEndingProps {
  turn: Turn;
  busy: boolean;
  reconnecting: boolean;
  onAgain: () => void;
}

/** What only the settings of the installation can mend. */
const SETTINGS: ReadonlySet<FailureCode> = new Set([
  "model_quota",
  "model_unreachable",
  "model_unauthorized",
  "model_unknown",
  "model_malformed",
]);

/** How a turn ended, where it did not end with a whole answer; and that its line is broken, while it is. */
export function TurnEnding({ turn, busy, reconnecting, onAgain }: TurnEndingProps) {
  const { t } = useTranslation();
  const again = (
    <Button size="sm" disabled={busy} onClick={onAgain}>
      {t("common.tryAgain")}
    </Button>
  );
  if (reconnecting) {
    return (
      <Banner tone="warn" icon={<WifiOff size={16} aria-hidden />} title={t("chat.state.lineBroke")}>
        {t("chat.state.reconnecting")}
      </Banner>
    );
  }
  if (turn.state === "stopped") {
    return (
      <Banner
        tone="accent"
        icon={<Square size={14} aria-hidden />}
        title={t("chat.state.stopped")}
        action={again}
      >
        {t(turn.answer || turn.parts.some(Boolean) ? "chat.state.textKept" : "chat.state.noText")}
      </Banner>
    );
  }
  if (turn.state === "failed") return <Failure turn={turn} action={again} />;
  if (turn.reason && turn.reason !== "answered" && turn.reason !== "stopped") {
    return (
      <Banner
        tone="warn"
        icon={<CircleAlert size={16} aria-hidden />}
        title={t(`chat.reason.${turn.reason}`)}
        action={again}
      >
        {t("chat.state.mayBeIncomplete")}
      </Banner>
    );
  }
  return null;
}

function Failure({ turn, action }: { turn: Turn; action: ReactNode }) {
  const { t } = useTranslation();
  const code = failureCode(turn.errorCode);
  const words = t(`chat.failure.${code}`, { returnObjects: true });
  const quotes = code === "other" || code === "model_refused";
  return (
    <Banner tone="bad" alert icon={<CircleAlert size={16} aria-hidden />} title={words.title} action={action}>
      {words.help}{" "}
      {SETTINGS.has(code) && (
        <Link to="/settings" className="text-accent underline">
          {t("chat.failure.settings")}
        </Link>
      )}
      {quotes && turn.errorMessage && (
        <span className="block text-xs text-ink-3 mt-1 break-words">{turn.errorMessage}</span>
      )}
    </Banner>
  );
}

const TONES = {
  accent: "border-accent-line bg-accent-soft [&>svg]:text-accent",
  warn: "border-warn-line bg-warn-soft [&>svg]:text-warn",
  bad: "border-bad-line bg-bad-soft [&>svg]:text-bad",
} as const;

interface BannerProps {
  tone: keyof typeof TONES;
  icon: ReactNode;
  title: string;
  alert?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

function Banner({ tone, icon, title, alert, action, children }: BannerProps) {
  return (
    <div
      role={alert ? "alert" : undefined}
      className={cx(
        "flex items-start gap-3 mt-5 py-2.5 px-3.5 border rounded-md text-sm [&>svg]:flex-none [&>svg]:mt-1.5 max-sm:flex-wrap",
        TONES[tone],
      )}
    >
      {icon}
      <p className="grow basis-0 min-w-[12rem] py-1">
        <b className="font-strong">{title}</b> <span className="text-ink-2">{children}</span>
      </p>
      {action}
    </div>
  );
}
