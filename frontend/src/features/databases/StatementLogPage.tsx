import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, ChevronDown, History, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { databasesQuery, statementsQuery } from "@/api/queries/databases";
import type { Statement, StatementOutcome } from "@/api/types";
import { cx } from "@/lib/cx";
import { Button, buttonClass } from "@/ui/Button";
import { Menu, MenuChoice } from "@/ui/Menu";
import { Page } from "@/ui/Page";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { EmptyState, ErrorState } from "@/ui/States";
import { StatementRow } from "./StatementRow";
import { useMay } from "./useMay";

const route = getRouteApi("/shell/databases/log");
const OUTCOMES: readonly StatementOutcome[] = [
  "answered",
  "rejected",
  "failed",
  "timeout",
  "cancelled",
  "running",
];

/** Every statement that ran or was kept from running: who, when, on what, how it came out. */
export function StatementLogPage() {
  const { t } = useTranslation();
  const { manage } = useMay();
  const { connection, outcome, user } = route.useSearch();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    statementsQuery({ databaseConnectionId: connection, outcome, userId: user }),
  );
  const statements = data?.pages.flatMap((page) => page.items);
  return (
    <Page
      title={t("databases.statements.title")}
      lead={t(manage ? "databases.statements.leadOwner" : "databases.statements.leadMember")}
      actions={
        <Link to="/databases" search={connection ? { connection } : {}} className={buttonClass()}>
          <ArrowLeft size={16} aria-hidden />
          {t("databases.back")}
        </Link>
      }
    >
      <Filters statements={statements ?? []} />
      {error && !statements && (
        <ErrorState title={t("databases.statements.failed")} error={error} onRetry={() => void refetch()} />
      )}
      {!error && !statements && <RowShapes />}
      {statements?.length === 0 && (
        <EmptyState
          icon={<History aria-hidden />}
          title={t(
            connection || outcome || user ? "databases.statements.noneFiltered" : "databases.statements.none",
          )}
        >
          {t("databases.statements.noneDetail")}
        </EmptyState>
      )}
      {statements && statements.length > 0 && (
        <ul
          aria-label={t("databases.statements.list")}
          className="bg-raised border border-line rounded-md shadow-page overflow-hidden"
        >
          {statements.map((statement) => (
            <StatementRow key={statement.id} statement={statement} withPerson={manage} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          className="mt-3"
          busy={isFetchingNextPage && t("common.loading")}
          onClick={() => void fetchNextPage()}
        >
          {t("databases.statements.more")}
        </Button>
      )}
    </Page>
  );
}

function Filters({ statements }: { statements: readonly Statement[] }) {
  const { t } = useTranslation();
  const { manage } = useMay();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useQuery(databasesQuery);
  const set = (name: "connection" | "outcome" | "user", value: string | undefined) =>
    void navigate({
      search: ({ [name]: _before, ...rest }) => (value === undefined ? rest : { ...rest, [name]: value }),
      replace: true,
    });
  const people = new Map(
    statements.flatMap(({ userId, userName }) => (userId && userName ? [[userId, userName]] : [])),
  );
  return (
    <div className="flex flex-wrap gap-2 mb-4">
      <Filter
        name={t("databases.statements.database")}
        value={search.connection}
        options={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(value) => set("connection", value)}
      />
      <Filter
        name={t("databases.statements.outcome")}
        value={search.outcome}
        options={OUTCOMES.map((value) => ({ value, label: t(`databases.statements.outcomes.${value}`) }))}
        onChange={(value) => set("outcome", value)}
      />
      {manage && (people.size > 1 || search.user) && (
        <Filter
          name={t("databases.statements.person")}
          value={search.user}
          options={[...people].map(([value, label]) => ({ value, label }))}
          onChange={(value) => set("user", value)}
        />
      )}
    </div>
  );
}

const CHIP =
  "inline-flex items-center gap-1.5 h-7 max-sm:h-9 px-2.5 border rounded-full text-xs font-medium whitespace-nowrap";

interface FilterProps {
  name: string;
  value: string | undefined;
  options: { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
}

function Filter({ name, value, options, onChange }: FilterProps) {
  const { t } = useTranslation();
  if (value) {
    const label = options.find((option) => option.value === value)?.label ?? name;
    return (
      <button
        type="button"
        aria-label={t("databases.statements.remove", { name: label })}
        onClick={() => onChange(undefined)}
        className={cx(CHIP, "bg-accent-soft border-accent-line text-on-soft")}
      >
        {label}
        <X size={14} aria-hidden />
      </button>
    );
  }
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={cx(CHIP, "border-line-strong text-ink-2 hover:bg-hover")}>
          {name}
          <ChevronDown size={14} aria-hidden />
        </button>
      }
    >
      <MenuChoice value="" options={options} onChange={onChange} />
    </Menu>
  );
}

function RowShapes() {
  return (
    <Waiting>
      <div className="grid gap-6 bg-raised border border-line rounded-md shadow-page p-4">
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className={row % 2 ? "w-3/5" : "w-4/5"} />
        ))}
      </div>
    </Waiting>
  );
}
