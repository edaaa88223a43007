import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SourceDocument } from "@/api/types";
import { cx } from "@/lib/cx";
import type { TextRange } from "@/lib/ranges";
import { useWiderThan } from "@/ui/hooks";
import { Reader } from "@/ui/reader/Reader";
import { headingId, listHeadings } from "@/ui/reader/segments";
import { Sheet } from "@/ui/Sheet";
import { Contents } from "./Contents";
import { FindBar } from "./FindBar";
import { goToMark } from "./goToMark";

interface DocumentViewProps {
  document: SourceDocument;
  text: string;
  /** The cited place, in Unicode code points. */
  range: TextRange | null;
  finding: boolean;
  contentsOpen: boolean;
  onClose: () => void;
}

/** The document itself with its contents at the left, opened at the cited words. */
export function DocumentView({ document, text, range, finding, contentsOpen, onClose }: DocumentViewProps) {
  const { t } = useTranslation();
  const wide = useWiderThan("75rem");
  const canvas = useRef<HTMLDivElement>(null);
  const [reach, setReach] = useState<{ offset: number } | null>(null);
  const [row, setRow] = useState<number | null>(null);
  const start = range?.start;
  const end = range?.end;
  const ranges = useMemo(
    () => (start !== undefined && end !== undefined ? [{ start, end }] : []),
    [start, end],
  );
  const set = document.type === "markdown" || document.type === "html";
  const headings = useMemo(() => (set ? listHeadings(text) : []), [set, text]);
  useEffect(() => {
    if (ranges.length > 0) goToMark();
  }, [ranges]);
  useEffect(() => {
    if (!reach) return;
    const heading = canvas.current?.querySelector<HTMLElement>(`#${headingId(reach.offset)}`);
    heading?.scrollIntoView({ block: "start" });
    heading?.focus({ preventScroll: true });
  }, [reach]);
  const pick = useCallback(
    (offset: number) => {
      onClose();
      setReach({ offset });
    },
    [onClose],
  );
  const contents = <Contents headings={headings} canvas={canvas} onPick={pick} />;
  const table = document.type === "csv";
  return (
    <div className="flex grow min-h-0">
      {headings.length > 0 && wide && (
        <div className="w-[13rem] flex-none border-r border-line overflow-y-auto px-3 py-4">{contents}</div>
      )}
      {headings.length > 0 && !wide && (
        <Sheet
          side="bottom"
          title={t("documents.contents")}
          open={contentsOpen}
          onOpenChange={(open) => !open && onClose()}
        >
          <div className="overflow-y-auto px-3 py-4">{contents}</div>
        </Sheet>
      )}
      <div className="flex flex-col grow min-w-0">
        {finding && (
          <FindBar
            canvas={canvas}
            table={table ? text : null}
            onRow={setRow}
            onClose={() => {
              setRow(null);
              onClose();
            }}
          />
        )}
        <section
          ref={canvas}
          data-document
          aria-label={t("documents.read")}
          tabIndex={table ? undefined : 0}
          lang={document.language && document.language !== "und" ? document.language : undefined}
          className={cx(
            "grow min-h-0 bg-desk max-sm:bg-paper outline-offset-[-2px]",
            table ? "overflow-hidden" : "overflow-y-auto px-10 py-6 max-md:px-5 max-sm:p-0",
          )}
        >
          {table ? (
            <Reader type={document.type} text={text} ranges={ranges} currentRow={row} />
          ) : (
            <div className="page">
              <Reader
                type={document.type}
                text={text}
                ranges={ranges}
                {...(reach && { reach: reach.offset })}
              />
            </div>
          )}
        </section>
      </div>
    </div>
  );
}
