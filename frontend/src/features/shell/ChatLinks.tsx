import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { chatsQuery } from "@/api/queries/chats";
import type { Chat } from "@/api/types";
import { type DayGroup, dayGroup } from "@/lib/time";
import { Button } from "@/ui/Button";
import { Skeleton, Waiting } from "@/ui/Skeleton";

const DAYS: readonly DayGroup[] = ["today", "yesterday", "week", "month", "older"];

/** The chats of the person, by the day they were last touched. */
export function ChatLinks() {
  const { t } = useTranslation();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage, isPending } = useInfiniteQuery(chatsQuery);
  const chats = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const groups = useMemo(() => groupByDay(chats), [chats]);
  if (isPending) {
    return (
      <Waiting>
        <div className="flex flex-col gap-4 p-2 pt-4">
          <Skeleton className="w-3/4" />
          <Skeleton className="w-1/2" />
          <Skeleton className="w-2/3" />
        </div>
      </Waiting>
    );
  }
  if (chats.length === 0) {
    return (
      <section aria-label={t("shell.chats")} className="px-2 pt-3">
        <h2 className="caps">{t("shell.chats")}</h2>
        <p className="text-xs text-ink-3 mt-2">{t("shell.noChats")}</p>
      </section>
    );
  }
  return (
    <nav aria-label={t("shell.chats")}>
      {groups.map(([day, items]) => (
        <section key={day}>
          <h2 className="caps px-2 pt-3 pb-1">{t(`shell.days.${day}`)}</h2>
          <ul className="flex flex-col gap-px">
            {items.map((chat) => (
              <li key={chat.id}>
                <Link
                  to="/chat/$chatId"
                  params={{ chatId: chat.id }}
                  className="flex items-center h-[29px] max-md:h-10 max-md:text-md px-2 rounded-sm text-ink-2 no-underline hover:bg-hover hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink aria-[current=page]:font-strong aria-[current=page]:ring-1 aria-[current=page]:ring-line aria-[current=page]:shadow-page"
                >
                  <span className="truncate">{chat.title || t("shell.newQuestion")}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <Button
          tone="quiet"
          size="sm"
          busy={isFetchingNextPage && t("common.loading")}
          onClick={() => void fetchNextPage()}
          className="mt-2"
        >
          {t("shell.moreChats")}
        </Button>
      )}
    </nav>
  );
}

function groupByDay(chats: readonly Chat[]): [DayGroup, Chat[]][] {
  const now = new Date();
  const days = chats.map((chat) => dayGroup(chat.updatedAt, now));
  return DAYS.map((day): [DayGroup, Chat[]] => [
    day,
    chats.filter((_chat, index) => days[index] === day),
  ]).filter(([, items]) => items.length > 0);
}
