import { useTranslation } from "react-i18next";
import { Badge } from "@/ui/Badge";
import type { ShownResult } from "./model/shown";

/** Says that a result is not whole, and what of it is missing. */
export function CutNote({ result }: { result: Pick<ShownResult, "truncatedReason" | "rowCount"> }) {
  const { t } = useTranslation();
  if (result.truncatedReason === null) return null;
  const reason = result.truncatedReason;
  return (
    <span title={t(`results.cut.${reason}Help`)}>
      <Badge tone="warn">{t(`results.cut.${reason}`, { count: result.rowCount })}</Badge>
    </span>
  );
}
