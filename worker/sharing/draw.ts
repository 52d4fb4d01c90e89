import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm";
import sansFile from "./fonts/instrument-sans.ttf?inline";
import serifFile from "./fonts/newsreader.ttf?inline";
import { readMetrics } from "#worker/sharing/font-metrics.ts";
import { layOut, type Fonts } from "#worker/sharing/layout.ts";
import type { ShareSubject } from "#worker/sharing/subject.ts";

/** The drawing library and the fonts, 1.1 MB gzipped: imported on the first drawing. */

type Ready = { fonts: Fonts; fontBuffers: Uint8Array[] };

let ready: Ready | undefined;

async function prepare(): Promise<Ready> {
  if (ready) return ready;
  const [serif, sans] = [serifFile, sansFile].map(bytesOf) as [Uint8Array, Uint8Array];
  // A concurrent request may have initialised it already: the library then throws.
  await initWasm(wasm).catch((error: unknown) => {
    if (!/Already initialized/i.test(String(error))) throw error;
  });
  ready = {
    fontBuffers: [serif, sans],
    fonts: { serif: readMetrics(serif), sans: readMetrics(sans) },
  };
  return ready;
}

const bytesOf = (address: string) => Uint8Array.fromBase64(address.slice(address.indexOf(",") + 1));

/** The picture as PNG. `cover` is a square JPEG. */
export async function drawPng(subject: ShareSubject, cover: Uint8Array | null) {
  const { fonts, fontBuffers } = await prepare();
  const address = cover && `data:image/jpeg;base64,${cover.toBase64()}`;
  const svg = layOut(subject, fonts, address);
  const drawing = new Resvg(svg, { font: { fontBuffers, loadSystemFonts: false } });
  const picture = drawing.render();
  try {
    return picture.asPng();
  } finally {
    picture.free();
    drawing.free();
  }
}
