import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, LayoutGrid, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSelectWorkspace, workspacesQuery } from "@/api/queries/session";
import type { Workspace } from "@/api/types";
import { Menu, MenuChoice, MenuItem, MenuLine } from "@/ui/Menu";
import { initial, Tile } from "@/ui/Tile";

export function WorkspaceSwitcher({ active }: { active: Workspace }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useQuery(workspacesQuery);
  const select = useSelectWorkspace();
  return (
    <Menu
      wide
      align="start"
      trigger={
        <button
          type="button"
          aria-label={t("shell.switchWorkspace", { name: active.name })}
          className="flex items-center gap-2 w-full px-2 py-[7px] border border-line rounded-sm bg-raised text-left group-data-[rail=true]/shell:md:max-lg:border-0 group-data-[rail=true]/shell:md:max-lg:bg-transparent group-data-[rail=true]/shell:md:max-lg:justify-center"
        >
          <Tile tone="accent">{initial(active.name)}</Tile>
          <span className="grow min-w-0 group-data-[rail=true]/shell:md:max-lg:hidden">
            <b className="block truncate font-strong">{active.name}</b>
            <span className="block truncate text-xs text-ink-3">
              {t("shell.members", { count: active.memberCount })}
            </span>
          </span>
          <ChevronsUpDown size={14} aria-hidden className="group-data-[rail=true]/shell:md:max-lg:hidden" />
        </button>
      }
    >
      <MenuChoice
        value={active.id}
        onChange={(id) => select.mutate(id)}
        options={(data?.items ?? [active]).map((workspace) => ({
          value: workspace.id,
          label: workspace.name,
          detail: t("shell.members", { count: workspace.memberCount }),
        }))}
      />
      <MenuLine />
      <MenuItem icon={<Plus size={16} />} onClick={() => navigate({ to: "/workspaces", hash: "create" })}>
        {t("shell.createWorkspace")}
      </MenuItem>
      <MenuItem icon={<LayoutGrid size={16} />} onClick={() => navigate({ to: "/workspaces" })}>
        {t("shell.allWorkspaces")}
      </MenuItem>
    </Menu>
  );
}
