import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Citation, Turn } from "@/api/generated";
import { documentTextQuery } from "@/api/queries/documents";
import type { TextRange } from "@/lib/ranges";
import { citedWords, statementOf } from "./model/passage";
import { answerText } from "./model/turn";

interface OpenDocumentLinkProps {
  turn: Turn;
  citation: Citation;
}

/** The way to the document, at the exact words. There is none where the document is gone. */
export function OpenDocumentLink({ turn, citation }: OpenDocumentLinkProps) {
  const { t } = useTranslation();
  const current = citation.documentState === "current" || citation.documentState === undefined;
  const { data } = useQuery({ ...documentTextQuery(citation.documentId), enabled: current });
  const range = useMemo(() => exactRange(data?.text, turn, citation), [data, turn, citation]);
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
function exactRange(text: string | undefined, turn: Turn, citation: Citation): TextRange {
  const { start, end } = citation.range;
  if (!text) return { start, end };
  const passage = [...text].slice(start, end).join("");
  const words = citedWords(passage, statementOf(answerText(turn), citation.index));
  const from = [...passage.slice(0, words.start)].length;
  return { start: start + from, end: start + from + [...passage.slice(words.start, words.end)].length };
}
