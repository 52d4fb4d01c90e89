import { numerals } from "#worker/platform/artwork/numerals.ts";

/** Draws a landform. The server imports it statically; the browser on demand. */

export type Land = {
  seed: number;
  /** A large number drawn in the water; null for none. */
  figure?: number | null;
  /** Small, in the upper right corner: the name of the show. */
  label?: string;
  /** Of a drawing that is 600 high; 600 by default. */
  width?: number;
};

const SIDE = 600;

/** The colours of src/app.css and src/embed/embed.css, in the order in which a list's items have them. */
export const landPalettes = [
  { sky: "var(--color-sky)", land: "var(--color-accent)" },
  { sky: "var(--color-rule)", land: "var(--color-signal)" },
  { sky: "var(--color-accent)", land: "var(--color-tint)" },
  { sky: "var(--color-dusk)", land: "var(--color-mist)" },
] as const;

/** The first item has the first palette. */
const paletteOf = (seed: number) => landPalettes[(seed + landPalettes.length - 1) % landPalettes.length]!;

type Random = () => number;

/** A small seeded generator (mulberry32): the same seed draws the same land on the server and in the browser. */
function chance(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Smooth noise in the plane, from -1 to 1: a random value at each whole pair, and curves between them. */
function noise(random: Random) {
  const salt = Math.floor(random() * 2 ** 32);
  const valueAt = (i: number, j: number) => {
    let mixed = salt ^ Math.imul(i, 0x27d4eb2d) ^ Math.imul(j, 0x165667b1);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 31 - 1;
  };
  return (x: number, y: number) => {
    const i = Math.floor(x);
    const j = Math.floor(y);
    const u = ease(x - i);
    const top = between(valueAt(i, j), valueAt(i + 1, j), u);
    const low = between(valueAt(i, j + 1), valueAt(i + 1, j + 1), u);
    return between(top, low, ease(y - j));
  };
}

const ease = (t: number) => t * t * t * (t * (t * 6 - 15) + 10);
const between = (from: number, to: number, part: number) => from + (to - from) * part;

type Noise = ReturnType<typeof noise>;

/** Units between the points of a curve. */
const STEP = 90;
const FINE_STEP = 48;

const pointsAcross = (width: number, step: number) =>
  Array.from({ length: Math.ceil(width / step) + 1 }, (_, at) => at * step);

/** A smooth curve through heights that are `step` apart (Catmull-Rom, as relative cubic Béziers). */
function curve(heights: number[], step: number) {
  const handle = (2 * step) / 3;
  let from = Math.round(heights[0]!);
  let path = `M0 ${from}s`;
  for (let index = 1; index < heights.length; index++) {
    const height = heights[index]!;
    const slope = ((heights[index + 1] ?? height) - heights[index - 1]!) / 6;
    const to = Math.round(height);
    path += `${index > 1 ? " " : ""}${handle}${spaced(Math.round(height - slope) - from)} ${step}${spaced(to - from)}`;
    from = to;
  }
  return path;
}

/** In a path a minus separates numbers. */
const spaced = (number: number) => (number < 0 ? number : ` ${number}`);

const shapeOf = (outline: string, attributes: string) => `<path d="${outline}" ${attributes}/>`;

/** Content of an `<svg>`. */
export function drawLand({ seed, figure = null, label = "", width = SIDE }: Land) {
  const { sky, land } = paletteOf(seed);
  const random = chance(seed);
  const wave = noise(random);
  const grain = noise(random);
  const rises = random() < 0.5 ? "right" : "left";
  const horizon = Math.round(SIDE * (0.55 + 0.05 * random()));
  const sun = placeSun(random, width, rises, figure);
  const crest = crestOf(wave, width, rises, crestLevel(rises, figure));
  const water = `M0 ${horizon}H${width}V${SIDE}H0z`;
  return [
    `<g fill="currentColor" stroke="none" color="${land}">`,
    shapeOf(`M0 0H${width}V${SIDE}H0z`, `fill="${sky}"`),
    `<circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill-opacity=".36"/>`,
    ...ranges(wave, width, horizon).map((range) => overSky(range.outline, sky, range.depth)),
    overSky(water, sky, 0.16),
    `<g stroke="currentColor" stroke-opacity=".55" stroke-linecap="round">`,
    ...ripples(random, width, horizon, sun),
    "</g>",
    figure === null ? "" : drawFigure(figure, label),
    label === "" ? "" : drawLabel(label, width),
    shapeOf(`${curve(crest, STEP)}V${SIDE + 9}H-9z`, `stroke="${sky}" stroke-width="3.3"`),
    shapeOf(contours(grain, crest), `fill="none" stroke="${sky}" stroke-width="1.4"`),
    "</g>",
  ].join("");
}

/** A tone between the two, which hides what is behind it. Browsers before 2023 know no `color-mix()`. */
const overSky = (outline: string, sky: string, depth: number) =>
  shapeOf(outline, `fill="${sky}"`) + shapeOf(outline, `fill-opacity="${depth}"`);

type Side = "left" | "right";

/** Over the low end of the near land, or beside the figure. */
function placeSun(random: Random, width: number, rises: Side, figure: number | null) {
  const aside = 0.1 + 0.12 * random();
  const across = figure === null ? 0.5 + (rises === "left" ? aside : -aside) : 0.67 + aside / 2;
  return {
    x: Math.round(width * across),
    y: Math.round(SIDE * (0.27 + 0.25 * random())),
    r: Math.round(SIDE * (0.09 + 0.05 * random())),
  };
}

/** Two far ranges, the nearer one darker. */
const ranges = (wave: Noise, width: number, horizon: number) =>
  [0.34, 0.52].map((depth, index) => {
    const heights = pointsAcross(width, FINE_STEP).map((x) => {
      const u = x / SIDE;
      const coarse = wave(u * 2.3 + index * 7.7, index * 3.1);
      const fine = wave(u * 6.1 + index * 3, 9 + index);
      const rise = Math.max(0, 0.5 + 0.5 * coarse + 0.32 * fine);
      return horizon + 2 - rise * SIDE * (0.085 - index * 0.025);
    });
    return { depth, outline: `${curve(heights, FINE_STEP)}V${horizon + 4}H0z` };
  });

/** A fraction of the height. The foot of the figure is in the near land, its middle is not. */
function crestLevel(rises: Side, figure: number | null) {
  if (figure === null) return 0.67;
  return rises === "left" || figure > 9 ? 0.79 : 0.7;
}

/** The near land's upper edge. */
function crestOf(wave: Noise, width: number, rises: Side, level: number) {
  return pointsAcross(width, STEP).map((x) => {
    const u = Math.min(1, x / width);
    const side = rises === "right" ? u : 1 - u;
    const fall = 0.2 * (1 - side) ** 1.7 - 0.1 * side ** 2.2;
    return SIDE * (level + fall + 0.035 * wave((2.6 * x) / SIDE, 40) + 0.012 * wave((7 * x) / SIDE, 50));
  });
}

/** Below the crest, line after line; the gaps open and close with the slope. */
function contours(grain: Noise, crest: number[]) {
  const lines: string[] = [];
  let current = crest;
  for (let line = 0; line < 60; line++) {
    current = current.map((y, at) => {
      const steep = 0.5 + 0.5 * grain((at * STEP * 2.4) / SIDE + line * 0.035, line * 0.11);
      return y + SIDE * (0.0072 + 0.028 * steep * steep + 0.0003 * line);
    });
    if (current.every((y) => y > SIDE)) break;
    lines.push(curve(current, STEP));
  }
  return lines.join("");
}

type Sun = { x: number; r: number };

/** Rows of strokes: thin, short and close together towards the horizon, and more of them under the sun. */
function ripples(random: Random, width: number, horizon: number, sun: Sun) {
  const bands = ["", "", ""];
  for (let y = horizon + 4; y < SIDE; y += 5 + (y - horizon) * 0.08) {
    const near = (y - horizon) / (SIDE - horizon);
    const row = Math.round(y);
    const band = Math.min(bands.length - 1, Math.floor(near * 4));
    for (let x = Math.round(-random() * 60); x < width;) {
      const away = (x - sun.x) / (sun.r * (0.9 + near * 1.4));
      const glitter = Math.exp(-away * away);
      const length = Math.round((10 + random() * 40) * (0.6 + near * 2.2) * (1 - 0.45 * glitter));
      if (random() < 0.24 + 0.5 * glitter) bands[band] += `M${x} ${row}h${length}`;
      x += length + Math.round(10 + random() * 40 * (1 + near * 2));
    }
  }
  return bands.map((band, index) => shapeOf(band, `stroke-width="${1 + index * 0.8}"`));
}

/** Ems between two figures. */
const GAP = 55;

/** As large as the width allows and a long label leaves room for, its foot behind the near land. */
function drawFigure(figure: number, label: string) {
  const drawn = [...String(figure)].map((digit) => numerals[Number(digit)]!);
  const ink = drawn.reduce((sum, { left, right }) => sum + right - left, GAP * (drawn.length - 1));
  const tallest = label === "" || widthOf(label) < SIDE / 3 ? 0.54 : 0.48;
  const scale = Math.min(tallest, 528 / ink);
  let x = drawn.length > 1 ? (SIDE - ink * scale) / 2 : 60;
  const outlines = drawn.map(({ left, right, outline }) => {
    const place = `translate(${Math.round(x - left * scale)} 428)scale(${scale.toFixed(3)})`;
    x += (right - left + GAP) * scale;
    return `<path transform="${place}" d="${outline}"/>`;
  });
  return outlines.join("");
}

const LABEL_SIZE = 21.6;
/** Estimated: Latin, Greek and Cyrillic letters are half as wide as they are high. */
const widthOf = (label: string) =>
  [...label].reduce((sum, letter) => sum + (letter < "\u0590" ? 0.48 : 1) * LABEL_SIZE, 0);

/** Empty if the label is too long. */
function drawLabel(label: string, width: number) {
  const margin = 37;
  if (widthOf(label) > width - 2 * margin) return "";
  return `<text x="${width - margin}" y="52" font-size="${LABEL_SIZE}" text-anchor="end" class="headline">${escaped(label)}</text>`;
}

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
