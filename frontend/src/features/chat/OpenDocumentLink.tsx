import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Citation, Turn } from "@/api/generated";
import { documentTextQuery } from "@/api/queries/documents";
import type { TextRange } from "@/lib/ranges";
import { citedWords, statementsOf } from "./model/passage";
import { answerText } from "./model/turn";

interface OpenDocumentLinkProps {
  turn: Turn;
  citation: Citation;
  /** Which of the sentences that cite it one came from, counted from zero. */
  occurrence?: number;
}

/** The way to the document, at the exact words. There is none where the document is gone. */
export function OpenDocumentLink({ turn, citation, occurrence = 0 }: OpenDocumentLinkProps) {
  const { t } = useTranslation();
  const current = citation.documentState === "current" || citation.documentState === undefined;
  const { data } = useQuery({ ...documentTextQuery(citation.documentId), enabled: current });
  const statement = statementsOf(answerText(turn), citation.index)[occurrence] ?? "";
  const range = useMemo(
    () => exactRange(data?.text, citation.range, statement),
    [data, citation.range, statement],
  );
  if (citation.documentState === "removed") return null;
  return (
    <Link
      to="/documents/$documentId"
      params={{ documentId: citation.documentId }}
      search={range}
      className="inline-flex items-center gap-1.5 h-7 max-sm:h-10 px-2 rounded-sm text-ink text-sm font-medium no-underline hover:bg-hover flex-none"
    >
      {t("chat.citation.open")}
      <ArrowUpRight size={15} aria-hidden />
    </Link>
  );
}

/** The cited words as code points of the document, where its text is here; else the whole passage. */
function exactRange(
  text: string | undefined,
  { start, end }: TextRange,
  statement: string,
): { start: number; end: number } {
  if (!text) return { start, end };
  const passage = [...text].slice(start, end).join("");
  const words = citedWords(passage, statement);
  const from = [...passage.slice(0, words.start)].length;
  return { start: start + from, end: start + from + [...passage.slice(words.start, words.end)].length };
}
