import { useTranslation } from "react-i18next";
import { Dialog } from "@/ui/Dialog";
import { usePreferences } from "@/ui/hooks";
import { Kbd } from "@/ui/Kbd";

/** The list of keys. */
export function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { t } = useTranslation();
  const { singleKeys } = usePreferences();
  const command = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
  const rows: [string[], string][] = [
    [[command, "K"], t("shell.keys.palette")],
    [["/"], t("shell.keys.search")],
    [["N"], t("shell.keys.newQuestion")],
    [[command, "↵"], t("shell.keys.send")],
    [["Esc"], t("shell.keys.escape")],
    [["["], t("shell.keys.previousCitation")],
    [["]"], t("shell.keys.nextCitation")],
    [["?"], t("shell.keys.help")],
  ];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("shell.keys.title")}>
      {!singleKeys && <p className="text-ink-2 mt-2">{t("shell.keys.singleOff")}</p>}
      <dl className="mt-4 grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2.5">
        {rows.map(([keys, words]) => (
          <div key={words} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
