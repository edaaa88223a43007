import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { sessionQuery, useCreateWorkspace, useSelectWorkspace, workspacesQuery } from "@/api/queries/session";
import type { Workspace } from "@/api/types";
import { cx } from "@/lib/cx";
import { Status } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { useFailure } from "@/ui/failure";
import { Page } from "@/ui/Page";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { ErrorState } from "@/ui/States";

const ROLES = { owner: "youOwn", member: "youMember", viewer: "youViewer" } as const;

/** The workspaces of the person: open another one, or make a new one. */
export function WorkspacesPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(workspacesQuery);
  return (
    <Page
      title={t("workspaces.title")}
      lead={t(data?.items.length === 0 ? "workspaces.none" : "workspaces.lead")}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_20rem] max-lg:grid-cols-1 gap-10">
        {error ? (
          <ErrorState title={t("workspaces.loadFailed")} error={error} onRetry={() => void refetch()} />
        ) : (
          <WorkspaceList items={data?.items} />
        )}
        <CreateForm />
      </div>
    </Page>
  );
}

function WorkspaceList({ items }: { items: Workspace[] | undefined }) {
  const { data: session } = useQuery(sessionQuery);
  if (!items) {
    return (
      <Waiting>
        <div className="bg-raised border border-line rounded-md p-4 flex flex-col gap-4">
          <Skeleton className="w-1/2 h-4" />
          <Skeleton className="w-1/3" />
        </div>
      </Waiting>
    );
  }
  if (items.length === 0) return <div />;
  return (
    <ul className="bg-raised border border-line rounded-md shadow-page list-none self-start">
      {items.map((workspace) => (
        <WorkspaceRow
          key={workspace.id}
          workspace={workspace}
          current={workspace.id === session?.activeWorkspace?.id}
        />
      ))}
    </ul>
  );
}

function WorkspaceRow({ workspace, current }: { workspace: Workspace; current: boolean }) {
  const { t } = useTranslation();
  const select = useSelectWorkspace();
  return (
    <li className="flex items-center gap-4 p-4 border-b border-line last:border-b-0">
      <span
        aria-hidden
        className={cx(
          "grid place-items-center size-9 rounded-sm font-read font-medium text-xl flex-none",
          current ? "bg-accent-soft text-on-soft" : "bg-sunken text-ink-2",
        )}
      >
        {workspace.name.slice(0, 1).toUpperCase()}
      </span>
      <div className="min-w-0 grow">
        <h2 className="font-strong truncate">{workspace.name}</h2>
        <p className="text-xs text-ink-3">
          {t("shell.members", { count: workspace.memberCount })} · {t(`workspaces.${ROLES[workspace.role]}`)}
        </p>
      </div>
      {current ? (
        <Status tone="run" icon={<Check aria-hidden />}>
          {t("workspaces.openNow")}
        </Status>
      ) : (
        <Button
          size="sm"
          busy={select.isPending && t("workspaces.opening")}
          onClick={() => select.mutate(workspace.id)}
        >
          {t("workspaces.open")}
        </Button>
      )}
    </li>
  );
}

function CreateForm() {
  const { t } = useTranslation();
  const failure = useFailure();
  const { data: session } = useQuery(sessionQuery);
  const create = useCreateWorkspace();
  const select = useSelectWorkspace();
  const [name, setName] = useState("");
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!name.trim());
    if (!name.trim()) return;
    create.mutate(name.trim(), {
      onSuccess: (workspace) => {
        setName("");
        if (!session?.activeWorkspace) select.mutate(workspace.id);
      },
    });
  };
  const error = missing ? t("workspaces.nameMissing") : create.error ? failure(create.error).detail : null;
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-2.5 self-start">
      <h2 className="font-strong">{t("workspaces.create")}</h2>
      <Field
        label={t("workspaces.name")}
        hideLabel
        placeholder={t("workspaces.namePlaceholder")}
        value={name}
        maxLength={100}
        error={error}
        help={t("workspaces.createHelp")}
        onChange={(event) => {
          setName(event.target.value);
          setMissing(false);
        }}
      />
      <Button type="submit" busy={create.isPending && t("workspaces.creating")}>
        {t("workspaces.createAction")}
      </Button>
    </form>
  );
}
