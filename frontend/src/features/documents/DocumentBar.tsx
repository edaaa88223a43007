import { getRouteApi, useCanGoBack, useRouter } from "@tanstack/react-router";
import { ChevronLeft, Download, Ellipsis, Info, List, Search, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SourceDocument } from "@/api/types";
import { ownPath } from "@/lib/links";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { useWiderThan } from "@/ui/hooks";
import { Menu, MenuItem, MenuLine } from "@/ui/Menu";
import { Segments } from "@/ui/Segments";
import { useMayWrite } from "./useMayWrite";

const route = getRouteApi("/shell/documents/$documentId");

type Opens = "contents" | "about" | "find" | "delete";

interface DocumentBarProps {
  document: SourceDocument;
  /** There is a text to show. */
  readable: boolean;
  onOpen: (layer: Opens) => void;
}

/** Where one came from, what this is, how to see it; on narrow screens the rest is in a menu. */
export function DocumentBar({ document, readable, onOpen }: DocumentBarProps) {
  const { t } = useTranslation();
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  const wide = useWiderThan("75rem");
  const roomy = useWiderThan("56rem");
  const read = readable && view !== "text";
  return (
    <header className="flex items-center gap-2 h-[52px] px-5 max-md:px-2 border-b border-line bg-paper flex-none">
      <Back />
      <h1 title={document.title} className="font-strong text-sm truncate min-w-0">
        {document.title}
      </h1>
      {document.type && (
        <span className="max-md:hidden">
          <Badge>{t(`search.types.${document.type as "markdown"}`)}</Badge>
        </span>
      )}
      <div className="ml-auto flex items-center gap-1 flex-none">
        {readable && (
          <Segments
            label={t("documents.view")}
            value={view ?? "page"}
            options={[
              { value: "page", label: t("documents.read") },
              { value: "text", label: t(roomy ? "documents.text" : "documents.textShort") },
            ]}
            onChange={(value) =>
              void navigate({
                search: ({ view: _view, ...rest }) =>
                  value === "text" ? { ...rest, view: "text" as const } : rest,
                replace: true,
              })
            }
          />
        )}
        {wide && read && (
          <IconButton
            size="sm"
            label={t("documents.find")}
            icon={<Search size={16} aria-hidden />}
            onClick={() => onOpen("find")}
          />
        )}
        {wide ? (
          <DownloadLink document={document} />
        ) : (
          <More document={document} read={read} onOpen={onOpen} />
        )}
      </div>
    </header>
  );
}

function Back() {
  const { t } = useTranslation();
  const { from } = route.useSearch();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const go = () => {
    if (from) router.history.push(ownPath(from));
    else if (canGoBack) router.history.back();
    else void router.navigate({ to: "/sources" });
  };
  const words = from?.startsWith("/chat/")
    ? t("documents.backToAnswer")
    : t(from || canGoBack ? "documents.back" : "documents.toSources");
  return (
    <>
      <Button
        tone="quiet"
        size="sm"
        className="-ml-2 max-md:hidden"
        icon={<ChevronLeft size={16} aria-hidden />}
        onClick={go}
      >
        {words}
      </Button>
      <span aria-hidden className="w-px h-[18px] bg-line flex-none max-md:hidden" />
      <IconButton
        label={words}
        className="md:hidden flex-none"
        icon={<ChevronLeft size={20} aria-hidden />}
        onClick={go}
      />
    </>
  );
}

function originalOf(document: SourceDocument): string {
  return `/api/documents/${document.id}/original`;
}

function DownloadLink({ document }: { document: SourceDocument }) {
  const { t } = useTranslation();
  return (
    <a
      href={originalOf(document)}
      download
      title={t("documents.download")}
      aria-label={t("documents.download")}
      className="grid place-items-center size-(--control-sm) rounded-sm text-ink-2 hover:bg-hover hover:text-ink"
    >
      <Download size={16} aria-hidden />
    </a>
  );
}

function More({
  document,
  read,
  onOpen,
}: {
  document: SourceDocument;
  read: boolean;
  onOpen: (layer: Opens) => void;
}) {
  const { t } = useTranslation();
  const mayWrite = useMayWrite();
  const headed = read && (document.type === "markdown" || document.type === "html");
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          label={t("common.actions", { name: document.title })}
          icon={<Ellipsis size={18} aria-hidden />}
        />
      }
    >
      {headed && (
        <MenuItem icon={<List size={16} />} onClick={() => onOpen("contents")}>
          {t("documents.contents")}
        </MenuItem>
      )}
      {read && (
        <MenuItem icon={<Search size={16} />} onClick={() => onOpen("find")}>
          {t("documents.find")}
        </MenuItem>
      )}
      <MenuItem icon={<Info size={16} />} onClick={() => onOpen("about")}>
        {t("documents.about")}
      </MenuItem>
      <MenuItem icon={<Download size={16} />} onClick={() => window.location.assign(originalOf(document))}>
        {t("documents.download")}
      </MenuItem>
      {mayWrite && (
        <>
          <MenuLine />
          <MenuItem tone="bad" icon={<Trash2 size={16} />} onClick={() => onOpen("delete")}>
            {t("documents.delete.action")}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
