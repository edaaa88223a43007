import { ChevronDown, Ellipsis, Pause, Play, RefreshCw, Square, Trash2, Upload } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  isReading,
  useCancelSync,
  useDeleteSource,
  usePauseSource,
  useSyncSource,
} from "@/api/queries/sources";
import type { Source } from "@/api/types";
import { cx } from "@/lib/cx";
import { IconButton } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/Dialog";
import { Menu, MenuItem, MenuLine } from "@/ui/Menu";
import { initial, Tile } from "@/ui/Tile";
import { DocumentList } from "./DocumentList";
import { SourceHealth } from "./SourceHealth";
import { useUploads } from "./UploadProvider";

interface SourceRowProps {
  source: Source;
  open: boolean;
  onToggle: () => void;
}

/** One source: what it is, how it stands, what it holds; it opens to its documents. */
export function SourceRow({ source, open, onToggle }: SourceRowProps) {
  const { t } = useTranslation();
  const { mayUpload } = useUploads();
  const upload = source.provider === "upload";
  const panel = `documents-${source.id}`;
  return (
    <li className="border-b border-line last:border-b-0">
      <div className="grid grid-cols-[38px_minmax(0,1fr)_auto] md:grid-cols-[38px_minmax(0,1.15fr)_minmax(0,1fr)_8.5rem_auto] items-center gap-x-4 gap-y-2 px-4 py-3.5">
        <Tile size="lg">{upload ? <Upload size={18} /> : initial(source.name)}</Tile>
        <div className="min-w-0">
          <h2 className="font-strong text-md truncate">{upload ? t("sources.uploads") : source.name}</h2>
          <p className="text-xs text-ink-3 truncate">
            {upload ? t("sources.addedByHand") : t("sources.provider", { provider: source.provider })}
          </p>
        </div>
        <div className="max-md:col-start-2 max-md:col-span-2 max-md:row-start-2 min-w-0">
          <SourceHealth source={source} />
        </div>
        <p className="max-md:hidden">
          <span className="block text-md tabular-nums">
            {t("sources.documents", { count: source.documentCount })}
          </span>
          <span className="block text-xs text-ink-3 tabular-nums">
            {t("sources.chunks", { count: source.chunkCount })}
          </span>
        </p>
        <div className="flex items-center max-md:row-start-1 max-md:col-start-3">
          {mayUpload && <SourceMenu source={source} />}
          <IconButton
            size="sm"
            aria-expanded={open}
            aria-controls={panel}
            label={t(open ? "sources.hideDocuments" : "sources.showDocuments", { name: source.name })}
            icon={
              <ChevronDown
                size={16}
                aria-hidden
                className={cx("transition-transform duration-(--duration-base)", open && "rotate-180")}
              />
            }
            onClick={onToggle}
          />
        </div>
      </div>
      <div id={panel} hidden={!open} className="border-t-2 border-line bg-paper md:pl-[70px]">
        {open && <DocumentList source={source} />}
      </div>
    </li>
  );
}

function SourceMenu({ source }: { source: Source }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
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
            label={t("common.actions", { name: source.name })}
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
        <MenuLine />
        <MenuItem tone="bad" icon={<Trash2 size={16} />} onClick={() => setAsking(true)}>
          {t("sources.actions.delete")}
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t("sources.deleteSource.title", { name: source.name })}
        detail={t("sources.deleteSource.detail", { count: source.documentCount })}
        action={t("sources.deleteSource.action", { count: source.documentCount })}
        busy={remove.isPending && t("sources.deleteSource.busy")}
        onConfirm={() => remove.mutate(source.id, { onSettled: () => setAsking(false) })}
      />
    </>
  );
}
