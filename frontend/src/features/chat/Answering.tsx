import { LoaderCircle } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

/** How long an answer has been running, in whole seconds. */
export function Answering({ since }: { since: number }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-medium text-accent tabular-nums whitespace-nowrap flex-none max-sm:hidden">
      <LoaderCircle size={14} className="spin" aria-hidden />
      {t("chat.state.answering", { seconds: Math.max(0, Math.floor((now - since) / 1000)) })}
    </span>
  );
}
