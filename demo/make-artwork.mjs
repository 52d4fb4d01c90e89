// The demo's artwork: landforms in two tones, drawn from a seed. Plain Node, no packages.
//
//   node demo/make-artwork.mjs            SVG to a temporary folder, JPEG to demo/images (needs rsvg-convert and ffmpeg)
//   node demo/make-artwork.mjs --svg DIR  SVG only, into DIR
//   … 03 show                             only the pieces whose name begins so
//
// Every picture is built the same way: a flat sky, one sun, a far range, a sea (or a plain), and a near landform whose
// surface is a stack of contour lines. Two tones are given; everything between them is a mix of the two. The letters
// are outlines in type/letters.json (Newsreader, SIL Open Font License), so no font has to be installed.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const letters = JSON.parse(readFileSync(join(here, "type/letters.json"), "utf8")).faces;

const paper = "#FAF7F0",
  stone = "#DDD6C8",
  eucalypt = "#1F5A4C",
  ochre = "#B4531F";
const night = "#14171A",
  mist = "#7FBFA9",
  ember = "#E38B54";

// ground: the sky's tone · figure: the land's tone · sun: x, y, radius in parts of the width (y of the height)
// horizon, crest: parts of the height · slope: which side the near land rises to (-1 left, 1 right)
const pieces = [
  {
    file: "show",
    size: [1600, 1600],
    ground: paper,
    figure: eucalypt,
    seed: "plain ground",
    sun: [0.7, 0.5, 0.15],
    horizon: 0.56,
    crest: 0.66,
    slope: -1,
    title: true,
  },
  {
    file: "01-the-waiting-room-is-a-policy",
    size: [1600, 1600],
    ground: stone,
    figure: eucalypt,
    seed: "river town",
    sun: [0.72, 0.3, 0.11],
    horizon: 0.58,
    crest: 0.68,
    slope: 1,
    number: 1,
  },
  {
    file: "02-three-storeys-and-a-verandah",
    size: [1600, 1600],
    ground: ochre,
    figure: paper,
    seed: "bellwether street",
    sun: [0.77, 0.555, 0.135],
    glow: 0.4,
    horizon: 0.6,
    crest: 0.83,
    slope: -1,
    number: 2,
  },
  {
    file: "03-the-pilot-that-never-lands",
    size: [1600, 1600],
    ground: night,
    figure: mist,
    seed: "ninth year",
    glow: 0.5,
    sun: [0.76, 0.27, 0.09],
    horizon: 0.57,
    crest: 0.7,
    slope: 1,
    number: 3,
  },
  {
    file: "04-a-visit-at-two-in-the-afternoon",
    size: [1600, 1600],
    ground: paper,
    figure: ochre,
    seed: "seven houses",
    sun: [0.76, 0.28, 0.13],
    horizon: 0.6,
    crest: 0.68,
    slope: -1,
    number: 4,
  },
  {
    file: "05-long-enough-to-plant-a-lemon-tree",
    size: [1600, 1600],
    ground: eucalypt,
    figure: stone,
    seed: "lemon tree",
    glow: 0.4,
    sun: [0.78, 0.4, 0.11],
    horizon: 0.6,
    crest: 0.67,
    slope: 1,
    number: 5,
  },
  {
    file: "essay-the-dull-virtue-of-a-long-lease",
    size: [1800, 1200],
    ground: stone,
    figure: ochre,
    seed: "long lease",
    sun: [0.66, 0.36, 0.1],
    horizon: 0.55,
    crest: 0.66,
    slope: -1,
  },
  {
    file: "essay-the-second-appointment",
    size: [1800, 1200],
    ground: paper,
    figure: eucalypt,
    seed: "second appointment",
    sun: [0.3, 0.32, 0.11],
    horizon: 0.52,
    crest: 0.64,
    slope: 1,
  },
  {
    file: "essay-write-the-last-page-first",
    size: [1800, 1200],
    ground: night,
    figure: ember,
    seed: "last page",
    glow: 0.72,
    sun: [0.62, 0.44, 0.12],
    horizon: 0.56,
    crest: 0.66,
    slope: -1,
  },
];

// ---- chance and noise -----------------------------------------------------------------------------------------------

function chance(seed) {
  let h = 2166136261;
  for (const c of seed) h = Math.imul(h ^ c.codePointAt(0), 16777619);
  return () => {
    h = (h + 0x6d2b79f5) | 0;
    let t = Math.imul(h ^ (h >>> 15), 1 | h);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Smooth noise in the plane, between -1 and 1. */
function noise(random) {
  const lattice = new Map();
  const at = (i, j) => {
    const key = i * 4096 + j;
    if (!lattice.has(key)) lattice.set(key, null);
    return lattice.get(key) ?? (lattice.set(key, hash(i, j)), lattice.get(key));
  };
  const salt = Math.floor(random() * 2 ** 31);
  const hash = (i, j) => chance(`${salt}:${i}:${j}`)() * 2 - 1;
  const ease = (t) => t * t * t * (t * (t * 6 - 15) + 10);
  return (x, y) => {
    const i = Math.floor(x),
      j = Math.floor(y),
      u = ease(x - i),
      v = ease(y - j);
    const top = at(i, j) * (1 - u) + at(i + 1, j) * u;
    const low = at(i, j + 1) * (1 - u) + at(i + 1, j + 1) * u;
    return top * (1 - v) + low * v;
  };
}

// ---- drawing --------------------------------------------------------------------------------------------------------

const n = (v) => String(Math.round(v * 10) / 10);

function mix(a, b, t) {
  const part = (hex, i) => parseInt(hex.slice(1 + i * 2, 3 + i * 2), 16);
  return `#${[0, 1, 2]
    .map((i) =>
      Math.round(part(a, i) * (1 - t) + part(b, i) * t)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

const line = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${n(x)} ${n(y)}`).join("");

function text(face, words, x, baseline, size, fill, { tracking = 0, anchor = "start" } = {}) {
  const { glyphs } = letters[face];
  const unit = size / 1000;
  const width =
    [...words].reduce((sum, c) => sum + glyphs[c].w * unit + tracking * size, 0) - tracking * size;
  let at = anchor === "end" ? x - width : anchor === "middle" ? x - width / 2 : x;
  return [...words]
    .map((c) => {
      const drawn = `<path transform="translate(${n(at)} ${n(baseline)}) scale(${unit})" d="${glyphs[c].d}" fill="${fill}"/>`;
      at += glyphs[c].w * unit + tracking * size;
      return glyphs[c].d ? drawn : "";
    })
    .join("");
}

function draw(piece) {
  const [W, H] = piece.size;
  const { ground, figure } = piece;
  const random = chance(piece.seed);
  const wave = noise(random),
    grain = noise(random);
  const m = W * 0.0625; // margin
  const horizon = H * piece.horizon;
  const out = [];

  // sky, and a sun with its halo of rings
  out.push(`<rect width="${W}" height="${H}" fill="${ground}"/>`);
  const [sx, sy, sr] = [piece.sun[0] * W, piece.sun[1] * H, piece.sun[2] * W];
  out.push(
    `<circle cx="${n(sx)}" cy="${n(sy)}" r="${n(sr)}" fill="${mix(ground, figure, piece.glow ?? 0.3)}"/>`,
  );

  // two far ranges, flat, the nearer one darker
  for (const [i, depth] of [0.34, 0.52].entries()) {
    const points = [];
    for (let x = -8; x <= W + 8; x += 8) {
      const u = x / W;
      const rise =
        0.5 +
        0.5 * wave(u * 2.3 + i * 7.7, i * 3.1) +
        0.32 * wave(u * 6.1 + i * 3, 9 + i) +
        0.1 * wave(u * 17 + i, 21 + i);
      points.push([x, horizon + 2 - Math.max(0, rise) * H * (0.085 - i * 0.025)]);
    }
    out.push(
      `<path d="${line(points)}L${W + 8} ${n(horizon + 4)}L-8 ${n(horizon + 4)}Z" fill="${mix(ground, figure, depth)}"/>`,
    );
  }

  // the sea: rows of long lens-shaped strokes, closer together towards the horizon, denser under the sun
  out.push(
    `<rect y="${n(horizon)}" width="${W}" height="${n(H - horizon)}" fill="${mix(ground, figure, 0.16)}"/>`,
  );
  const strokes = [];
  for (let y = horizon + 5; y < H; y += 7 + (y - horizon) * 0.055) {
    const near = (y - horizon) / (H - horizon);
    for (let x = -random() * 120; x < W;) {
      const glitter = Math.exp(-(((x - sx) / (sr * (0.9 + near * 1.4))) ** 2));
      const length = (24 + random() * 120) * (0.6 + near * 2.2) * (1 - 0.45 * glitter);
      const thick = (1.5 + near * 5) * (0.7 + 0.9 * glitter);
      if (random() < 0.34 + 0.5 * glitter)
        strokes.push(
          `M${n(x)} ${n(y)}Q${n(x + length / 2)} ${n(y - thick)} ${n(x + length)} ${n(y)}Q${n(x + length / 2)} ${n(y + thick)} ${n(x)} ${n(y)}Z`,
        );
      x += length + 16 + random() * 70 * (1 + near * 2);
    }
  }
  out.push(`<path d="${strokes.join("")}" fill="${mix(ground, figure, 0.62)}"/>`);

  // the number is drawn in the water, behind the near land
  if (piece.number !== undefined)
    out.push(text("display", String(piece.number), W * 0.04, H * 0.714, H * 0.9, figure));

  // the near land: a crest, and below it contour after contour; the gaps open and close with the slope
  const crest = H * piece.crest,
    step = 8;
  const lineOf = [];
  for (let x = -16; x <= W + 16; x += step) {
    const u = Math.min(1, Math.max(0, x / W)),
      side = piece.slope > 0 ? u : 1 - u;
    const fall = 0.2 * H * Math.pow(1 - side, 1.7) - 0.1 * H * Math.pow(side, 2.2);
    lineOf.push([x, crest + fall + H * (0.035 * wave(u * 2.6, 40) + 0.012 * wave(u * 7, 50))]);
  }
  out.push(
    `<path d="${line(lineOf)}L${W + 16} ${H + 9}L-16 ${H + 9}Z" fill="${figure}" stroke="${ground}" stroke-width="${n(W * 0.0055)}"/>`,
  );
  let current = lineOf.map(([x, y]) => [x, y]);
  const contours = [];
  for (let k = 0; k < 60; k++) {
    current = current.map(([x, y]) => {
      const u = x / W;
      const steep = 0.5 + 0.5 * grain(u * 2.4 + k * 0.035, k * 0.11);
      return [x, y + H * (0.0062 + 0.028 * steep * steep + 0.0003 * k)];
    });
    if (current.every(([, y]) => y > H)) break;
    contours.push(line(current));
  }
  out.push(
    `<path d="${contours.join("")}" fill="none" stroke="${ground}" stroke-width="${n(W * 0.0024)}" stroke-linejoin="round"/>`,
  );

  // the words
  if (piece.title) {
    out.push(text("title", "Plain", m * 0.85, H * 0.226, H * 0.235, figure));
    out.push(text("title", "Ground", m * 0.85, H * 0.416, H * 0.235, figure));
  }
  if (piece.title || piece.number !== undefined) {
    const words = piece.title ? "Imogen Tarrant" : "Plain Ground";
    out.push(text("small", words, W - m, m + H * 0.0245, H * 0.036, figure, { anchor: "end" }));
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${W} ${H}" width="${W}" height="${H}">\n${out.join("\n")}\n</svg>\n`;
}

// ---- files ----------------------------------------------------------------------------------------------------------

const args = process.argv.slice(2);
const svgOnly = args[0] === "--svg" ? args.splice(0, 2)[1] : undefined;
const wanted = pieces.filter((p) => !args.length || args.some((a) => p.file.startsWith(a)));
const folder = svgOnly ?? mkdtempSync(join(tmpdir(), "artwork-"));
mkdirSync(folder, { recursive: true });
for (const piece of wanted) {
  const svg = join(folder, `${piece.file}.svg`);
  writeFileSync(svg, draw(piece));
  if (svgOnly) continue;
  const png = join(folder, `${piece.file}.png`),
    jpg = join(here, "images", `${piece.file}.jpg`);
  mkdirSync(dirname(jpg), { recursive: true });
  execFileSync("rsvg-convert", ["-o", png, svg]);
  // the best quality that stays under 240 kB
  for (let q = 3; q < 9; q++) {
    execFileSync("ffmpeg", [
      "-v",
      "error",
      "-y",
      "-i",
      png,
      "-vf",
      "format=yuvj420p,setsar=1",
      "-q:v",
      String(q),
      "-huffman",
      "optimal",
      "-map_metadata",
      "-1",
      "-fflags",
      "+bitexact",
      "-flags:v",
      "+bitexact",
      jpg,
    ]);
    if (readFileSync(jpg).length < 240_000) break;
  }
  console.log(
    `images/${piece.file}.jpg  ${piece.size.join(" × ")}  ${Math.round(readFileSync(jpg).length / 1024)} kB`,
  );
}
if (!svgOnly) rmSync(folder, { recursive: true });
