import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import { type Heading, headingId } from "@/ui/reader/segments";

interface ContentsProps {
  headings: readonly Heading[];
  /** What scrolls: the headings stand in it. */
  canvas: RefObject<HTMLElement | null>;
  onPick: (offset: number) => void;
}

const INDENTS = ["pl-2", "pl-5", "pl-8"] as const;

/** The headings of the document; the one that is being read is marked. */
export function Contents({ headings, canvas, onPick }: ContentsProps) {
  const { t } = useTranslation();
  const current = useHeadingInView(headings, canvas);
  const top = Math.min(...headings.map((heading) => heading.level));
  return (
    <nav aria-label={t("documents.contents")}>
      <h2 className="caps px-2 pb-1.5">{t("documents.contents")}</h2>
      <ul>
        {headings.map((heading) => (
          <li key={heading.offset}>
            <a
              href={`#${headingId(heading.offset)}`}
              aria-current={heading.offset === current ? "location" : undefined}
              onClick={(event) => {
                event.preventDefault();
                onPick(heading.offset);
              }}
              className={cx(
                "block py-[5px] max-sm:py-2.5 pr-2 rounded-sm leading-[1.35] text-ink-2 no-underline hover:bg-hover",
                INDENTS[Math.min(heading.level - top, 2)],
                heading.offset === current && "bg-accent-soft !text-on-soft font-medium",
              )}
            >
              {heading.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const LINE_PX = 120;

function useHeadingInView(
  headings: readonly Heading[],
  canvas: RefObject<HTMLElement | null>,
): number | undefined {
  const [current, setCurrent] = useState<number>();
  useEffect(() => {
    const scroller = canvas.current;
    if (!scroller) return;
    let frame = 0;
    const look = () => {
      const line = scroller.getBoundingClientRect().top + LINE_PX;
      const passed = headings.findLast(({ offset }) => {
        const heading = document.getElementById(headingId(offset));
        return heading !== null && heading.getBoundingClientRect().top <= line;
      });
      setCurrent(passed?.offset ?? headings[0]?.offset);
    };
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    onScroll();
    scroller.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      scroller.removeEventListener("scroll", onScroll);
    };
  }, [headings, canvas]);
  return current;
}
