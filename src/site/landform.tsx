import { cx } from "#site/ui/cx.ts";

const SIDE = 600;
const STEP = 30;

/** A small seeded generator (mulberry32): the same seed draws the same land on the server and in the browser. */
function chance(seed: number) {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Heights along the width: a few random ones, joined smoothly. */
function ridge(random: () => number, knots: number) {
  const heights = Array.from({ length: knots + 1 }, random);
  return (along: number) => {
    const place = along * knots;
    const left = Math.min(Math.floor(place), knots - 1);
    const t = place - left;
    const ease = t * t * (3 - 2 * t);
    return (heights[left] ?? 0) * (1 - ease) + (heights[left + 1] ?? 0) * ease;
  };
}

type Ridge = ReturnType<typeof ridge>;

/** A path in steps from point to point: a page is drawn with many, and small numbers compress to a third. */
const contourAcross = (width: number) => (height: Ridge, top: number, rise: number) => {
  const levels = Array.from({ length: width / STEP + 1 }, (_, column) =>
    Math.round(top - height((column * STEP) / width) * rise),
  );
  const steps = levels.slice(1).map((level, before) => `${STEP} ${level - (levels[before] ?? 0)}`);
  return `M0 ${levels[0]}l${steps.join(" ")}`;
};

type LandformProps = {
  seed: number;
  /** A number or a letter set large. */
  figure?: string;
  /** A panorama, about 5:2, in the place of a square. */
  wide?: boolean;
  className?: string;
};

/** All that lies below a contour. */
const land = (contour: string) => `${contour}V${SIDE}H0z`;

/** Stands in for a picture: a horizon, a sun and layered contour lines in two tones, drawn from a seed. */
export function Landform({ seed, figure, wide = false, className }: LandformProps) {
  const random = chance(seed);
  const width = wide ? 2 * SIDE : SIDE;
  const contour = contourAcross(width);
  const far = ridge(random, (width / SIDE) * 5);
  const near = ridge(random, (width / SIDE) * 3);
  const sun = { x: Math.round(width * (0.6 + random() * 0.23)), y: Math.round(130 + random() * 110), r: 44 };
  return (
    <svg
      aria-hidden
      viewBox={wide ? `0 60 ${width} 480` : `0 0 ${SIDE} ${SIDE}`}
      preserveAspectRatio="xMidYMid slice"
      className={cx("bg-sky text-land", className)}
      fill="none"
      stroke="currentColor"
    >
      <circle cx={sun.x} cy={sun.y} r={sun.r} fill="currentColor" fillOpacity="0.35" stroke="none" />
      {figure && (
        <text
          x="24"
          y="400"
          fontSize={Math.min(470, Math.round(900 / figure.length))}
          fill="currentColor"
          stroke="none"
          className="font-display"
        >
          {figure}
        </text>
      )}
      <path
        d={land(contour(far, 380, 90))}
        className="fill-[color-mix(in_srgb,currentColor_30%,var(--color-sky))]"
        stroke="none"
      />
      <path d={land(contour(near, 500, 150))} className="fill-sky" stroke="none" />
      {Array.from({ length: 12 }, (_, line) => (
        <path key={line} d={contour(near, 500 + line * 14, 150 - line * 9)} strokeWidth={1 + line * 0.35} />
      ))}
    </svg>
  );
}
