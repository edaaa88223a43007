import { CircleAlert, CircleCheck, CirclePause, Clock, LoaderCircle, OctagonX, Plug } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isReading } from "@/api/queries/sources";
import type { Source, SyncPass } from "@/api/types";
import { Status } from "@/ui/Badge";
import { Time } from "@/ui/Time";

/** How a source stands: the state first, then what belongs to it. */
export function SourceHealth({ source }: { source: Source }) {
  const pass = source.pass;
  if (pass && isReading(source)) return <Reading pass={pass} />;
  return (
    <div className="grid gap-0.5">
      <Standing source={source} />
      <p className="text-xs text-ink-3">
        <Last source={source} />
      </p>
    </div>
  );
}

function Reading({ pass }: { pass: SyncPass }) {
  const { t } = useTranslation();
  const done = pass.new + pass.changed + pass.unchanged + pass.failed;
  const counts = { new: pass.new, changed: pass.changed, unchanged: pass.unchanged, failed: pass.failed };
  const waiting = pass.state === "queued" || pass.found === 0;
  const words = waiting
    ? t("sources.health.waiting")
    : t("sources.health.passReading", { done, total: Math.max(pass.found, done) });
  return (
    <div className="grid gap-1.5">
      <Status tone="run" icon={<LoaderCircle className="spin" aria-hidden />}>
        {words}
      </Status>
      {/* Without a value the bar says only that something is under way. */}
      <progress
        className="progress w-full max-w-[20rem]"
        aria-label={words}
        {...(!waiting && { value: done, max: Math.max(pass.found, 1) })}
      />
      <p className="text-xs text-ink-2 tabular-nums">
        {t(pass.failed > 0 ? "sources.health.countsFailed" : "sources.health.counts", counts)}
      </p>
    </div>
  );
}

function Standing({ source }: { source: Source }) {
  const { t } = useTranslation();
  const pass = source.pass;
  const say = (tone: "good" | "warn" | "bad" | "off", icon: ReactNode, words: string) => (
    <Status tone={tone} icon={icon}>
      <span className="whitespace-normal">{words}</span>
    </Status>
  );
  if (source.state === "paused") return say("off", <CirclePause aria-hidden />, t("sources.health.paused"));
  if (source.state === "reauth_required")
    return say("warn", <Plug aria-hidden />, t("sources.health.accessEnded"));
  if (source.state === "error" || pass?.state === "failed") {
    return say("bad", <CircleAlert aria-hidden />, pass?.message ?? t("sources.health.error"));
  }
  if (pass && pass.failed > 0) {
    const words = t("sources.health.failedFiles", { count: pass.failed, total: source.documentCount });
    return say("bad", <CircleAlert aria-hidden />, words);
  }
  if (pass?.state === "cancelled") return say("off", <OctagonX aria-hidden />, t("sources.health.cancelled"));
  if (!source.lastSyncedAt) return say("off", <Clock aria-hidden />, t("sources.health.never"));
  return say("good", <CircleCheck aria-hidden />, t("sources.health.upToDate"));
}

function Last({ source }: { source: Source }) {
  const { t } = useTranslation();
  if (!source.lastSyncedAt) return null;
  return (
    <>
      {t("sources.health.synced")} <Time iso={source.lastSyncedAt} />
    </>
  );
}
