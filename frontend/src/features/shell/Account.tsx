import { Link, useNavigate } from "@tanstack/react-router";
import { LogOut, Settings } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSignOut } from "@/api/queries/session";
import type { SessionUser } from "@/api/types";
import { buttonClass } from "@/ui/Button";
import { Menu, MenuItem, MenuLine } from "@/ui/Menu";

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : ""]
    .map((word) => word?.[0] ?? "")
    .join("")
    .toUpperCase();
}

export function Account({ user }: { user: SessionUser }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const name = user.name || user.email;
  return (
    <div className="flex items-center gap-2 group-data-[rail=true]/shell:md:max-lg:justify-center">
      <Menu
        align="start"
        side="top"
        trigger={
          <button
            type="button"
            aria-label={t("shell.account", { name })}
            className="flex items-center gap-2 min-w-0 grow rounded-sm text-left font-strong group-data-[rail=true]/shell:md:max-lg:grow-0"
          >
            <span
              aria-hidden
              className="grid place-items-center size-[26px] rounded-full bg-accent-soft text-on-soft text-2xs font-strong flex-none"
            >
              {initials(name)}
            </span>
            <span className="truncate group-data-[rail=true]/shell:md:max-lg:hidden">{name}</span>
          </button>
        }
      >
        <p className="px-[9px] py-1.5 text-xs text-ink-3 truncate">{user.email}</p>
        <MenuLine />
        <MenuItem icon={<Settings size={16} />} onClick={() => navigate({ to: "/settings" })}>
          {t("shell.settings")}
        </MenuItem>
        <MenuItem icon={<LogOut size={16} />} onClick={() => signOut.mutate()}>
          {t("shell.signOut")}
        </MenuItem>
      </Menu>
      <Link
        to="/settings"
        aria-label={t("shell.settings")}
        title={t("shell.settings")}
        className={`${buttonClass("quiet", "sm")} size-(--control-sm) !px-0 max-sm:size-10 group-data-[rail=true]/shell:md:max-lg:hidden`}
      >
        <Settings size={16} aria-hidden />
      </Link>
    </div>
  );
}
