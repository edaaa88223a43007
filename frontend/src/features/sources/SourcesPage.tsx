import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { FolderUp, Upload } from "lucide-react";
import { useTranslation } from "react-i18next";
import { connectorsQuery, isReading, needsHand, sourcesQuery } from "@/api/queries/sources";
import type { Source } from "@/api/types";
import { fileSize, kindNames } from "@/lib/files";
import { Button } from "@/ui/Button";
import { Page } from "@/ui/Page";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { EmptyState, ErrorState } from "@/ui/States";
import { SourceRow } from "./SourceRow";
import { useUploads } from "./UploadProvider";

const route = getRouteApi("/shell/sources");
const NONE_OPEN = "none";

/** What the workspace reads, how it stands, and the way to add more. */
export function SourcesPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(sourcesQuery);
  const { mayUpload, chooseFiles, chooseFolder } = useUploads();
  const sources = data?.items;
  const actions = mayUpload && (
    <>
      <Button icon={<FolderUp size={16} aria-hidden />} onClick={chooseFolder}>
        {t("sources.uploadFolder")}
      </Button>
      <Button tone="primary" icon={<Upload size={16} aria-hidden />} onClick={chooseFiles}>
        {t("sources.uploadFiles")}
      </Button>
    </>
  );
  return (
    <Page
      title={t("sources.title")}
      lead={sources ? <Standing sources={sources} /> : t("sources.loading")}
      actions={actions}
    >
      {error && <ErrorState title={t("common.failed.page")} error={error} onRetry={() => void refetch()} />}
      {!error && !sources && <RowShapes />}
      {sources && sources.length > 0 && <SourceList sources={sources} />}
      {sources && <AddFiles first={sources.every((source) => source.documentCount === 0)} />}
    </Page>
  );
}

/** One sentence on how things stand, then the one thing that matters most. */
function Standing({ sources }: { sources: readonly Source[] }) {
  const { t } = useTranslation();
  const { mayUpload } = useUploads();
  const documents = sources.reduce((sum, source) => sum + source.documentCount, 0);
  if (documents === 0 && !sources.some(isReading))
    return t(mayUpload ? "sources.nothing" : "sources.nothingYet");
  const failed = sources.reduce((sum, source) => sum + (source.pass?.failed ?? 0), 0);
  const held = failed || sources.filter(needsHand).length;
  const rest = sources.some(isReading)
    ? t("sources.reading")
    : held > 0
      ? t("sources.troubled", { count: held })
      : t("sources.allCurrent");
  const counted = t("sources.inSources", {
    documents: t("sources.documents", { count: documents }),
    count: sources.length,
  });
  return `${counted} ${rest}`;
}

function SourceList({ sources }: { sources: readonly Source[] }) {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const unopened = sources.length === 1 ? sources[0]?.id : sources.find(needsHand)?.id;
  const current = open ?? unopened ?? NONE_OPEN;
  return (
    <ul className="bg-raised border border-line rounded-md shadow-page overflow-hidden">
      {sources.map((source) => (
        <SourceRow
          key={source.id}
          source={source}
          open={source.id === current}
          onToggle={() =>
            void navigate({ search: { open: source.id === current ? NONE_OPEN : source.id }, replace: true })
          }
        />
      ))}
    </ul>
  );
}

function AddFiles({ first }: { first: boolean }) {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(connectorsQuery);
  const { mayUpload, chooseFiles } = useUploads();
  if (!mayUpload) return <p className="text-ink-2 mt-6">{t("sources.viewer")}</p>;
  const words = {
    kinds: kindNames(data?.uploads.fileExtensions ?? []),
    size: fileSize(data?.uploads.maxBytes ?? 0, i18n.language),
  };
  if (first) {
    return (
      <div className="mt-6">
        <EmptyState
          icon={<Upload aria-hidden />}
          title={t("sources.empty.title")}
          actions={<Button onClick={chooseFiles}>{t("sources.empty.action")}</Button>}
        >
          {data && t("sources.empty.detail", words)}
        </EmptyState>
      </div>
    );
  }
  return (
    <section className="mt-10">
      <h2 className="font-strong text-md">{t("sources.add.title")}</h2>
      <button
        type="button"
        onClick={chooseFiles}
        className="mt-3 flex w-full items-center gap-3 px-4 py-4 border border-dashed border-line-control rounded-md text-left text-ink-2 hover:bg-hover"
      >
        <Upload size={18} className="text-ink-3" aria-hidden />
        <span>{data && t("sources.add.detail", words)}</span>
      </button>
    </section>
  );
}

function RowShapes() {
  return (
    <Waiting>
      <div className="bg-raised border border-line rounded-md shadow-page px-4 py-5 grid gap-6">
        {[0, 1].map((row) => (
          <div key={row} className="flex items-center gap-4">
            <Skeleton className="size-[38px]" />
            <Skeleton className="w-40" />
            <Skeleton className="w-52 ml-auto" />
          </div>
        ))}
      </div>
    </Waiting>
  );
}
