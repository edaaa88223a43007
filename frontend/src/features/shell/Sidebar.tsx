import { Link } from "@tanstack/react-router";
import { Database, Library, Search, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import { usePreferences } from "@/ui/hooks";
import { Kbd } from "@/ui/Kbd";
import { Logo } from "@/ui/Logo";

interface SidebarProps {
  workspace: ReactNode;
  chats: ReactNode;
  account: ReactNode;
  sourcesNeedHand: boolean;
}

const FOLD = "group-data-[rail=true]/shell:md:max-lg:hidden";
const ITEM = cx(
  "relative flex items-center gap-2.5 h-8 max-md:h-11 px-2 rounded-sm font-medium text-ink-2 no-underline hover:bg-hover hover:text-ink max-md:text-md",
  "aria-[current=page]:bg-raised aria-[current=page]:text-ink aria-[current=page]:font-strong aria-[current=page]:shadow-page aria-[current=page]:ring-1 aria-[current=page]:ring-line aria-[current=page]:[&_svg]:text-accent",
  "group-data-[rail=true]/shell:md:max-lg:justify-center group-data-[rail=true]/shell:md:max-lg:h-[38px]",
);

/** Wordmark, workspace, the places, the chats, the person. */
export function Sidebar({ workspace, chats, account, sourcesNeedHand }: SidebarProps) {
  const { t } = useTranslation();
  const { singleKeys } = usePreferences();
  const key = (letter: string) =>
    singleKeys && (
      <span className={cx("ml-auto max-md:hidden", FOLD)}>
        <Kbd>{letter}</Kbd>
      </span>
    );
  return (
    <div className="flex flex-col grow min-h-0 p-3 gap-3 group-data-[rail=true]/shell:md:max-lg:px-[7px]">
      <Link
        to="/"
        className="flex flex-none items-center gap-[9px] h-(--control-md) px-2 no-underline rounded-sm group-data-[rail=true]/shell:md:max-lg:justify-center group-data-[rail=true]/shell:md:max-lg:px-0"
      >
        <Logo />
        <b className={cx("font-read font-strong text-[1.0625rem] leading-none tracking-[-0.012em]", FOLD)}>
          KnowledgeStack
        </b>
      </Link>
      <div className="flex-none">{workspace}</div>
      <nav aria-label={t("shell.navigation")} className="flex flex-none flex-col">
        <Link
          to="/"
          activeOptions={{ exact: true, includeSearch: false }}
          className={ITEM}
          title={t("shell.newQuestion")}
        >
          <SquarePen size={16} aria-hidden />
          <span className={FOLD}>{t("shell.newQuestion")}</span>
          {key("N")}
        </Link>
        <Link to="/search" className={ITEM} title={t("shell.search")}>
          <Search size={16} aria-hidden />
          <span className={FOLD}>{t("shell.search")}</span>
          {key("/")}
        </Link>
        <Link to="/sources" className={ITEM} title={t("shell.sources")}>
          <Library size={16} aria-hidden />
          <span className={FOLD}>{t("shell.sources")}</span>
          {sourcesNeedHand && (
            <span className="ml-auto size-[7px] rounded-full bg-marker-edge group-data-[rail=true]/shell:md:max-lg:absolute group-data-[rail=true]/shell:md:max-lg:top-2 group-data-[rail=true]/shell:md:max-lg:right-2">
              <span className="sr-only">{t("shell.sourcesNeedHand")}</span>
            </span>
          )}
        </Link>
        <Link to="/databases" className={ITEM} title={t("shell.databases")}>
          <Database size={16} aria-hidden />
          <span className={FOLD}>{t("shell.databases")}</span>
        </Link>
      </nav>
      <div className={cx("grow min-h-0 overflow-y-auto -mx-1 px-1 py-px", FOLD)}>{chats}</div>
      <div className="-mx-3 -mb-3 mt-auto flex-none border-t border-line px-4 py-2.5 group-data-[rail=true]/shell:md:max-lg:px-2">
        {account}
      </div>
    </div>
  );
}
