import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import { sqlTokens } from "./model/sqlTokens";
import { useFormattedSql } from "./useFormattedSql";

export interface SqlBlockProps {
  sql: string;
  /** Shows the text exactly as it was written instead of set out over lines. */
  asWritten?: boolean;
  className?: string;
}

/** A statement to read: coloured, and set out over lines once the formatter is here. */
export function SqlBlock({ sql, asWritten = false, className }: SqlBlockProps) {
  const { t } = useTranslation();
  const shown = useFormattedSql(sql, !asWritten);
  const tokens = useMemo(() => sqlTokens(asWritten ? sql : shown), [asWritten, sql, shown]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and a landmark for every statement too many
    <div role="group" tabIndex={0} aria-label={t("results.sql.label")} className={cx("sql", className)}>
      <code>
        {tokens.map(({ kind, text }, at) => {
          const key = at;
          return kind === "plain" ? (
            text
          ) : (
            <span key={key} className={`is-${kind}`}>
              {text}
            </span>
          );
        })}
      </code>
    </div>
  );
}
