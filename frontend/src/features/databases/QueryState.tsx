import { BadgeCheck, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { VerifiedQuery } from "@/api/types";
import { Status } from "@/ui/Badge";

/** Whether a verified query still fits its tables; where not, what changed. */
export function QueryState({ query }: { query: VerifiedQuery }) {
  const { t } = useTranslation();
  if (query.state === "current") {
    return (
      <Status tone="good" icon={<BadgeCheck aria-hidden />}>
        {t("databases.queries.current")}
      </Status>
    );
  }
  return (
    <Status tone="warn" icon={<TriangleAlert aria-hidden />}>
      <span className="whitespace-normal">{query.staleReason ?? t("databases.queries.stale")}</span>
    </Status>
  );
}
