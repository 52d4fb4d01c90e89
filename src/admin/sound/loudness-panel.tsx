import { useId } from "react";
import { Button } from "#site/ui/button.tsx";
import { formatTime } from "#site/ui/format.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import {
  curveLoudness,
  decibels,
  findingsOf,
  HIGHEST_PEAK,
  targetOf,
  TOLERANCE,
  type Loudness,
  type LoudnessFinding,
} from "#worker/files/loudness/contract.ts";
import { useFilePeaks } from "./file-peaks.ts";
import { peaksFromBase64 } from "./peaks.ts";

/** How loud a recording is: a table, a curve, and what podcast apps and listeners would dislike. */
export function LoudnessPanel({ file }: { file: StoredFile }) {
  const heading = useId();
  // The waveform above reads them when it is scrolled to.
  const { state, measure } = useFilePeaks(file, false);
  if (state.phase !== "ready") return null;
  const { loudness } = state;
  return (
    // As wide as the waveform, so that the curve is below it.
    <section aria-labelledby={heading} data-wide className="grid gap-4">
      <h3 id={heading} className="text-sm font-semibold">
        Loudness
      </h3>
      {loudness ? (
        <>
          <Findings findings={findingsOf(loudness)} />
          <Curve loudness={loudness} seconds={file.durationSeconds ?? 0} />
          <Figures loudness={loudness} />
        </>
      ) : (
        <div className="grid justify-items-start gap-2 text-sm">
          <p className="text-muted">Not measured yet.</p>
          <Button size="sm" onClick={measure}>
            Measure the loudness
          </Button>
        </div>
      )}
    </section>
  );
}

const Findings = ({ findings }: { findings: LoudnessFinding[] }) =>
  findings.length === 0 ? (
    <p className="text-sm">Loud enough, and nothing to complain about.</p>
  ) : (
    <ul className="grid max-w-2xl gap-1 border-l-4 border-signal bg-tint px-4 py-3 text-sm">
      {findings.map(({ message }) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );

const NONE = "–";

function Figures({ loudness }: { loudness: Loudness }) {
  const { integrated, truePeak, range, channels, missing, silences, clipped } = loudness;
  const rows = [
    {
      name: "Loudness",
      value: integrated === null ? "Silent" : `${decibels(integrated)} LUFS`,
      aim: `${decibels(targetOf(loudness))} ± ${TOLERANCE}`,
    },
    {
      name: "True peak",
      value: truePeak === null ? "Silent" : `${decibels(truePeak)} dBTP`,
      aim: `at most ${decibels(HIGHEST_PEAK)}`,
    },
    { name: "Range", value: range === null ? NONE : `${decibels(range)} LU`, aim: NONE },
    {
      name: "Channels",
      value: missing.length > 0 ? `${channels}, ${missing.length} without sound` : String(channels),
      aim: "all with sound",
    },
    { name: "Silences over 5 s", value: String(silences.length), aim: "0" },
    { name: "Clipped places", value: String(clipped), aim: "0" },
  ];
  return (
    <table className="w-full max-w-md text-sm tabular-nums">
      <caption className="sr-only">The loudness of this recording</caption>
      <thead className="text-left text-muted">
        <tr>
          <th scope="col" className="py-1 pr-4 font-normal">
            Measure
          </th>
          <th scope="col" className="py-1 pr-4 font-normal">
            Recording
          </th>
          <th scope="col" className="py-1 font-normal">
            Aim
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, value, aim }) => (
          <tr key={name} className="border-t border-rule">
            <th scope="row" className="py-1.5 pr-4 text-left font-medium">
              {name}
            </th>
            <td className="py-1.5 pr-4">{value}</td>
            <td className="py-1.5 text-muted">{aim}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Of the drawing, in its own units. */
const WIDTH = 1000;
const HEIGHT = 100;
/** LUFS at its bottom and top. */
const [BOTTOM, TOP] = [-45, 0];

const heightOf = (lufs: number) =>
  HEIGHT - (HEIGHT * (Math.min(TOP, Math.max(BOTTOM, lufs)) - BOTTOM)) / (TOP - BOTTOM);

function Curve({ loudness, seconds }: { loudness: Loudness; seconds: number }) {
  const points = Array.from(peaksFromBase64(loudness.curve), curveLoudness);
  if (points.length < 2) return null;
  const [quietest, loudest] = [Math.min(...points), Math.max(...points)];
  const line = points
    .map((lufs, at) => `${((WIDTH * at) / (points.length - 1)).toFixed(1)},${heightOf(lufs).toFixed(1)}`)
    .join(" ");
  const target = targetOf(loudness);
  const label = `Loudness over time, between ${decibels(quietest)} and ${decibels(loudest)} LUFS`;
  return (
    <figure className="grid gap-1">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-24 w-full bg-tint"
      >
        <rect
          x={0}
          width={WIDTH}
          y={heightOf(target + TOLERANCE)}
          height={heightOf(target - TOLERANCE) - heightOf(target + TOLERANCE)}
          className="fill-signal opacity-40"
        />
        <polyline
          points={line}
          fill="none"
          className="stroke-accent"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="text-sm text-muted tabular-nums">
        <span className="flex justify-between">
          <span>0:00</span>
          <span>{formatTime(seconds)}</span>
        </span>
        <span>{`Each point is three seconds. The band is ${decibels(target)}\u00a0±\u00a0${TOLERANCE}\u00a0LUFS.`}</span>
      </figcaption>
    </figure>
  );
}
