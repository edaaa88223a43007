import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { NewExport, ResultOrder } from "@/api/generated";
import { exportStatement } from "@/api/queries/statements";
import { download } from "@/lib/files";
import { IconButton } from "@/ui/Button";
import { useFailure } from "@/ui/failure";
import { Menu, MenuItem } from "@/ui/Menu";
import { showErrorToast, showToast } from "@/ui/Toast";

export interface ExportMenuProps {
  databaseConnectionId: string;
  sql: string;
  orderBy?: ResultOrder | null;
}

/** The whole result as a file: the statement runs anew, past the rows that the screen shows. */
export function ExportMenu({ databaseConnectionId, sql, orderBy = null }: ExportMenuProps) {
  const { t } = useTranslation();
  const failure = useFailure();
  const save = useMutation({
    mutationFn: (format: NewExport["format"]) =>
      exportStatement(databaseConnectionId, { sql, format, orderBy }),
    meta: { shownInPlace: true },
    onSuccess: ({ name, file }) => {
      download(name, file);
      showToast(t("results.export.done", { name }));
    },
    onError: (error) => {
      const { detail, requestId } = failure(error);
      showErrorToast(t("results.export.failed"), detail, requestId);
    },
  });
  const label = t(save.isPending ? "results.export.running" : "results.export.label");
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          label={label}
          disabled={save.isPending}
          aria-busy={save.isPending || undefined}
          icon={<Download size={15} aria-hidden className={save.isPending ? "animate-pulse" : undefined} />}
        />
      }
    >
      <MenuItem onClick={() => save.mutate("csv")}>{t("results.export.csv")}</MenuItem>
      <MenuItem onClick={() => save.mutate("xlsx")}>{t("results.export.xlsx")}</MenuItem>
    </Menu>
  );
}
