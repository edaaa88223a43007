import { Menu } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import { IconButton } from "./Button";
import { useShell } from "./ShellContext";

interface BarProps {
  title: ReactNode;
  children?: ReactNode;
  /** In place of the menu button: the way back. */
  back?: ReactNode;
  /** Shown only where the sidebar is a drawer. */
  narrowOnly?: boolean;
}

/** The 52 px line at the top of a page. Where the sidebar is a drawer it holds the button that opens it. */
export function Bar({ title, children, back, narrowOnly }: BarProps) {
  const { t } = useTranslation();
  const { openMenu } = useShell();
  return (
    <div
      className={cx(
        "flex items-center gap-2 h-[52px] px-5 max-md:px-2 border-b border-line bg-paper flex-none",
        narrowOnly && "md:hidden",
      )}
    >
      {back ?? (
        <IconButton
          label={t("shell.menu")}
          icon={<Menu size={20} aria-hidden />}
          onClick={openMenu}
          className="md:hidden"
        />
      )}
      <div className="font-medium text-sm truncate min-w-0">{title}</div>
      <div className="ml-auto flex items-center gap-1.5 flex-none">{children}</div>
    </div>
  );
}
