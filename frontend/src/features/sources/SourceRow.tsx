import { ChevronDown, Upload } from "lucide-react";
import { useTranslation } from "react-i18next";
import { sourceName } from "@/api/queries/sources";
import type { Source } from "@/api/types";
import { cx } from "@/lib/cx";
import { IconButton } from "@/ui/Button";
import { initial, Tile } from "@/ui/Tile";
import { DocumentList } from "./DocumentList";
import { SourceHealth } from "./SourceHealth";
import { SourceMenu } from "./SourceMenu";
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
          <h2 className="font-strong text-md truncate">{sourceName(source, t("sources.uploads"))}</h2>
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
