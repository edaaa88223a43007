import { Dialog } from "@base-ui/react/dialog";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { CornerDownLeft, FileText, MessageSquare, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chatsQuery } from "@/api/queries/chats";
import { searchQuery } from "@/api/queries/documents";
import { findRanges } from "@/lib/ranges";
import { useSettled } from "@/ui/hooks";
import { Kbd } from "@/ui/Kbd";
import { PlaceRows } from "./PlaceRows";
import { GROUP, Matched, Row, type RowsProps } from "./paletteRows";
import { TableRows } from "./TableRows";

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onShowKeys: () => void;
  onUpload: () => void;
}

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
              <TableRows text={text.trim()} onDone={close} />
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
