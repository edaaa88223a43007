import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useDeleteDocument } from "@/api/queries/documents";
import type { SourceDocument } from "@/api/types";
import { ConfirmDialog } from "@/ui/Dialog";
import { showToast } from "@/ui/Toast";

interface DeleteDocumentProps {
  document: SourceDocument;
  open: boolean;
  onClose: () => void;
}

/** Asks before a document goes; afterwards the sources are shown. A refusal is said in the server's words. */
export function DeleteDocument({ document, open, onClose }: DeleteDocumentProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteDocument();
  const run = async () => {
    try {
      await remove.mutateAsync(document.id);
    } catch {
      return onClose();
    }
    showToast(t("documents.delete.done", { name: document.name }));
    return navigate({ to: "/sources" });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t("documents.delete.title", { name: document.name })}
      detail={t("documents.delete.detail")}
      action={t("documents.delete.action")}
      busy={remove.isPending && t("documents.delete.busy")}
      onConfirm={() => void run()}
    />
  );
}
