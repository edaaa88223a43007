import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { documentQuery, documentTextQuery } from "@/api/queries/documents";
import type { SourceDocument } from "@/api/types";
import type { TextRange } from "@/lib/ranges";
import { usePageTitle, useWiderThan } from "@/ui/hooks";
import { Sheet } from "@/ui/Sheet";
import { ErrorState } from "@/ui/States";
import { About } from "./About";
import { ChunkList } from "./ChunkList";
import { DeleteDocument } from "./DeleteDocument";
import { DocumentBar } from "./DocumentBar";
import { DocumentView } from "./DocumentView";
import { DocumentMissing, DocumentShapes, DocumentState } from "./states";

const route = getRouteApi("/shell/documents/$documentId");

/** A document as a reader knows it, at the cited words; beside it what it is and what can be done with it. */
export function DocumentPage() {
  const { documentId } = route.useParams();
  const { data: document, error, refetch } = useQuery(documentQuery(documentId));
  const { t } = useTranslation();
  usePageTitle(document?.title ?? t("documents.view"));
  if (error && "status" in error && error.status === 404) return <DocumentMissing />;
  if (error && !document) {
    return (
      <div className="p-6">
        <ErrorState title={t("documents.loadFailed")} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!document) return <DocumentShapes />;
  return <LoadedDocument key={documentId} document={document} />;
}

type Layer = "contents" | "about" | "find" | "delete" | null;

function LoadedDocument({ document }: { document: SourceDocument }) {
  const { t } = useTranslation();
  const { start, end, view } = route.useSearch();
  const wide = useWiderThan("75rem");
  const [layer, setLayer] = useState<Layer>(null);
  const text = useQuery({
    ...documentTextQuery(document.id, document.lastIndexedAt),
    enabled: document.lastIndexedAt !== null,
  });
  const range: TextRange | null = start !== undefined && end !== undefined ? { start, end } : null;
  const close = () => setLayer(null);
  const about = <About document={document} range={range} onDelete={() => setLayer("delete")} />;
  return (
    <div className="flex grow min-h-0">
      <section aria-label={document.title} className="flex flex-col grow min-w-0">
        <DocumentBar document={document} readable={text.data !== undefined} onOpen={setLayer} />
        <DocumentState document={document} />
        {text.error && (
          <div className="p-6">
            <ErrorState
              title={t("documents.loadFailed")}
              error={text.error}
              onRetry={() => void text.refetch()}
            />
          </div>
        )}
        {text.isLoading && <DocumentShapes />}
        {text.data && view === "text" && <ChunkList document={document} text={text.data} range={range} />}
        {text.data && view !== "text" && (
          <DocumentView
            document={document}
            text={text.data.text}
            range={range}
            finding={layer === "find"}
            contentsOpen={layer === "contents"}
            onClose={close}
          />
        )}
      </section>
      {wide ? (
        <aside
          aria-label={t("documents.about")}
          className="w-[21rem] flex-none bg-desk border-l border-line overflow-y-auto"
        >
          {about}
        </aside>
      ) : (
        <Sheet
          side="bottom"
          title={t("documents.about")}
          open={layer === "about"}
          onOpenChange={(open) => !open && close()}
        >
          {about}
        </Sheet>
      )}
      <DeleteDocument document={document} open={layer === "delete"} onClose={close} />
    </div>
  );
}
