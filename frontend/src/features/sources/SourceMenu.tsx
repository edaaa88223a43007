import { Ellipsis, Pause, Pencil, Play, RefreshCw, Square, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  isReading,
  sourceName,
  useCancelSync,
  useDeleteSource,
  usePauseSource,
  useSyncSource,
} from "@/api/queries/sources";
import type { Source } from "@/api/types";
import { IconButton } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/Dialog";
import { Menu, MenuItem, MenuLine } from "@/ui/Menu";
import { RenameSource } from "./RenameSource";

/** What can be done with a source. */
export function SourceMenu({ source }: { source: Source }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const name = sourceName(source, t("sources.uploads"));
  const sync = useSyncSource();
  const cancel = useCancelSync();
  const pause = usePauseSource();
  const remove = useDeleteSource();
  const paused = source.state === "paused";
  return (
    <>
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={t("common.actions", { name })}
            icon={<Ellipsis size={16} aria-hidden />}
          />
        }
      >
        {isReading(source) ? (
          <MenuItem icon={<Square size={16} />} onClick={() => cancel.mutate(source.id)}>
            {t("sources.actions.cancel")}
          </MenuItem>
        ) : (
          <MenuItem icon={<RefreshCw size={16} />} disabled={paused} onClick={() => sync.mutate(source.id)}>
            {t("sources.actions.sync")}
          </MenuItem>
        )}
        <MenuItem
          icon={paused ? <Play size={16} /> : <Pause size={16} />}
          onClick={() => pause.mutate({ id: source.id, paused: !paused })}
        >
          {t(paused ? "sources.actions.resume" : "sources.actions.pause")}
        </MenuItem>
        <MenuItem icon={<Pencil size={16} />} onClick={() => setRenaming(true)}>
          {t("sources.actions.rename")}
        </MenuItem>
        <MenuLine />
        <MenuItem tone="bad" icon={<Trash2 size={16} />} onClick={() => setAsking(true)}>
          {t("sources.actions.delete")}
        </MenuItem>
      </Menu>
      {renaming && <RenameSource id={source.id} name={name} onClose={() => setRenaming(false)} />}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t("sources.deleteSource.title", { name })}
        detail={t("sources.deleteSource.detail", { count: source.documentCount })}
        action={t("sources.deleteSource.action", { count: source.documentCount })}
        busy={remove.isPending && t("sources.deleteSource.busy")}
        onConfirm={() => remove.mutate(source.id, { onSettled: () => setAsking(false) })}
      />
    </>
  );
}
