import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, MessageSquareText, Minus, Pencil, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { catalogueChangesQuery } from "@/api/queries/catalogue";
import type { CatalogueChange } from "@/api/types";
import { Button } from "@/ui/Button";
import { Time } from "@/ui/Time";

const ICONS = {
  table_added: Plus,
  column_added: Plus,
  table_removed: Minus,
  column_removed: Minus,
  column_changed: Pencil,
  keys_changed: KeyRound,
  comment_changed: MessageSquareText,
} as const;

/** What was different each time the tables were read again, the newest first. Nothing is shown before the first change. */
export function SchemaChanges({ connectionId }: { connectionId: string }) {
  const { t } = useTranslation();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    catalogueChangesQuery(connectionId),
  );
  const changes = data?.pages.flatMap((page) => page.items) ?? [];
  if (changes.length === 0) return null;
  return (
    <section className="mt-7">
      <div className="flex flex-wrap items-baseline gap-x-2 mb-2.5">
        <h2 className="font-strong text-md">{t("databases.changes.title")}</h2>
        <span className="text-xs text-ink-3">{t("databases.changes.lead")}</span>
      </div>
      <ul className="border-t border-line">
        {changes.map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          size="sm"
          tone="quiet"
          className="mt-2"
          busy={isFetchingNextPage && t("common.loading")}
          onClick={() => void fetchNextPage()}
        >
          {t("databases.changes.more")}
        </Button>
      )}
    </section>
  );
}

function Change({ change }: { change: CatalogueChange }) {
  const { t } = useTranslation();
  const Icon = ICONS[change.kind];
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2 border-b border-line">
      <span className="inline-flex items-center gap-1.5 w-[10.5rem] max-sm:w-full text-xs font-medium text-ink-2">
        <Icon size={14} className="text-ink-3" aria-hidden />
        {t(`databases.changes.kinds.${change.kind}`)}
      </span>
      <code className="break-all">{change.thing.replace(/^public\./, "")}</code>
      <span className="grow min-w-0 text-ink-2 break-words">{change.detail}</span>
      <span className="text-xs text-ink-3">
        <Time iso={change.noticedAt} />
      </span>
    </li>
  );
}
