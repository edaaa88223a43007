import { Check, CircleAlert, Copy, Info, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RoleAudit, TlsMode } from "@/api/types";
import { cx } from "@/lib/cx";
import { Button } from "@/ui/Button";
import { Time } from "@/ui/Time";
import { showErrorToast } from "@/ui/Toast";

interface RoleAuditViewProps {
  audit: RoleAudit;
  tls: TlsMode;
  version: string | null;
}

const TONES = { good: "text-good", warning: "text-warn", danger: "text-bad", info: "text-ink-3" } as const;
const ICONS = { good: Check, warning: TriangleAlert, danger: CircleAlert, info: Info } as const;
const SERVER_FILES = new Set([
  "superuser",
  "pg_read_server_files",
  "pg_write_server_files",
  "pg_execute_server_program",
]);
const NAMED = 8;
const COPIED_MS = 1500;

/** What a role may do, line by line; where it may do more than read, the script of one that may not. */
export function RoleAuditView({ audit, tls, version }: RoleAuditViewProps) {
  const { t } = useTranslation();
  const writes = audit.findings.filter((one) => one.code === "write_grants");
  const others = audit.findings.filter((one) => one.code !== "write_grants");
  return (
    <div className="min-w-0">
      <ul className="grid gap-2">
        {version && (
          <Line tone={tls === "verify" ? "good" : tls === "require" ? "info" : "warning"}>
            {t("databases.audit.server", { version, tls: t(`databases.audit.tls.${tls}`) })}
          </Line>
        )}
        {!audit.findings.some((one) => SERVER_FILES.has(one.code)) && (
          <Line tone="good">{t("databases.audit.noSuperuser")}</Line>
        )}
        {audit.verdict === "read_only" && <Line tone="good">{t("databases.audit.noWrite")}</Line>}
        {others.map((one) => (
          <Line key={one.code} tone={one.severity}>
            {one.detail}
          </Line>
        ))}
        {writes.length > 0 && (
          <Line tone="warning">
            <WritableTables audit={audit} />
          </Line>
        )}
      </ul>
      <p className="text-xs text-ink-3 mt-3">
        {t("databases.audit.checked")} <Time iso={audit.checkedAt} />
      </p>
      {audit.verdict !== "read_only" && <SafeRole script={audit.grantScript} />}
    </div>
  );
}

function Line({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  const Icon = ICONS[tone];
  return (
    <li className="flex items-start gap-2">
      <Icon size={15} strokeWidth={1.9} aria-hidden className={cx("mt-[3px]", TONES[tone])} />
      <span className="min-w-0 break-words">{children}</span>
    </li>
  );
}

function WritableTables({ audit }: { audit: RoleAudit }) {
  const { t } = useTranslation();
  const named = audit.writableTables.slice(0, NAMED);
  const more = audit.writableTableCount - named.length;
  return (
    <>
      {t("databases.audit.writes")}{" "}
      {named.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <code className="break-all">{name.replace(/^public\./, "")}</code>
        </span>
      ))}
      {more > 0 && ` ${t("databases.audit.writesMore", { count: more })}`}
    </>
  );
}

function SafeRole({ script }: { script: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(script);
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED_MS);
    } catch {
      showErrorToast(t("chat.answer.copyFailed"), t("chat.answer.copyFailedHelp"));
    }
  };
  return (
    <div className="mt-3">
      <p className="text-ink-2 mb-2">{t("databases.audit.safer")}</p>
      <Script text={script} />
      <div className="mt-2.5" role="status">
        <Button
          size="sm"
          icon={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          onClick={() => void copy()}
        >
          {t(copied ? "databases.audit.copied" : "databases.audit.copy")}
        </Button>
      </div>
    </div>
  );
}

/** The script as it is to be run; its words of SQL stand in capitals. */
function Script({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <section
      tabIndex={0}
      aria-label={t("databases.audit.script")}
      className="sql border border-line rounded-sm text-xs max-h-[16rem] whitespace-pre-wrap break-words"
    >
      <code>
        {text.split("\n").map((line) => (
          <span key={line} className={cx("block", line.startsWith("--") && "is-comment")}>
            {line.startsWith("--")
              ? line
              : line.split(/\b([A-Z]{2,})\b/).map((part, index) =>
                  index % 2 === 0 ? (
                    part
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a fixed text have no other name
                    <span key={index} className="is-keyword">
                      {part}
                    </span>
                  ),
                )}
          </span>
        ))}
      </code>
    </section>
  );
}
