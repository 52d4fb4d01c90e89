import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm";
import sansFile from "./fonts/instrument-sans.ttf?inline";
import serifFile from "./fonts/newsreader.ttf?inline";
import { AppError } from "#worker/platform/errors.ts";
import { escapeText } from "#worker/platform/http/rss.ts";
import { readMetrics } from "#worker/sharing/font-metrics.ts";
import { layOut } from "#worker/sharing/layout.ts";
import { loadFonts } from "#worker/sharing/load-fonts.ts";
import { layOutQuote } from "#worker/sharing/quote-layout.ts";
import { stackOf, type Face, type Run } from "#worker/sharing/runs.ts";
import type { ShareSubject } from "#worker/sharing/subject.ts";

/** The drawing library and the fonts, 1.1 MB gzipped: imported on the first drawing. */

type Loaded = Face & { files: Uint8Array[] };

let ready: { serif: Loaded; sans: Loaded } | undefined;

async function prepare() {
  if (ready) return ready;
  // A concurrent request may have initialised it already: the library then throws.
  await initWasm(wasm).catch((error: unknown) => {
    if (!/Already initialized/i.test(String(error))) throw error;
  });
  ready = { serif: ownFace("Newsreader", serifFile), sans: ownFace("Instrument Sans", sansFile) };
  return ready;
}

function ownFace(name: string, address: string): Loaded {
  const bytes = Uint8Array.fromBase64(address.slice(address.indexOf(",") + 1));
  return { name, outline: 0, files: [bytes], ...readMetrics(bytes) };
}

export type Drawing = {
  png: Uint8Array;
  /** False if fonts could not be read, so that letters are missing. */
  isComplete: boolean;
};

/**
 * The picture as PNG. `cover` is a square JPEG; `assets` has the fonts of other scripts.
 * @throws for a quote `invalid` if a letter has no font, `unavailable` if the fonts cannot be read
 */
export async function drawPng(
  subject: ShareSubject,
  cover: Uint8Array | null,
  assets: Fetcher | undefined,
): Promise<Drawing> {
  const { serif, sans } = await prepare();
  const { title, label, quote } = subject;
  const text = (quote ? quote.text + quote.speaker + title + label : title + label).normalize("NFC");
  const { families, isComplete } = await loadFonts(text, (each) => serif.has(each) && sans.has(each), assets);
  const others = families.map(({ family, ...rest }) => ({
    ...rest,
    name: family.name,
    outline: family.outline,
  }));
  const fonts = { serif: stackOf(serif, others), sans: stackOf(sans, others), measure };
  const address = cover && `data:image/jpeg;base64,${cover.toBase64()}`;
  if (quote && !isComplete && assets) throw noFonts();
  const svg = quote ? layOutQuote(subject, quote, fonts, address) : layOut(subject, fonts, address);
  const drawing = new Resvg(svg, fontsOf([serif, sans, ...others]));
  const picture = drawing.render();
  try {
    return { png: picture.asPng(), isComplete };
  } finally {
    picture.free();
    drawing.free();
  }
}

const noFonts = () =>
  new AppError("unavailable", "The letters of these words can’t be read just now. Try again in a minute.");

const fontsOf = (faces: Loaded[]) => ({
  font: { fontBuffers: faces.flatMap(({ files }) => files), loadSystemFonts: false },
});

/** Ems. */
function measure(run: Run) {
  const start = inkOf(run, "start");
  // Of merged letters resvg knows only the widest one's width; their headline reaches to the next letter.
  if (!/\p{Script=Arabic}/u.test(run.text)) return start.right;
  // A text that ends at a point is further left than one that begins there by its width.
  return start.left - inkOf(run, "end").left;
}

/** Pixels. */
const MEASURED = 100;

function inkOf({ face, text }: Run, anchor: "start" | "end") {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><text font-size="${MEASURED}" ` +
    `font-family="${face.name}" text-anchor="${anchor}">${escapeText(text)}</text></svg>`;
  const drawing = new Resvg(svg, fontsOf([face as Loaded]));
  const box = drawing.getBBox();
  const { x = 0, width = 0 } = box ?? {};
  box?.free();
  drawing.free();
  return { left: x / MEASURED, right: (x + width) / MEASURED };
}
