import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Figure, QueryRows, Turn } from "@/api/generated";
import { formatValue } from "@/features/results/model/values";
import { HoverCard } from "@/ui/HoverCard";
import { resultOf, useCitations } from "./CitationContext";

interface FigureLinkProps {
  figure: Figure;
  /** Its place in the turn's figures. */
  position: number;
  children: ReactNode;
}

/** A number of the answer that stands in a result, or follows from one: it opens the rows with its cells in yellow. */
export function FigureLink({ figure, position, children }: FigureLinkProps) {
  const { t } = useTranslation();
  const { chatId, turn } = useCitations();
  const mark = figure.refs[0]?.split(":")[0] ?? "";
  const result = resultOf(turn, mark);
  if (!turn || !result) return <span>{children}</span>;
  const link = (
    <Link
      to="/chat/$chatId"
      params={{ chatId }}
      search={{ turn: turn.id, citation: mark, figure: position }}
      resetScroll={false}
      className="figure"
    >
      {children}
      <span className="sr-only">
        {" "}
        {t(`chat.figure.${figure.kind === "cell" ? "cell" : "derived"}`, { mark })}
      </span>
    </Link>
  );
  return (
    <HoverCard trigger={link}>
      <FigureCard turn={turn} figure={figure} result={result} />
    </HoverCard>
  );
}

const SHOWN = 5;

function FigureCard({ turn, figure, result }: { turn: Turn; figure: Figure; result: QueryRows }) {
  const { t, i18n } = useTranslation();
  const cells = figure.refs.flatMap((ref) => cellAt(turn, ref, i18n.language) ?? []);
  return (
    <div data-citation-card>
      <div className="flex items-center gap-2">
        <span className="mark is-query m-0">{result.mark}</span>
        <b className="font-strong truncate grow">{result.title || t("results.untitled")}</b>
      </div>
      {figure.formula && <p className="mt-2 font-mono text-xs break-words">{typeset(figure.formula)}</p>}
      <dl className="mt-2.5 grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 tabular-nums">
        {cells.slice(0, SHOWN).map((cell) => (
          <div key={cell.ref} className="contents">
            <dt className="text-ink-3 truncate">{cell.name}</dt>
            <dd className="text-right">
              <mark>{cell.value}</mark>
            </dd>
          </div>
        ))}
      </dl>
      {cells.length > SHOWN && (
        <p className="text-xs text-ink-3 mt-1">{t("chat.figure.more", { count: cells.length - SHOWN })}</p>
      )}
    </div>
  );
}

/** Arithmetic with the signs of print: the minus is not a hyphen. */
function typeset(formula: string): string {
  return formula.replaceAll(" - ", " − ").replaceAll(" * ", " × ");
}

/** A cell with the names of its row and column: the row is called by its first other value that is no number. */
function cellAt(
  turn: Turn,
  ref: string,
  locale: string,
): { ref: string; name: string; value: string } | null {
  const [mark = "", row, column] = ref.split(":");
  const result = resultOf(turn, mark);
  const cells = result?.rows[Number(row)];
  const head = result?.columns[Number(column)];
  const value = cells?.[Number(column)];
  if (!cells || !head || row === undefined || column === undefined) return null;
  const called = cells.find((cell, at) => at !== Number(column) && cell && !/^[-+\d.,]*$/.test(cell));
  return {
    ref,
    name: [called, head.name].filter(Boolean).join(", "),
    value: value === null || value === undefined ? "null" : formatValue(value, head, locale),
  };
}
