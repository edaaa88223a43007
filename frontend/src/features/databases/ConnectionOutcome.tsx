import { CircleAlert, CircleCheck, KeyRound, LoaderCircle, Plug, ShieldCheck, Table } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { DatabaseConnection, DatabaseConnectionSaved } from "@/api/types";
import { Status } from "@/ui/Badge";
import { RoleAuditView } from "./RoleAuditView";

interface ConnectionOutcomeProps {
  connection: DatabaseConnection | undefined;
  outcome: DatabaseConnectionSaved | null;
  refusal: { detail: string; requestId: string | null } | null;
  busy: boolean;
}

/** What comes of a connection: what will happen, why it did not open, or what its role may do. */
export function ConnectionOutcome({ connection, outcome, refusal, busy }: ConnectionOutcomeProps) {
  const { t } = useTranslation();
  if (busy) {
    return (
      <div role="status">
        <Status tone="run" icon={<LoaderCircle className="spin" aria-hidden />}>
          {t("databases.form.opening")}
        </Status>
      </div>
    );
  }
  const failed = refusal?.detail ?? (outcome?.success === false ? outcome.message : null);
  const audit = outcome?.audit ?? (failed ? null : connection?.audit);
  if (!failed && !audit) return <BeforeConnecting />;
  return (
    <div role="status" className="grid gap-4">
      {failed && (
        <div className="flex items-start gap-2.5 rounded-md p-3 bg-bad-soft">
          <CircleAlert size={18} aria-hidden className="text-bad mt-0.5" />
          <div className="min-w-0">
            <p className="font-strong">{t("databases.form.notOpened")}</p>
            <p className="break-words">{failed}</p>
            <p className="text-ink-2 mt-1">{t("databases.form.notOpenedHelp")}</p>
            {refusal?.requestId && (
              <p className="font-mono text-xs text-ink-3 mt-1">
                {t("common.request", { id: refusal.requestId })}
              </p>
            )}
          </div>
        </div>
      )}
      {audit && (
        <section>
          <div className="flex flex-wrap items-center justify-between gap-2 mb-2">
            <h3 className="font-strong">{t("databases.audit.title")}</h3>
            {outcome?.success && connection && connection.latencyMs !== null && (
              <Status tone="good" icon={<CircleCheck aria-hidden />}>
                {t("databases.audit.opened", { count: connection.latencyMs })}
              </Status>
            )}
          </div>
          <RoleAuditView
            audit={audit}
            tls={connection?.tls ?? "verify"}
            version={connection?.serverVersion ?? null}
          />
        </section>
      )}
    </div>
  );
}

const STEPS = [
  ["open", Plug],
  ["role", ShieldCheck],
  ["tables", Table],
  ["password", KeyRound],
] as const;

function BeforeConnecting() {
  const { t } = useTranslation();
  return (
    <section>
      <h3 className="font-strong mb-3">{t("databases.form.before.title")}</h3>
      <ol className="grid gap-3.5">
        {STEPS.map(([step, Icon]) => (
          <li key={step} className="flex gap-2.5 text-ink-2">
            <Icon size={16} className="text-ink-3 mt-0.5" aria-hidden />
            <span>{t(`databases.form.before.${step}`)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
