import { Link } from "@tanstack/react-router";
import {
  ChevronDown,
  CircleAlert,
  CircleCheck,
  Clock,
  LoaderCircle,
  OctagonX,
  ShieldAlert,
} from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Statement } from "@/api/types";
import { duration } from "@/features/results/model/shown";
import { SqlBlock } from "@/features/results/SqlBlock";
import { cx } from "@/lib/cx";
import { Status } from "@/ui/Badge";
import { IconButton } from "@/ui/Button";
import { Time } from "@/ui/Time";

interface StatementRowProps {
  statement: Statement;
  withPerson: boolean;
}

const LOOKS = {
  running: { tone: "run", icon: <LoaderCircle className="spin" aria-hidden /> },
  answered: { tone: "good", icon: <CircleCheck aria-hidden /> },
  rejected: { tone: "warn", icon: <ShieldAlert aria-hidden /> },
  failed: { tone: "bad", icon: <CircleAlert aria-hidden /> },
  timeout: { tone: "warn", icon: <Clock aria-hidden /> },
  cancelled: { tone: "off", icon: <OctagonX aria-hidden /> },
} as const;

/** One statement of the log; it opens to its text, what it read and why it failed. */
export function StatementRow({ statement, withPerson }: StatementRowProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const panel = useId();
  const { tone, icon } = LOOKS[statement.outcome];
  return (
    <li className="border-b border-line last:border-b-0">
      <div className="relative grid grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1fr)_8.5rem_9rem_auto] items-center gap-x-4 gap-y-1 pl-4 pr-2 py-2.5 max-sm:pl-3">
        <div className="min-w-0">
          <code className="block truncate">{statement.sql.replace(/\s+/g, " ").trim()}</code>
          <p className="text-xs text-ink-3 truncate mt-0.5">
            <Time iso={statement.startedAt} />
            {" · "}
            {statement.databaseConnectionId
              ? statement.database
              : t("databases.statements.deletedDatabase", { name: statement.database })}
            {withPerson && ` · ${statement.userName ?? t("databases.statements.nobody")}`}
            {` · ${t(`databases.statements.origins.${statement.origin}`)}`}
          </p>
        </div>
        <span className="max-md:row-start-2 max-md:col-start-1">
          <Status tone={tone} icon={icon}>
            {t(`databases.statements.outcomes.${statement.outcome}`)}
          </Status>
          <span className="md:hidden text-xs text-ink-3 ml-3">
            <Measures statement={statement} />
          </span>
        </span>
        <span className="max-md:hidden text-xs text-ink-3 tabular-nums text-right">
          <Measures statement={statement} />
        </span>
        <IconButton
          size="sm"
          className="max-md:row-start-1 max-md:col-start-2 after:absolute after:inset-0"
          aria-expanded={open}
          aria-controls={panel}
          label={t(open ? "databases.statements.hide" : "databases.statements.show")}
          icon={
            <ChevronDown
              size={16}
              aria-hidden
              className={cx("transition-transform duration-(--duration-base)", open && "rotate-180")}
            />
          }
          onClick={() => setOpen(!open)}
        />
      </div>
      <div id={panel} hidden={!open} className="px-4 pb-3.5">
        {open && <Details statement={statement} />}
      </div>
    </li>
  );
}

function Measures({ statement: { rowCount, durationMs } }: { statement: Statement }) {
  const { t, i18n } = useTranslation();
  return [
    ...(rowCount === null ? [] : [t("databases.statements.rows", { count: rowCount })]),
    ...(durationMs === null ? [] : [duration(durationMs, i18n.language)]),
  ].join(" · ");
}

function Details({ statement }: { statement: Statement }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-2.5">
      {statement.detail && <p className="text-ink-2 break-words">{statement.detail}</p>}
      <SqlBlock sql={statement.sql} className="border border-line rounded-sm max-h-[24rem]" />
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-3">
        {statement.tables.length > 0 && (
          <span className="break-all">
            {t("databases.statements.read")} <code>{statement.tables.join(", ")}</code>
          </span>
        )}
        {statement.chatId && (
          <Link
            to="/chat/$chatId"
            params={{ chatId: statement.chatId }}
            search={statement.turnId ? { turn: statement.turnId } : {}}
            className="text-accent underline underline-offset-[3px] decoration-1"
          >
            {t("databases.statements.openChat")}
          </Link>
        )}
      </p>
    </div>
  );
}
