import { Check, CircleAlert, Clock, Copy, LoaderCircle, OctagonX, Replace, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { baseName } from "@/lib/files";
import { Status } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { isPending, type UploadItem, type UploadState } from "./uploadQueue";
import type { UploadQueue } from "./useUploadQueue";

const LOOKS: Record<
  Exclude<UploadState, "sending">,
  { tone: "good" | "bad" | "off" | "run"; icon: ReactNode }
> = {
  waiting: { tone: "off", icon: <Clock aria-hidden /> },
  sent: { tone: "good", icon: <Check aria-hidden /> },
  same: { tone: "off", icon: <Copy aria-hidden /> },
  replaced: { tone: "good", icon: <Replace aria-hidden /> },
  refused: { tone: "bad", icon: <CircleAlert aria-hidden /> },
  failed: { tone: "bad", icon: <CircleAlert aria-hidden /> },
  stopped: { tone: "off", icon: <OctagonX aria-hidden /> },
};

/** The files that are being sent, each with how far it is and why it was refused. */
export function UploadPanel({ queue }: { queue: UploadQueue }) {
  const { t } = useTranslation();
  const { items } = queue;
  if (items.length === 0) return null;
  const pending = items.filter(isPending).length;
  const refused = items.filter((item) => item.state === "refused" || item.state === "failed").length;
  const sent = items.length - pending - refused;
  const title = pending
    ? t("sources.progress.sending", { count: pending })
    : refused
      ? t("sources.progress.finishedRefused", { sent, refused })
      : t("sources.progress.finished", { count: sent });
  return (
    <section
      aria-label={t("sources.progress.title")}
      className="fixed right-4 bottom-4 z-(--z-toast) w-[min(400px,calc(100vw-2rem))] bg-raised border border-line-strong rounded-md shadow-float overflow-hidden"
    >
      <header className="flex items-center gap-2 pl-4 pr-2 h-11 border-b border-line">
        <h2 role="status" className="font-strong grow">
          {title}
        </h2>
        {pending > 0 ? (
          <Button size="sm" tone="quiet" onClick={queue.stop}>
            {t("sources.progress.stop")}
          </Button>
        ) : (
          <IconButton
            size="sm"
            label={t("sources.progress.close")}
            icon={<X size={16} />}
            onClick={queue.clear}
          />
        )}
      </header>
      <ul className="max-h-[40vh] overflow-y-auto">
        {items.map((item) => (
          <Row key={item.id} item={item} onRetry={() => queue.retry(item.id)} />
        ))}
      </ul>
    </section>
  );
}

function Row({ item, onRetry }: { item: UploadItem; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <li className="px-4 py-2 border-b border-line last:border-b-0 [content-visibility:auto] [contain-intrinsic-size:auto_2.5rem]">
      <div className="flex items-center gap-3">
        <span className="grow min-w-0 truncate" title={item.path}>
          {baseName(item.path)}
        </span>
        <UploadStatus item={item} />
      </div>
      {item.sameAs && (
        <p className="text-xs text-ink-2 mt-0.5">
          {t("sources.progress.sameAs", { name: baseName(item.sameAs) })}
        </p>
      )}
      {item.reason && (
        <p className="text-xs text-ink-2 mt-0.5">
          {item.reason}{" "}
          {item.state === "failed" && (
            <button type="button" onClick={onRetry} className="text-accent underline underline-offset-[3px]">
              {t("sources.progress.retry")}
            </button>
          )}
        </p>
      )}
    </li>
  );
}

function UploadStatus({ item }: { item: UploadItem }) {
  const { t } = useTranslation();
  if (item.state !== "sending") {
    const { tone, icon } = LOOKS[item.state];
    return (
      <Status tone={tone} icon={icon}>
        {t(`sources.progress.${item.state}`)}
      </Status>
    );
  }
  const share = item.file.size > 0 ? item.sent / item.file.size : 0;
  if (share >= 1) {
    return (
      <Status tone="run" icon={<LoaderCircle className="spin" aria-hidden />}>
        {t("common.loading")}
      </Status>
    );
  }
  return <progress aria-label={item.path} value={share} className="progress w-24" />;
}
