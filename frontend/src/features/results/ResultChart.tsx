import { ChartColumn, ChartLine, ChartScatter } from "lucide-react";
import { lazy, Suspense, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { Segments } from "@/ui/Segments";
import { Skeleton } from "@/ui/Skeleton";
import { type Chart, type ChartKind, chartOf, measuresOf } from "./model/chart";
import type { Column, Row } from "./model/values";
import { ResultTable } from "./ResultTable";

const ChartCanvas = lazy(() => import("./ChartCanvas").then((module) => ({ default: module.ChartCanvas })));

export interface ResultChartProps {
  columns: readonly Column[];
  rows: readonly Row[];
  label: string;
  /** Asks a question of its own for the rows that a bar was made of. */
  onAsk?: ((question: string) => void) | undefined;
}

const ICONS = { bars: ChartColumn, lines: ChartLine, points: ChartScatter } as const;

/** A result drawn: one sensible picture at first, a few others by choice, and the rows behind each of its marks. */
export function ResultChart({ columns, rows, label, onAsk }: ResultChartProps) {
  const { t, i18n } = useTranslation();
  const [kind, setKind] = useState<ChartKind>();
  const [measure, setMeasure] = useState<number>();
  const [picked, setPicked] = useState<string | null>(null);
  const measures = useMemo(() => measuresOf(columns, rows), [columns, rows]);
  const chart = useMemo(
    () => chartOf(columns, rows, { kind, measure, locale: i18n.language }),
    [columns, rows, kind, measure, i18n.language],
  );
  const id = useId();
  const behind = useMemo(
    () => (chart && picked !== null ? rowsBehind(chart, rows, picked) : []),
    [chart, rows, picked],
  );
  if (!chart) return null;
  const sentence = sentenceOf(chart);
  const said = t(`results.chart.said.${chart.kind}`, sentence);
  return (
    <figure className="result-chart">
      <div className="flex flex-wrap items-center gap-2 mb-2">
        <Segments
          label={t("results.chart.kind")}
          value={chart.kind}
          onChange={setKind}
          options={chart.kinds.map((value) => {
            const Icon = ICONS[value];
            return { value, label: t(`results.chart.kinds.${value}`), icon: <Icon aria-hidden /> };
          })}
        />
        {measures.length > 1 && (
          <Choice
            label={t("results.chart.measure")}
            value={measure === undefined ? "" : String(measure)}
            onChange={(value) => setMeasure(value === "" ? undefined : Number(value))}
            options={[
              { value: "", label: t("results.chart.usual") },
              ...measures.map((at) => ({ value: String(at), label: columns[at]?.name ?? "" })),
            ]}
          />
        )}
        {chart.kind !== "points" && (
          <Choice
            label={t("results.chart.rowsOf")}
            value={picked ?? ""}
            onChange={(value) => setPicked(value || null)}
            options={[
              { value: "", label: t("results.chart.pick") },
              ...chart.names.map((name) => ({ value: name, label: name })),
            ]}
          />
        )}
      </div>
      <Suspense fallback={<Skeleton className="h-48 w-full" />}>
        <ChartCanvas chart={chart} label={said} describedBy={id} onPick={setPicked} />
      </Suspense>
      <figcaption id={id} className="text-xs text-ink-3 mt-2">
        {said}
        {chart.drawn < chart.rowCount &&
          ` ${t("results.chart.part", { drawn: chart.drawn, count: chart.rowCount })}`}
      </figcaption>
      {picked !== null && behind.length > 0 && (
        <div className="mt-3 border border-line rounded-sm overflow-hidden">
          <div className="flex items-center gap-2 pl-3 pr-1.5 py-1">
            <p className="grow text-xs font-medium text-ink-2" role="status">
              {t("results.chart.behind", { name: picked, count: behind.length })}
            </p>
            {onAsk && (
              <Button
                tone="quiet"
                size="sm"
                onClick={() => onAsk(t("results.chart.askQuestion", { name: picked, title: label }))}
              >
                {t("results.chart.ask")}
              </Button>
            )}
          </div>
          <ResultTable columns={columns} rows={behind} label={`${label}: ${picked}`} height="max-h-[14rem]" />
        </div>
      )}
    </figure>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-1.5 min-w-0">
      <label htmlFor={id} className="text-xs text-ink-3">
        {label}
      </label>
      <select
        id={id}
        value={options.some((option) => option.value === value) ? value : ""}
        onChange={(event) => onChange(event.target.value)}
        className="h-7 max-sm:h-10 max-w-[11rem] px-1.5 border border-line-control rounded-sm bg-raised text-xs text-ink"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}

/** All rows that share the name of a bar, in the order of the result. */
function rowsBehind(chart: Chart, rows: readonly Row[], name: string): Row[] {
  const positions = new Set(chart.points.filter((point) => point.name === name).map((point) => point.row));
  return rows.filter((_row, at) => positions.has(at));
}

function sentenceOf(chart: Chart) {
  const main = chart.points.filter((point) => point.series === chart.series.at(-1));
  const [first] = main;
  let [least, most] = [first, first];
  for (const point of main) {
    if (least && point.value < least.value) least = point;
    if (most && point.value > most.value) most = point;
  }
  return {
    value: chart.value,
    across: chart.across,
    count: chart.drawn,
    most: most?.name ?? "",
    mostValue: most?.label ?? "",
    least: least?.name ?? "",
    leastValue: least?.label ?? "",
  };
}
