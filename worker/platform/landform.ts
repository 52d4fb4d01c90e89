/** Draws a landform. The server has it at hand; the browser imports it on demand. */

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

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

/** Heights along the width: a few random points, interpolated smoothly. */
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

/** A path of relative steps: small numbers compress to a third. */
const contourAcross = (width: number) => (height: Ridge, top: number, rise: number) => {
  const levels = Array.from({ length: width / STEP + 1 }, (_, column) =>
    Math.round(top - height((column * STEP) / width) * rise),
  );
  const steps = levels.slice(1).map((level, before) => `${STEP} ${level - (levels[before] ?? 0)}`);
  return `M0 ${levels[0]}l${steps.join(" ")}`;
};

/** The area below a contour. */
const land = (contour: string) => `${contour}V${SIDE}H0z`;

export type Land = {
  seed: number;
  /** A large number or letter. */
  figure?: string;
  /** About 5:2 instead of a square. */
  wide?: boolean;
};

/** The nearest contour. */
const SHORE = { top: 500, rise: 150 };

/**
 * Repeats the shore line, lower and flatter each time: a repeated path compresses to almost nothing. Flattening thins the
 * stroke, so its width is scaled up.
 */
function drawLine(shore: string, line: number) {
  const flat = (SHORE.rise - line * 9) / SHORE.rise;
  const down = SHORE.top + line * 14 - SHORE.top * flat;
  const width = (1 + line * 0.35) / flat;
  return `<path d="${shore}" transform="matrix(1 0 0 ${flat.toFixed(2)} 0 ${down.toFixed(0)})" stroke-width="${width.toFixed(1)}"/>`;
}

/** Content of an `<svg>` with that `viewBox`, in its text colour on `--color-sky`. */
export function drawLand(place: Land) {
  const random = chance(place.seed);
  const width = place.wide ? 2 * SIDE : SIDE;
  const contour = contourAcross(width);
  const far = ridge(random, (width / SIDE) * 5);
  const near = ridge(random, (width / SIDE) * 3);
  const sun = { x: Math.round(width * (0.6 + random() * 0.23)), y: Math.round(130 + random() * 110) };
  const shore = contour(near, SHORE.top, SHORE.rise);
  const lines = Array.from({ length: 12 }, (_, line) => drawLine(shore, line));
  return [
    `<circle cx="${sun.x}" cy="${sun.y}" r="44" fill="currentColor" fill-opacity=".35" stroke="none"/>`,
    place.figure ? drawFigure(place.figure) : "",
    `<path d="${land(contour(far, 380, 90))}" fill="color-mix(in srgb,currentColor 30%,var(--color-sky))" stroke="none"/>`,
    `<path d="${land(shore)}" fill="var(--color-sky)" stroke="none"/>`,
    ...lines,
  ].join("");
}

const drawFigure = (figure: string) =>
  `<text x="24" y="400" font-size="${Math.min(470, Math.round(900 / figure.length))}" fill="currentColor" stroke="none" class="font-display">${escaped(figure)}</text>`;
