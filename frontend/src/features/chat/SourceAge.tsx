import { Trans, useTranslation } from "react-i18next";
import type { Citation } from "@/api/generated";
import { Time } from "@/ui/Time";

/** When the cited document was edited, and by whom. */
export function SourceAge({ citation }: { citation: Citation }) {
  const { t } = useTranslation();
  if (!citation.updatedAt) return <span />;
  return (
    <span>
      <Trans
        t={t}
        i18nKey={citation.author ? "chat.citation.editedBy" : "chat.citation.edited"}
        values={{ author: citation.author }}
        components={{ time: <Time iso={citation.updatedAt} /> }}
      />
    </span>
  );
}
