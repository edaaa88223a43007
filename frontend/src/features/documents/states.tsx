import { Link } from "@tanstack/react-router";
import { CircleAlert, FileX, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isBusy, useRetryDocument } from "@/api/queries/documents";
import type { SourceDocument } from "@/api/types";
import { Button, buttonClass } from "@/ui/Button";
import { NarrowBar } from "@/ui/Page";
import { Skeleton, Waiting } from "@/ui/Skeleton";
import { Banner, EmptyState } from "@/ui/States";
import { useMayWrite } from "./useMayWrite";

/** How a document stands where it is not simply there to be read. */
export function DocumentState({ document }: { document: SourceDocument }) {
  const { t } = useTranslation();
  const mayWrite = useMayWrite();
  const retry = useRetryDocument();
  if (isBusy(document)) {
    return (
      <div className="p-4 flex-none">
        <Banner tone="accent" icon={<LoaderCircle size={18} className="spin" aria-hidden />}>
          {t(document.lastIndexedAt ? "documents.readAgain" : "documents.notReady")}
        </Banner>
      </div>
    );
  }
  if (!document.failure) return null;
  return (
    <div className="p-4 flex-none">
      <Banner
        tone={document.state === "needs_ocr" ? "warn" : "bad"}
        icon={<CircleAlert size={18} aria-hidden />}
        actions={
          mayWrite && (
            <Button
              size="sm"
              busy={retry.isPending && t("documents.retrying")}
              onClick={() => retry.mutate(document.id)}
            >
              {t("documents.retry")}
            </Button>
          )
        }
      >
        <b className="font-strong">{t("documents.failed")}.</b> {document.failure.detail}
      </Banner>
    </div>
  );
}

export function DocumentMissing() {
  const { t } = useTranslation();
  return (
    <>
      <NarrowBar title={t("documents.missing.title")} />
      <div className="p-10 max-sm:p-4">
        <EmptyState
          icon={<FileX aria-hidden />}
          title={t("documents.missing.title")}
          actions={
            <>
              <Link to="/sources" className={buttonClass("plain")}>
                {t("documents.missing.sources")}
              </Link>
              <Link to="/search" className={buttonClass("quiet")}>
                {t("documents.missing.search")}
              </Link>
            </>
          }
        >
          {t("documents.missing.detail")}
        </EmptyState>
      </div>
    </>
  );
}

/** The shape of a page to come. */
export function DocumentShapes() {
  return (
    <div className="grow bg-desk max-sm:bg-paper px-10 py-6 max-sm:px-0 max-sm:py-0">
      <Waiting>
        <div className="bg-raised max-sm:bg-paper shadow-page max-sm:shadow-none rounded-xs max-w-[46rem] mx-auto p-14 max-sm:p-5 grid gap-4">
          <Skeleton className="h-5 w-2/5" />
          {["w-full", "w-11/12", "w-10/12", "w-1/4", "w-9/12", "w-4/5"].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
      </Waiting>
    </div>
  );
}
