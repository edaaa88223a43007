import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import {
  Database,
  Keyboard,
  Languages,
  LayoutGrid,
  Library,
  Monitor,
  Moon,
  Search,
  Settings,
  SquarePen,
  Sun,
  Upload,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { setPreferences } from "@/lib/preferences";
import { findRanges } from "@/lib/ranges";
import { GROUP, Matched, Row, type RowsProps } from "./paletteRows";

/** Places to go to and things to do. */
export function PlaceRows({
  text,
  onDone,
  onShowKeys,
  onUpload,
}: RowsProps & { onShowKeys: () => void; onUpload: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const places = [
    {
      id: "home",
      icon: <SquarePen size={16} />,
      label: t("shell.newQuestion"),
      run: () => navigate({ to: "/" }),
    },
    {
      id: "go-search",
      icon: <Search size={16} />,
      label: t("shell.search"),
      run: () => navigate({ to: "/search" }),
    },
    {
      id: "go-sources",
      icon: <Library size={16} />,
      label: t("shell.sources"),
      run: () => navigate({ to: "/sources" }),
    },
    {
      id: "go-databases",
      icon: <Database size={16} />,
      label: t("shell.databases"),
      run: () => navigate({ to: "/databases" }),
    },
    {
      id: "go-workspaces",
      icon: <LayoutGrid size={16} />,
      label: t("shell.workspaces"),
      run: () => navigate({ to: "/workspaces" }),
    },
    {
      id: "go-settings",
      icon: <Settings size={16} />,
      label: t("shell.settings"),
      run: () => navigate({ to: "/settings" }),
    },
  ];
  const actions = [
    { id: "upload", icon: <Upload size={16} />, label: t("shell.palette.upload"), run: onUpload },
    {
      id: "light",
      icon: <Sun size={16} />,
      label: t("shell.palette.themeLight"),
      run: () => setPreferences({ theme: "light" }),
    },
    {
      id: "dark",
      icon: <Moon size={16} />,
      label: t("shell.palette.themeDark"),
      run: () => setPreferences({ theme: "dark" }),
    },
    {
      id: "system",
      icon: <Monitor size={16} />,
      label: t("shell.palette.themeSystem"),
      run: () => setPreferences({ theme: "system" }),
    },
    {
      id: "english",
      icon: <Languages size={16} />,
      label: t("shell.palette.languageEnglish"),
      run: () => setPreferences({ language: "en" }),
    },
    {
      id: "italian",
      icon: <Languages size={16} />,
      label: t("shell.palette.languageItalian"),
      run: () => setPreferences({ language: "it" }),
    },
    { id: "keys", icon: <Keyboard size={16} />, label: t("shell.palette.keys"), run: onShowKeys },
  ];
  return [
    { heading: t("shell.palette.goTo"), rows: places },
    { heading: t("shell.palette.actions"), rows: actions },
  ].map(({ heading, rows }) => {
    const shown = rows.filter((row) => !text || findRanges(row.label, text, 1).length > 0);
    return shown.length === 0 ? null : (
      <Command.Group key={heading} heading={heading} className={GROUP}>
        {shown.map((row) => (
          <Row
            key={row.id}
            id={row.id}
            icon={row.icon}
            onPick={() => {
              onDone();
              void row.run();
            }}
          >
            <Matched text={row.label} query={text} />
          </Row>
        ))}
      </Command.Group>
    );
  });
}
