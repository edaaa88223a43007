import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, Pencil, Quote, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ContextUsage, Turn } from "@/api/generated";
import { chatsQuery, deleteChat, useRenameChat } from "@/api/queries/chats";
import { Bar } from "@/ui/Bar";
import { IconButton } from "@/ui/Button";
import { useFailure } from "@/ui/failure";
import { usePageTitle } from "@/ui/hooks";
import { Menu, MenuItem } from "@/ui/Menu";
import { showErrorToast, showToast } from "@/ui/Toast";
import { ContextRing } from "./ContextRing";
import { dropRun } from "./model/runs";
import { citedNumbers } from "./model/turn";

interface ChatBarProps {
  chatId: string;
  title: string | null;
  usage: ContextUsage | null;
  turns: readonly Turn[];
}

const UNDO_MS = 6000;

/** The line above a chat: its title, how full it is, the way to its evidence, rename and delete. */
export function ChatBar({ chatId, title, usage, turns }: ChatBarProps) {
  const { t } = useTranslation();
  const [renaming, setRenaming] = useState(false);
  const navigate = useNavigate();
  const remove = useDeleteChat(chatId);
  const shown = title || t("shell.newQuestion");
  usePageTitle(shown);
  const last = turns.at(-1);
  const cited = last ? citedNumbers(last).size : 0;
  const heading = renaming ? (
    <TitleField chatId={chatId} title={title ?? ""} onDone={() => setRenaming(false)} />
  ) : (
    <h1 className="font-medium text-sm truncate">{shown}</h1>
  );
  return (
    <Bar title={heading}>
      {usage && usage.turnCount > 0 && <ContextRing usage={usage} />}
      {last && last.id !== "" && cited > 0 && (
        <IconButton
          size="sm"
          label={t("chat.rail.openFor", { count: cited })}
          icon={<Quote size={16} aria-hidden />}
          onClick={() =>
            void navigate({
              to: "/chat/$chatId",
              params: { chatId },
              search: { turn: last.id, citation: Math.min(...citedNumbers(last)) },
              resetScroll: false,
            })
          }
        />
      )}
      <Menu
        trigger={<IconButton size="sm" label={t("common.more")} icon={<Ellipsis size={16} aria-hidden />} />}
      >
        <MenuItem icon={<Pencil size={15} aria-hidden />} onClick={() => setRenaming(true)}>
          {t("chat.rename")}
        </MenuItem>
        <MenuItem icon={<Trash2 size={15} aria-hidden />} tone="bad" onClick={remove}>
          {t("chat.delete")}
        </MenuItem>
      </Menu>
    </Bar>
  );
}

function TitleField({ chatId, title, onDone }: { chatId: string; title: string; onDone: () => void }) {
  const { t } = useTranslation();
  const rename = useRenameChat(chatId);
  const save = (value: string) => {
    if (value.trim() && value.trim() !== title) rename.mutate(value.trim());
    onDone();
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the field replaces the title that was picked
      autoFocus
      defaultValue={title}
      maxLength={200}
      aria-label={t("chat.rename")}
      onBlur={(event) => save(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") save(event.currentTarget.value);
        if (event.key === "Escape") {
          event.stopPropagation();
          onDone();
        }
      }}
      className="bg-raised border border-line-control rounded-sm px-2 h-8 w-[min(24rem,60vw)] text-sm"
    />
  );
}

/** Takes the chat away at once; it is deleted for good when the time to undo has passed. */
function useDeleteChat(chatId: string): () => void {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const failure = useFailure();
  return () => {
    const key = chatsQuery.queryKey;
    const before = client.getQueryData(key);
    client.setQueryData(key, (data) =>
      data
        ? {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.filter((chat) => chat.id !== chatId),
            })),
          }
        : data,
    );
    dropRun(chatId);
    void navigate({ to: "/" });
    const timer = setTimeout(async () => {
      try {
        await deleteChat(chatId);
      } catch (error) {
        client.setQueryData(key, before);
        showErrorToast(t("common.failed.action"), failure(error).detail);
      }
      void client.invalidateQueries({ queryKey: key });
    }, UNDO_MS);
    showToast(t("chat.deleted"), {
      label: t("chat.undo"),
      run: () => {
        clearTimeout(timer);
        client.setQueryData(key, before);
        void navigate({ to: "/chat/$chatId", params: { chatId } });
      },
    });
  };
}
