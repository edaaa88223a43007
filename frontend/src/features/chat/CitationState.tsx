import { History, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Citation } from "@/api/generated";
import { Badge } from "@/ui/Badge";

/** Says that the cited document is another one now, or none. */
export function CitationState({ citation: { documentState } }: { citation: Citation }) {
  const { t } = useTranslation();
  if (documentState !== "changed" && documentState !== "removed") return null;
  const Icon = documentState === "changed" ? History : Trash2;
  return (
    <span className="block mt-1.5">
      <Badge tone="warn" icon={<Icon aria-hidden />}>
        {t(`chat.citation.${documentState}`)}
      </Badge>
    </span>
  );
}
