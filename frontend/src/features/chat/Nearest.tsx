import { Link } from "@tanstack/react-router";
import { FileSearch } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/generated";
import { isQuoting } from "./models";

/** For an answer that is not in the documents: what was searched, and the headings that come nearest. */
export function Nearest({ turn }: { turn: Turn }) {
  const { t } = useTranslation();
  if (!turn.notFound) return null;
  const { searched, nearest } = turn.notFound;
  return (
    <section className="mt-5" aria-label={t("chat.notFound.nearest")}>
      {!isQuoting({ id: turn.modelUsed ?? turn.modelId }) && (
        <p className="text-sm text-ink-2 mb-4">
          {t("chat.notFound.searched", { count: searched.sourceCount })}
        </p>
      )}
      {nearest.length > 0 && (
        <>
          <h3 className="caps">{t("chat.notFound.nearest")}</h3>
          <ul className="mt-1.5 border-t border-line list-none">
            {nearest.map((match) => (
              <li key={`${match.documentId}${match.heading}`} className="border-b border-line">
                <Link
                  to="/documents/$documentId"
                  params={{ documentId: match.documentId }}
                  className="flex items-center gap-3 py-2.5 px-0.5 text-ink no-underline hover:bg-hover"
                >
                  <FileSearch size={16} className="text-ink-3 flex-none" aria-hidden />
                  <span className="min-w-0">
                    <span className="block font-medium truncate">{match.heading || match.title}</span>
                    <span className="block text-xs text-ink-3 truncate">
                      {match.author
                        ? t("chat.notFound.owner", { title: match.title, author: match.author })
                        : match.title}
                    </span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
