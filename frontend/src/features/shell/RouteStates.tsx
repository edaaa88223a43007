import { Link, useRouter } from "@tanstack/react-router";
import { MapPinOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "@/ui/Button";
import { EmptyState, ErrorState } from "@/ui/States";

/** In place of a page that failed. */
export function RouteError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const router = useRouter();
  return (
    <div className="p-10 max-sm:p-4">
      <ErrorState title={t("common.failed.page")} error={error} onRetry={() => void router.invalidate()} />
    </div>
  );
}

/** In place of a page that is not there. */
export function RouteNotFound() {
  const { t } = useTranslation();
  return (
    <div className="p-10 max-sm:p-4">
      <EmptyState
        icon={<MapPinOff aria-hidden />}
        title={t("common.notFound.title")}
        actions={
          <Link to="/" className={buttonClass("primary")}>
            {t("common.notFound.home")}
          </Link>
        }
      >
        {t("common.notFound.detail")}
      </EmptyState>
    </div>
  );
}
