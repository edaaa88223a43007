import { RefreshCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useRefreshCatalogue } from "@/api/queries/catalogue";
import type { CatalogueStatus } from "@/api/types";
import { IconButton } from "@/ui/Button";
import { Time } from "@/ui/Time";
import { useMay } from "./useMay";

/** How old the knowledge of the tables is, with the way to renew it. */
export function CatalogueAge({ connectionId, status }: { connectionId: string; status: CatalogueStatus }) {
  const { t } = useTranslation();
  const { manage } = useMay();
  const refresh = useRefreshCatalogue(connectionId);
  if (!status.takenAt) return null;
  return (
    <div className="flex-none mt-auto flex items-center justify-between gap-2 border-t border-line pl-[19px] pr-2 min-h-9 text-xs text-ink-3">
      <span className="truncate">
        {t("databases.catalogue.read")} <Time iso={status.takenAt} />
      </span>
      {manage && (
        <IconButton
          size="sm"
          label={t("databases.catalogue.again")}
          disabled={refresh.isPending || status.state === "reading"}
          icon={
            <RefreshCw size={14} className={status.state === "reading" ? "spin" : undefined} aria-hidden />
          }
          onClick={() => refresh.mutate()}
        />
      )}
    </div>
  );
}
