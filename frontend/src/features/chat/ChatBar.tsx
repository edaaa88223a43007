import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, Pencil, Quote, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ContextUsage } from "@/api/generated";
import { takeChatAway, useRenameChat } from "@/api/queries/chats";
import { Bar } from "@/ui/Bar";
import { IconButton } from "@/ui/Button";
import { useFailure } from "@/ui/failure";
import { usePageTitle } from "@/ui/hooks";
import { Menu, MenuItem } from "@/ui/Menu";
import { showErrorToast, showToast } from "@/ui/Toast";
import { Answering } from "./Answering";
import { ContextRing } from "./ContextRing";
import { dropRun, type Run } from "./model/runs";

interface ChatBarProps {
  chatId: string;
  title: string | null;
  usage: ContextUsage | null;
  run: Run | undefined;
  railOpen: boolean;
  /** How many passages the last answer cites. */
  cited: number;
  onOpenRail: () => void;
}

const UNDO_MS = 6000;

/** The line above a chat: its title, how full it is, the way to its evidence, rename and delete. */
export function ChatBar({ chatId, title, usage, run, railOpen, cited, onOpenRail }: ChatBarProps) {
  const { t } = useTranslation();
  const [renaming, setRenaming] = useState(false);
  const remove = useDeleteChat(chatId);
  const shown = title || t("shell.newQuestion");
  usePageTitle(shown);
  const heading = renaming ? (
    <TitleField chatId={chatId} title={title ?? ""} onDone={() => setRenaming(false)} />
  ) : (
    <div className="flex items-center gap-1.5 min-w-0">
      <h1 className="font-medium text-sm truncate">{shown}</h1>
      {run ? (
        <Answering key={run.startedAt} since={run.startedAt} />
      ) : (
        <IconButton
          size="sm"
          label={t("chat.rename")}
          icon={<Pencil size={14} aria-hidden />}
          onClick={() => setRenaming(true)}
          className="max-md:hidden"
        />
      )}
    </div>
  );
  return (
    <Bar title={heading}>
      {usage && usage.turnCount > 0 && !run && <ContextRing usage={usage} />}
      {cited > 0 && (
        <button
          type="button"
          onClick={onOpenRail}
          aria-label={t("chat.rail.openFor", { count: cited })}
          title={t("chat.rail.openFor", { count: cited })}
          className={`grid place-items-center h-7 max-md:h-10 px-1.5 rounded-sm hover:bg-hover ${railOpen ? "md:hidden" : ""}`}
        >
          <span className="inline-flex items-center gap-[5px] h-[21px] px-2 rounded-xs text-xs font-medium tabular-nums bg-accent-soft text-on-soft">
            <Quote size={14} aria-hidden />
            {cited}
          </span>
        </button>
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
      data-keeps-escape
      defaultValue={title}
      maxLength={200}
      aria-label={t("chat.rename")}
      onFocus={(event) => event.target.select()}
      onBlur={(event) => save(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") save(event.currentTarget.value);
        if (event.key === "Escape") {
          event.currentTarget.value = title;
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
    const { finish, keep } = takeChatAway(client, chatId);
    dropRun(chatId);
    void navigate({ to: "/" });
    const timer = setTimeout(() => {
      finish().catch((error) => showErrorToast(t("common.failed.action"), failure(error).detail));
    }, UNDO_MS);
    showToast(t("chat.deleted"), {
      label: t("chat.undo"),
      run: () => {
        clearTimeout(timer);
        keep();
        void navigate({ to: "/chat/$chatId", params: { chatId } });
      },
    });
  };
}
