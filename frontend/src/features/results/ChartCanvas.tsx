import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Config, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
import { separatorsOf } from "@/lib/decimals";
import { usePreferences } from "@/ui/hooks";
import type { Chart } from "./model/chart";
import { specOf, timeWords } from "./model/chartSpec";
import { inksOf } from "./model/inks";

interface ChartCanvasProps {
  chart: Chart;
  label: string;
  describedBy: string;
  /** A bar, dot or corner was pressed. */
  onPick: (name: string) => void;
}

/** The picture itself, on a canvas: expressions are interpreted, as the content policy forbids compiling them. */
export function ChartCanvas({ chart, label, describedBy, onPick }: ChartCanvasProps) {
  const { i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const scheme = useScheme();
  const picked = useEffectEvent(onPick);
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours follow the scheme
  useEffect(() => {
    const host = box.current;
    if (!host || width === 0) return undefined;
    const number = { ...separatorsOf(i18n.language), grouping: [3], currency: ["", ""] as [string, string] };
    const locale = {
      number: {
        decimal: number.decimal,
        thousands: number.group,
        grouping: number.grouping,
        currency: number.currency,
      },
      time: timeWords(i18n.language),
    };
    const { spec } = compile(specOf(chart, inksOf(host), width));
    const runtime = parse(spec, { locale } as Config, { ast: true });
    const view = new View(runtime, {
      expr: expressionInterpreter,
      renderer: "canvas",
      container: host,
      hover: true,
    });
    view.addEventListener("click", (_event, item) => {
      const datum: unknown = item?.datum;
      if (typeof datum === "object" && datum && "name" in datum) picked(String(datum.name));
    });
    void view.runAsync();
    return () => {
      view.finalize();
      host.replaceChildren();
    };
  }, [chart, width, scheme, i18n.language]);
  return (
    <div className="overflow-hidden" role="img" aria-label={label} aria-describedby={describedBy}>
      <div ref={box} />
    </div>
  );
}

/** The width there is for the picture, in whole pixels; it follows the window and the rail beside it. */
function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const outer = box.current?.parentElement;
    if (!outer) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.floor(outer.clientWidth)));
    observer.observe(outer);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

/** Changes when the page turns light or dark, by choice or with the system. */
function useScheme(): string {
  const { theme } = usePreferences();
  const [dark, setDark] = useState(false);
  useEffect(() => {
    const media = window.matchMedia("(prefers-color-scheme: dark)");
    const follow = () => setDark(media.matches);
    follow();
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, []);
  return `${theme}/${dark}`;
}
