import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { getPreferences } from "@/lib/preferences";
import { listenForShortcuts } from "@/lib/shortcuts";
import { useWiderThan } from "@/ui/hooks";
import { Sheet } from "@/ui/Sheet";
import { ShellContext } from "@/ui/ShellContext";
import { OfflineNotice } from "./OfflineNotice";

interface AppShellProps {
  sidebar: ReactNode;
  /** Changes with the page, so that the drawer closes when one went somewhere. */
  place: string;
  children: ReactNode;
}

/** Sidebar and page side by side; below 896 px the sidebar is a drawer. */
export function AppShell({ sidebar, place, children }: AppShellProps) {
  const { t } = useTranslation();
  const wide = useWiderThan("56rem");
  const [menuOpenAt, setMenuOpenAt] = useState<string | null>(null);
  const [railOpen, setRailOpen] = useState(false);
  useEffect(() => listenForShortcuts(() => getPreferences().singleKeys), []);
  const shell = useMemo(() => ({ openMenu: () => setMenuOpenAt(place), setRailOpen }), [place]);
  return (
    <ShellContext value={shell}>
      <a
        href="#content"
        className="fixed left-3 top-3 z-(--z-toast) bg-raised px-3 py-2 rounded-sm shadow-float not-focus:sr-only"
      >
        {t("shell.skip")}
      </a>
      <div data-rail={railOpen} className="group/shell flex h-dvh overflow-hidden">
        {wide ? (
          <div className="w-(--sidebar) flex-none flex flex-col bg-desk border-r border-line group-data-[rail=true]/shell:max-lg:w-14">
            {sidebar}
          </div>
        ) : (
          <Sheet
            side="left"
            title={t("shell.navigation")}
            open={menuOpenAt === place}
            onOpenChange={(open) => setMenuOpenAt(open ? place : null)}
          >
            {sidebar}
          </Sheet>
        )}
        <div className="flex flex-col grow min-w-0">
          <OfflineNotice />
          <main id="content" tabIndex={-1} className="flex flex-col grow min-h-0 relative outline-none">
            {children}
          </main>
        </div>
      </div>
    </ShellContext>
  );
}
