import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { showErrorToast } from "@/ui/Toast";

const SHOWN_MS = 1500;

/** Puts a statement on the clipboard as it was written. */
export function CopySql({ sql }: { sql: string }) {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sql);
      setDone(true);
      setTimeout(() => setDone(false), SHOWN_MS);
    } catch {
      showErrorToast(t("chat.answer.copyFailed"), t("chat.answer.copyFailedHelp"));
    }
  };
  return (
    <Button
      tone="quiet"
      size="sm"
      icon={done ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
      onClick={() => void copy()}
    >
      {t(done ? "results.sql.copied" : "results.sql.copy")}
    </Button>
  );
}
