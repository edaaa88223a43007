import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { isReachable, probeServer, subscribeReachability } from "@/api/reachability";
import { Button } from "@/ui/Button";

const PATIENCE_S = 8;

/** Stands above the page while the server does not answer, tries again by itself and loads anew what is stale. */
export function OfflineNotice() {
  const reachable = useSyncExternalStore(subscribeReachability, isReachable);
  return reachable ? null : <Notice />;
}

function Notice() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [seconds, setSeconds] = useState(PATIENCE_S);
  const probe = async () => {
    setSeconds(PATIENCE_S);
    if (await probeServer()) await client.invalidateQueries();
  };
  const tick = useEffectEvent(() => {
    if (seconds > 1) setSeconds(seconds - 1);
    else void probe();
  });
  useEffect(() => {
    const timer = setInterval(() => tick(), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="flex flex-wrap items-center gap-3 px-5 py-2.5 border-b border-warn-line bg-warn-soft">
      <WifiOff size={16} className="text-warn" aria-hidden />
      <p role="status" className="grow">
        <b className="font-strong">
          {t(navigator.onLine ? "shell.offline.unreachable" : "shell.offline.title")}
        </b>{" "}
        {t("shell.offline.detail")}
      </p>
      <span className="text-xs text-ink-2 tabular-nums">{t("shell.offline.wait", { seconds })}</span>
      <Button size="sm" onClick={() => void probe()}>
        {t("shell.offline.now")}
      </Button>
    </div>
  );
}
