import { useTranslation } from "react-i18next";
import { exactTime, relativeTime } from "@/lib/time";

/** A moment as its age, with the exact date on hover. */
export function Time({ iso }: { iso: string }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={iso} title={exactTime(iso, i18n.language)}>
      {relativeTime(iso, i18n.language)}
    </time>
  );
}
