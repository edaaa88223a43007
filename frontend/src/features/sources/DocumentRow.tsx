import { Link, useNavigate } from "@tanstack/react-router";
import {
  Check,
  CircleAlert,
  Clock,
  Download,
  Ellipsis,
  FileText,
  LoaderCircle,
  RefreshCw,
  ScanText,
  Sheet,
  SquareArrowOutUpRight,
  Trash2,
} from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useRetryDocument } from "@/api/queries/documents";
import type { SourceDocument } from "@/api/types";
import { Status } from "@/ui/Badge";
import { IconButton } from "@/ui/Button";
import { Menu, MenuItem, MenuLine } from "@/ui/Menu";
import { Time } from "@/ui/Time";
import { useUploads } from "./UploadProvider";

interface DocumentRowProps {
  document: SourceDocument;
  onDelete: () => void;
}

const SPINNER = <LoaderCircle className="spin" aria-hidden />;
const LOOKS: Record<
  SourceDocument["state"],
  { tone: "good" | "warn" | "bad" | "run" | "off"; icon: ReactNode }
> = {
  queued: { tone: "off", icon: <Clock aria-hidden /> },
  reading: { tone: "run", icon: SPINNER },
  indexing: { tone: "run", icon: SPINNER },
  ready: { tone: "good", icon: <Check aria-hidden /> },
  failed: { tone: "bad", icon: <CircleAlert aria-hidden /> },
  needs_ocr: { tone: "warn", icon: <ScanText aria-hidden /> },
};

/** One document: its name, who added it and when, how it stands; where it failed the reason with the way out beside it. */
export function DocumentRow({ document, onDelete }: DocumentRowProps) {
  const { t } = useTranslation();
  const { mayUpload } = useUploads();
  const { tone, icon } = LOOKS[document.state];
  const Icon = document.type === "csv" ? Sheet : FileText;
  return (
    <li className="border-b border-line last:border-b-0 py-1.5">
      <div className="flex items-center gap-3 min-h-8">
        <Icon size={16} className="text-ink-2" aria-hidden />
        <Link
          to="/documents/$documentId"
          params={{ documentId: document.id }}
          title={document.name}
          className="grow min-w-0 truncate text-md no-underline hover:underline rounded-xs"
        >
          {document.name}
        </Link>
        <span className="text-xs text-ink-3 truncate max-md:hidden">
          {document.author && t("sources.document.byAuthor", { author: document.author })}{" "}
          <Time iso={document.updatedAt} />
        </span>
        <span className="md:w-28 flex-none">
          <Status tone={tone} icon={icon}>
            {t(`sources.states.${document.state}`)}
          </Status>
        </span>
        {mayUpload && <DocumentMenu document={document} onDelete={onDelete} />}
      </div>
      <Reason document={document} onDelete={onDelete} />
    </li>
  );
}

const LINK = "text-accent underline underline-offset-[3px] decoration-1";

function Reason({ document, onDelete }: DocumentRowProps) {
  const { t } = useTranslation();
  const { mayUpload } = useUploads();
  const retry = useRetryDocument();
  if (!document.failure) {
    if (document.notes.length === 0) return null;
    return <p className="text-xs text-ink-3 ml-7 pb-1">{document.notes.join(" ")}</p>;
  }
  return (
    <p className="text-xs text-ink-2 ml-7 pb-1.5 flex flex-wrap gap-x-3">
      <span>{document.failure.detail}</span>
      {mayUpload && (
        <>
          <button
            type="button"
            className={LINK}
            disabled={retry.isPending}
            onClick={() => retry.mutate(document.id)}
          >
            {t("sources.document.retry")}
          </button>
          <button type="button" className={LINK} onClick={onDelete}>
            {t("sources.document.remove")}
          </button>
        </>
      )}
    </p>
  );
}

function DocumentMenu({ document, onDelete }: DocumentRowProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const retry = useRetryDocument();
  const broken = document.state === "failed" || document.state === "needs_ocr";
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          label={t("common.actions", { name: document.name })}
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      <MenuItem
        icon={<SquareArrowOutUpRight size={16} />}
        onClick={() => void navigate({ to: "/documents/$documentId", params: { documentId: document.id } })}
      >
        {t("sources.document.open")}
      </MenuItem>
      <MenuItem
        icon={<Download size={16} />}
        onClick={() => window.location.assign(`/api/documents/${document.id}/original`)}
      >
        {t("sources.document.download")}
      </MenuItem>
      {broken && (
        <MenuItem icon={<RefreshCw size={16} />} onClick={() => retry.mutate(document.id)}>
          {t("sources.document.retry")}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem tone="bad" icon={<Trash2 size={16} />} onClick={onDelete}>
        {t("sources.document.delete")}
      </MenuItem>
    </Menu>
  );
}
