import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { sourceDocumentsQuery, useDeleteDocument } from "@/api/queries/documents";
import { isReading } from "@/api/queries/sources";
import type { Source, SourceDocument } from "@/api/types";
import { Button } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/Dialog";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { ErrorState } from "@/ui/States";
import { showToast } from "@/ui/Toast";
import { DocumentRow } from "./DocumentRow";

/** The documents of a source, those in trouble first. */
export function DocumentList({ source }: { source: Source }) {
  const { t } = useTranslation();
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    sourceDocumentsQuery(source.id, isReading(source)),
  );
  const [asked, setAsked] = useState<SourceDocument | null>(null);
  const [asking, setAsking] = useState(false);
  const remove = useDeleteDocument();
  if (error) {
    return (
      <div className="p-4">
        <ErrorState title={t("sources.document.loadFailed")} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) return <RowShapes />;
  const documents = data.pages.flatMap((page) => page.items);
  return (
    <>
      <ul className="px-4 md:pl-0">
        {documents.map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            onDelete={() => {
              setAsked(document);
              setAsking(true);
            }}
          />
        ))}
      </ul>
      {hasNextPage && (
        <div className="px-4 md:pl-7 py-2.5">
          <Button
            size="sm"
            tone="quiet"
            busy={isFetchingNextPage && t("common.loading")}
            onClick={() => void fetchNextPage()}
          >
            {t("sources.document.more")}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t("sources.document.deleteTitle", { name: asked?.name ?? "" })}
        detail={t("sources.document.deleteDetail")}
        action={t("sources.document.deleteAction")}
        busy={remove.isPending && t("sources.deleteSource.busy")}
        onConfirm={() => {
          if (!asked) return;
          remove.mutate(asked.id, {
            onSuccess: () => showToast(t("sources.document.deleted", { name: asked.name })),
            onSettled: () => setAsking(false),
          });
        }}
      />
    </>
  );
}

function RowShapes() {
  return (
    <Waiting>
      <div className="grid gap-5 px-4 md:pl-0 py-4">
        <Skeleton className="w-1/2" />
        <Skeleton className="w-2/5" />
        <Skeleton className="w-1/3" />
      </div>
    </Waiting>
  );
}
