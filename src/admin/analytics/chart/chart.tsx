import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { Button } from "#site/ui/button.tsx";
import { lazyStyledImport } from "#site/ui/lazy-import.ts";
import { Skeleton } from "#site/ui/states.tsx";
import type { Drawing, Line, Plot, Tone } from "./plot.ts";

type Props = Drawing & {
  /** What is drawn: "Views and visitors by day". */
  label: string;
  /** What a point is: "Day". */
  noun: string;
  /** A point in full: "12 November 2026". */
  pointOf: (index: number) => string;
  /** Formats a value. */
  valueText?: (value: number | null) => string;
  /** A note about a point. */
  noteOf?: (index: number) => string | undefined;
  /** The same figures as a table. */
  children: ReactNode;
};

const importPlot = lazyStyledImport(() => import("./plot.ts"));
const plain = (value: number | null) => (value === null ? "n/a" : value.toLocaleString("en"));

/**
 * A line chart with one selected point shown in full: the pointer's, or that of the slider below, for keyboard and
 * touch. The drawing is only visual; the table has all figures.
 */
export function Chart({ label, noun, pointOf, valueText = plain, noteOf, children, ...drawing }: Props) {
  const { lines, first } = drawing;
  const count = lines[0]?.values.length ?? 0;
  const [chosen, setIndex] = useState(first);
  const index = Math.min(chosen, count - 1);
  const read = lines.map((line) => `${line.label} ${valueText(line.values[index] ?? null)}`);
  const note = noteOf?.(index);
  return (
    <figure aria-label={label} className="group/chart grid gap-3">
      <Legend {...{ lines, index, valueText, note }} point={pointOf(index)} />
      <Canvas drawing={drawing} index={index} onPoint={setIndex} />
      {count > 1 && (
        <input
          type="range"
          // Below the drawing, which its axis and the end of its last name are beside. It is shown to those who use it: by
          // keyboard, by a pointer on the chart, and always where nothing hovers.
          className="range script-only ml-12 w-[calc(100%-4.5rem)] opacity-0 transition-opacity group-hover/chart:opacity-100 focus:opacity-100 [@media(hover:none)]:opacity-100"
          aria-label={noun}
          aria-valuetext={[pointOf(index), ...read, note].filter(Boolean).join(", ")}
          min={0}
          max={count - 1}
          value={index}
          onChange={({ target }) => setIndex(Number(target.value))}
        />
      )}
      <details className="text-sm">
        <summary className="w-fit py-1 underline decoration-edge underline-offset-4 hover:decoration-current">
          The same figures as a table
        </summary>
        <div
          role="region"
          aria-label={`${label}, as a table`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, so that keys must reach it.
          tabIndex={0}
          className="mt-2 max-h-96 overflow-auto"
        >
          {children}
        </div>
      </details>
    </figure>
  );
}

type LegendProps = {
  lines: Line[];
  index: number;
  point: string;
  note?: string;
  valueText: (value: number | null) => string;
};

/** The lines and their values at the selected point. */
const Legend = ({ lines, index, point, note, valueText }: LegendProps) => (
  <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
    <p className="font-medium figures">{point}</p>
    {lines.map((line) => (
      <p key={line.label} className="inline-flex items-center gap-2">
        <Sample {...line} />
        <span>{`${line.label} `}</span>
        <strong className="font-semibold figures">{valueText(line.values[index] ?? null)}</strong>
      </p>
    ))}
    {note && (
      <p dir="auto" className="text-muted wrap-anywhere">
        {note}
      </p>
    )}
  </div>
);

const strokes: Record<Tone, string> = {
  accent: "stroke-accent",
  signal: "stroke-signal",
  info: "stroke-info",
};

const Sample = ({ tone, isThin }: Line) => (
  <svg aria-hidden width="22" height="4" className={strokes[tone]}>
    <path d="M0 2H22" strokeWidth={isThin ? 1 : 2.5} />
  </svg>
);

type CanvasProps = { drawing: Drawing; index: number; onPoint: (index: number) => void };
type PlotModule = Awaited<ReturnType<typeof importPlot>>;

/** The same height before and after drawing. */
function Canvas(props: CanvasProps) {
  const [module, setModule] = useState<PlotModule | "failed" | null>(null);
  const isDark = useIsDark();
  const load = () => importPlot().then(setModule, () => setModule("failed"));
  useEffect(() => void importPlot().then(setModule, () => setModule("failed")), []);
  if (module === null) return <Skeleton className="script-only h-60" />;
  if (module === "failed") {
    return (
      <div
        role="alert"
        className="grid h-60 content-center justify-items-start gap-3 border-t-2 border-danger text-sm"
      >
        <p>The chart didn’t load. The table below has its figures.</p>
        <Button size="sm" onClick={() => void load()}>
          Try Again
        </Button>
      </div>
    );
  }
  // Redrawn only for other figures or another theme.
  return <Drawn key={`${isDark} ${JSON.stringify(props.drawing)}`} {...props} module={module} />;
}

function Drawn({ module, drawing, index, onPoint }: CanvasProps & { module: PlotModule }) {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(null);
  const hear = useEffectEvent(onPoint);
  const draw = useEffectEvent((within: HTMLElement) =>
    module.draw(within, { ...drawing, first: index }, (at) => hear(at)),
  );
  useEffect(() => {
    if (!element.current) return;
    const drawn = draw(element.current);
    plot.current = drawn;
    return () => {
      plot.current = null;
      drawn.remove();
    };
  }, []);
  useEffect(() => plot.current?.point(index), [index]);
  return <div aria-hidden ref={element} className="relative h-60 min-w-0 overflow-hidden" />;
}

function subscribe(change: () => void) {
  const watch = new MutationObserver(change);
  watch.observe(document.documentElement, { attributeFilter: ["class"] });
  return () => watch.disconnect();
}

/** Whether the dark theme is shown now; it is the class of the root element. */
const useIsDark = () =>
  useSyncExternalStore(
    subscribe,
    () => document.documentElement.classList.contains("dark"),
    () => false,
  );
