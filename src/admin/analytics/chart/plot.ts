import uPlot from "uplot";
import style from "uplot/dist/uPlot.min.css?url";
import { loadStylesheet } from "#site/ui/stylesheet.ts";

/** Draws with uPlot, which only this module imports. Uses the colours of the theme at creation. */

/** Loads uPlot's style sheet, which a drawing needs first. */
export const loadStyle = () => loadStylesheet(style);

export type Tone = "accent" | "signal" | "info";

export type Line = {
  label: string;
  values: (number | null)[];
  tone: Tone;
  /** Distinguishable without colour. */
  isThin?: boolean;
};

export type Drawing = {
  lines: Line[];
  /** The steps that the axis may have, in points. */
  steps: number[];
  /** The label below a point. */
  labelOf: (index: number) => string;
  /** Points at which a thin line is drawn. */
  marks?: number[];
  /** The point that is shown first. */
  first: number;
  /** Whether the last point's period has not ended: the line to it is dashed. */
  isUnfinished?: boolean;
  /** The top of the scale, if not the largest value. */
  top?: number;
};

export type Plot = { point: (index: number) => void; remove: () => void };

const HEIGHT = 240;
const WIDE = 2;
const THIN = 1;
const FONT = '13px "Instrument Sans", system-ui, sans-serif';

/** Draws into an element at its width. `onPoint` gets the pointer's point. */
export function draw(element: HTMLElement, drawing: Drawing, onPoint: (index: number) => void): Plot {
  const { lines, labelOf, marks = [], steps, first, isUnfinished = false } = drawing;
  const ends = isUnfinished ? lines : [];
  const colour = colours(element);
  const count = lines[0]?.values.length ?? 0;
  const axis = {
    stroke: colour("muted"),
    font: FONT,
    grid: { stroke: colour("rule"), width: 1 },
    ticks: { show: false },
  };
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      padding: [12, 24, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
      scales: {
        // A single point is centred.
        x: { time: false, range: () => (count === 1 ? [-1, 1] : [0, count - 1]) },
        y: { range: (_plot, _min, max) => [0, drawing.top ?? Math.max(4, max * 1.05)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 32,
          gap: 8,
          incrs: steps,
          space: 72,
          values: (_plot, splits) =>
            splits.map((at) => (Number.isInteger(at) && at >= 0 && at < count ? labelOf(at) : "")),
        },
        {
          ...axis,
          size: 48,
          incrs: WHOLE,
          values: (_plot, splits) => splits.map((value) => value.toLocaleString("en")),
        },
      ],
      series: [
        {},
        ...lines.map(({ label, tone, isThin }) => ({
          label,
          stroke: colour(tone),
          width: isThin ? THIN : WIDE,
          points: { show: count < 3, size: 6, fill: colour(tone) },
        })),
        ...ends.map(({ tone, isThin }) => ({
          stroke: colour(tone),
          width: isThin ? THIN : WIDE,
          dash: [4, 4],
          points: { show: true, size: 6, fill: colour(tone), filter: () => [count - 1] },
        })),
      ],
      hooks: {
        setCursor: [({ cursor }) => typeof cursor.idx === "number" && onPoint(cursor.idx)],
        ready: [(self) => pointAt(self, first)],
        drawAxes: [(self) => drawMarks(self, marks, colour("edge"))],
      },
    },
    [
      Array.from({ length: count }, (_, index) => index),
      ...lines.map(({ values }) =>
        isUnfinished ? values.map((value, index) => (index === count - 1 ? null : value)) : values,
      ),
      ...ends.map(({ values }) => values.map((value, index) => (index < count - 2 ? null : value))),
    ],
    element,
  );
  const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
  watch.observe(element);
  return {
    point: (index) => pointAt(plot, index),
    remove() {
      watch.disconnect();
      plot.destroy();
    },
  };
}

const pointAt = (plot: uPlot, index: number) =>
  plot.setCursor({ left: plot.valToPos(index, "x"), top: 0 }, false);

/** Steps of a scale of integers. */
const WHOLE = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].flatMap((unit) => [unit, 2 * unit, 5 * unit]);

/** A canvas cannot use CSS variables: read a theme colour from an element that has it. */
function colours(within: HTMLElement) {
  return (name: string) => {
    const probe = document.createElement("span");
    probe.style.color = `var(--color-${name})`;
    within.appendChild(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

function drawMarks(plot: uPlot, marks: number[], stroke: string) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const mark of marks) {
    const x = Math.round(plot.valToPos(mark, "x", true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
