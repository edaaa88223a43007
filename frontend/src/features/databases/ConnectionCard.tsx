import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, Database, Lock, LockOpen, ShieldAlert, ShieldCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { verifiedQueriesQuery } from "@/api/queries/verifiedQueries";
import type { DatabaseConnection } from "@/api/types";
import { cx } from "@/lib/cx";
import { Badge, Status } from "@/ui/Badge";
import { Tile } from "@/ui/Tile";
import { Time } from "@/ui/Time";
import { ConnectionMenu } from "./ConnectionMenu";
import { longCount, namesMillions } from "./model/numbers";

interface ConnectionCardProps {
  connection: DatabaseConnection;
  chosen: boolean;
}

/** One database: its name, whether it answers, what it holds, what its role may do. Picking it shows its tables. */
export function ConnectionCard({ connection, chosen }: ConnectionCardProps) {
  const address = `${connection.database} · ${connection.host}${connection.port === 5432 ? "" : `:${connection.port}`}`;
  return (
    <li
      className={cx(
        "relative min-w-0 rounded-md bg-raised border p-4 has-[h2_a:hover]:bg-sunken transition-colors duration-(--duration-fast)",
        chosen ? "border-transparent ring-[1.5px] ring-accent shadow-raise" : "border-line shadow-page",
      )}
    >
      <div className="flex max-sm:flex-wrap items-center gap-3">
        <Tile size="lg" tone={chosen ? "accent" : "plain"}>
          <Database size={20} strokeWidth={1.6} />
        </Tile>
        <div className="grow basis-0 min-w-0">
          <h2 className="font-strong text-[0.9375rem] leading-[1.3] truncate">
            <Link
              to="/databases"
              search={{ connection: connection.id }}
              resetScroll={false}
              aria-current={chosen ? "true" : undefined}
              activeProps={{}}
              className="no-underline after:absolute after:inset-0 after:rounded-md focus-visible:shadow-none focus-visible:after:shadow-(--ring)"
            >
              {connection.name}
            </Link>
          </h2>
          <p className="font-mono text-xs text-ink-3 truncate" title={address}>
            {address}
          </p>
        </div>
        <div className="max-sm:order-last max-sm:basis-full max-sm:pl-[50px] max-sm:-mt-2">
          <Reach connection={connection} />
        </div>
        <div className="relative z-1 -mr-1.5">
          <ConnectionMenu connection={connection} />
        </div>
      </div>
      <Holdings connection={connection} />
      <div className="flex flex-wrap items-center gap-1.5">
        <RoleBadge connection={connection} />
        <TlsBadge connection={connection} />
        <VerifiedBadge connection={connection} />
        {connection.audit && connection.audit.verdict !== "read_only" && (
          <SafeRoleLink connectionId={connection.id} />
        )}
      </div>
    </li>
  );
}

function Reach({ connection }: { connection: DatabaseConnection }) {
  const { t } = useTranslation();
  if (connection.state === "unreachable") {
    return (
      <Status tone="warn" icon={<CircleAlert aria-hidden />}>
        {t("databases.state.unreachable")}
      </Status>
    );
  }
  return (
    <Status tone="good" icon={<CircleCheck aria-hidden />}>
      <span>
        {t("databases.state.reachable")}
        {connection.latencyMs !== null && (
          <span className="max-lg:hidden">
            {t("databases.state.latency", { count: connection.latencyMs })}
          </span>
        )}
      </span>
    </Status>
  );
}

function Holdings({ connection }: { connection: DatabaseConnection }) {
  const { t, i18n } = useTranslation();
  const { description, holdings } = connection;
  const sentence = description && !/[.!?…]$/.test(description) ? `${description}.` : description;
  const count = holdings?.rowEstimate ?? 0;
  const rows = longCount(count, i18n.language);
  const counted = holdings
    ? t("databases.holds", {
        tables: t("databases.tables", { count: holdings.tableCount }),
        rows: namesMillions(count)
          ? t("databases.rowsOfMillions", { rows })
          : t("databases.rows", { count, rows }),
      })
    : t("databases.uncounted");
  return (
    <p className="text-ink-2 mt-2 mb-2.5">
      {sentence} {connection.state === "unreachable" && !holdings ? null : counted}
      {connection.state === "unreachable" && (
        <span className="block text-warn mt-1">
          {t("databases.state.lastReached")} <Time iso={connection.lastReachedAt} />.
        </span>
      )}
    </p>
  );
}

function RoleBadge({ connection: { audit } }: { connection: DatabaseConnection }) {
  const { t } = useTranslation();
  if (!audit) return null;
  if (audit.verdict === "read_only") {
    return (
      <Badge tone="good" icon={<ShieldCheck aria-hidden />}>
        {t("databases.role.readOnly")}
      </Badge>
    );
  }
  const words =
    audit.verdict === "privileged"
      ? t("databases.role.privileged")
      : audit.writableTableCount > 0
        ? t("databases.role.mayWrite", { count: audit.writableTableCount })
        : t("databases.role.mayWriteSomewhere");
  return (
    <Badge tone={audit.verdict === "privileged" ? "bad" : "warn"} icon={<ShieldAlert aria-hidden />}>
      {words}
    </Badge>
  );
}

function TlsBadge({ connection: { tls } }: { connection: DatabaseConnection }) {
  const { t } = useTranslation();
  const tone = tls === "verify" ? "good" : tls === "require" ? "plain" : "warn";
  const Icon = tls === "off" ? LockOpen : Lock;
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`databases.tls.${tls}`)}
    </Badge>
  );
}

function VerifiedBadge({ connection }: { connection: DatabaseConnection }) {
  const { t } = useTranslation();
  const { data } = useQuery(verifiedQueriesQuery(connection.id));
  if (!data || data.items.length === 0) return null;
  return <Badge>{t("databases.verified", { count: data.items.length })}</Badge>;
}

function SafeRoleLink({ connectionId }: { connectionId: string }) {
  const { t } = useTranslation();
  return (
    <Link
      to="/databases"
      search={(now) => ({
        ...(now.connection === connectionId && now),
        connection: connectionId,
        dialog: "role" as const,
      })}
      resetScroll={false}
      className="relative z-1 text-xs font-medium text-accent underline underline-offset-[3px] decoration-1 py-1"
    >
      {t("databases.role.showSafe")}
    </Link>
  );
}
