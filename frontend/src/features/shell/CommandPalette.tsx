import { Dialog } from "@base-ui/react/dialog";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import {
  CornerDownLeft,
  FileText,
  Keyboard,
  Languages,
  LayoutGrid,
  Library,
  MessageSquare,
  Monitor,
  Moon,
  Search,
  Settings,
  SquarePen,
  Sun,
  Upload,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { chatsQuery } from "@/api/queries/chats";
import { searchQuery } from "@/api/queries/documents";
import { setPreferences } from "@/lib/preferences";
import { findRanges, splitAtRanges } from "@/lib/ranges";
import { useSettled } from "@/ui/hooks";
import { Kbd } from "@/ui/Kbd";

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onShowKeys: () => void;
  onUpload: () => void;
}

const ITEM =
  "flex items-center gap-3 min-h-[38px] max-sm:min-h-11 px-3 rounded-sm text-md data-[selected=true]:bg-accent-soft data-[selected=true]:text-on-soft [&>svg]:text-ink-3 data-[selected=true]:[&>svg]:text-on-soft cursor-pointer";
const GROUP =
  "[&_[cmdk-group-heading]]:caps [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1.5";

/** Everything by typing: ask, chats, documents, places, actions. The first row always asks. */
export function CommandPalette({ open, onOpenChange, onShowKeys, onUpload }: CommandPaletteProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const close = () => onOpenChange(false);
  return (
    <Dialog.Root
      open={open}
      onOpenChange={onOpenChange}
      onOpenChangeComplete={(shown) => !shown && setText("")}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-scrim z-(--z-overlay)" />
        <Dialog.Popup className="fixed left-1/2 top-[13vh] max-sm:top-3 -translate-x-1/2 w-[min(620px,calc(100vw-1.5rem))] z-(--z-dialog) bg-raised border border-line rounded-lg shadow-float overflow-hidden">
          <Dialog.Title className="sr-only">{t("shell.palette.title")}</Dialog.Title>
          <Command label={t("shell.palette.title")} shouldFilter={false} loop>
            <div className="flex items-center gap-3 px-4 h-[54px] border-b border-line">
              <Search size={18} className="text-ink-3" aria-hidden />
              <Command.Input
                value={text}
                onValueChange={setText}
                placeholder={t("shell.palette.placeholder")}
                className="grow bg-transparent text-lg outline-none focus-visible:shadow-none placeholder:text-ink-3"
              />
              <Kbd>Esc</Kbd>
            </div>
            <Command.List className="max-h-[min(26rem,70vh)] overflow-y-auto p-1.5">
              <AskRows text={text.trim()} onDone={close} />
              <FoundRows text={text.trim()} onDone={close} />
              <PlaceRows text={text.trim()} onDone={close} onShowKeys={onShowKeys} onUpload={onUpload} />
            </Command.List>
            <div className="flex gap-4 px-4 py-2.5 border-t border-line bg-paper text-xs text-ink-2 max-sm:hidden">
              <span>
                <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t("shell.palette.move")}
              </span>
              <span>
                <Kbd>↵</Kbd> {t("shell.palette.open")}
              </span>
            </div>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface RowsProps {
  text: string;
  onDone: () => void;
}

function Row({
  id,
  icon,
  onPick,
  children,
  end,
}: {
  id: string;
  icon: ReactNode;
  onPick: () => void;
  children: ReactNode;
  end?: ReactNode;
}) {
  return (
    <Command.Item value={id} onSelect={onPick} className={ITEM}>
      {icon}
      <span className="grow min-w-0 truncate">{children}</span>
      {end}
    </Command.Item>
  );
}

function Matched({ text, query }: { text: string; query: string }) {
  return splitAtRanges(text, findRanges(text, query)).map((piece, index) =>
    piece.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a fixed text have no other name
      <b key={index} className="font-strong border-b-2 border-marker-edge">
        {piece.text}
      </b>
    ) : (
      piece.text
    ),
  );
}

function AskRows({ text, onDone }: RowsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const go = (run: () => unknown) => () => {
    onDone();
    run();
  };
  return (
    <Command.Group heading={t("shell.palette.ask")} className={GROUP}>
      <Row
        id="ask"
        icon={<CornerDownLeft size={16} />}
        onPick={go(() => navigate({ to: "/", search: text ? { ask: text } : {} }))}
      >
        {text ? t("shell.palette.askFor", { text }) : t("shell.palette.askEmpty")}
      </Row>
      {text && (
        <Row
          id="search"
          icon={<Search size={16} />}
          onPick={go(() => navigate({ to: "/search", search: { q: text } }))}
        >
          {t("shell.palette.searchFor", { text })}
        </Row>
      )}
    </Command.Group>
  );
}

const SHOWN = 5;

function FoundRows({ text, onDone }: RowsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const settled = useSettled(text, 200);
  const chats = useInfiniteQuery(chatsQuery);
  const found = useQuery({
    ...searchQuery({ q: settled }),
    enabled: settled.length > 1,
  });
  const titles = (chats.data?.pages.flatMap((page) => page.items) ?? [])
    .filter((chat) => findRanges(chat.title ?? "", text, 1).length > 0 || !text)
    .slice(0, SHOWN);
  const documents = new Map(found.data?.items.map((hit) => [hit.documentId, hit.title]) ?? []);
  return (
    <>
      {titles.length > 0 && (
        <Command.Group heading={t("shell.palette.chats")} className={GROUP}>
          {titles.map((chat) => (
            <Row
              key={chat.id}
              id={`chat-${chat.id}`}
              icon={<MessageSquare size={16} />}
              onPick={() => {
                onDone();
                void navigate({ to: "/chat/$chatId", params: { chatId: chat.id } });
              }}
            >
              <Matched text={chat.title ?? t("shell.newQuestion")} query={text} />
            </Row>
          ))}
        </Command.Group>
      )}
      {text && documents.size > 0 && (
        <Command.Group heading={t("shell.palette.documents")} className={GROUP}>
          {[...documents].slice(0, SHOWN).map(([id, title]) => (
            <Row
              key={id}
              id={`document-${id}`}
              icon={<FileText size={16} />}
              onPick={() => {
                onDone();
                void navigate({ to: "/documents/$documentId", params: { documentId: id } });
              }}
            >
              <Matched text={title} query={text} />
            </Row>
          ))}
        </Command.Group>
      )}
    </>
  );
}

function PlaceRows({
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
