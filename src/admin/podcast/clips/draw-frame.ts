import { quoteShapes, type QuoteShape } from "#worker/sharing/quote-address.ts";
import type { Caption } from "./words.ts";

/** The day edition's colours, as in pictures for sharing. */
const color = { paper: "#faf7f0", ink: "#1c1a16", muted: "#645e51", faint: "#a79f8e", accent: "#1f5a4c" };

export const clipFonts = {
  serif: '"Newsreader", Georgia, serif',
  sans: '"Instrument Sans", Arial, sans-serif',
};

/** Pixels. Apps cover the top and the bottom of a portrait with controls of their own. */
const plans = {
  square: { margin: 80, top: 80, bottom: 80, cover: 150, small: 32, wave: 110, sizes: [76, 66, 57, 50, 43] },
  portrait: {
    margin: 90,
    top: 250,
    bottom: 330,
    cover: 190,
    small: 36,
    wave: 150,
    sizes: [88, 76, 66, 57, 50],
  },
  wide: { margin: 60, top: 50, bottom: 50, cover: 110, small: 26, wave: 76, sizes: [54, 47, 41, 36, 32] },
};

const GAP = 36;
const LEADING = 1.25;

export type ClipPicture = {
  shape: QuoteShape;
  captions: Caption[];
  /** How loud each equal part of the clip is, 0 to 1. */
  peaks: number[];
  cover: ImageBitmap | null;
  title: string;
  show: string;
  /** Seconds of the recording. */
  from: number;
  to: number;
};

type Context = OffscreenCanvasRenderingContext2D;
type Placed = { text: string; start: number; x: number; y: number };
type Laid = { caption: Caption; size: number; isRtl: boolean; words: Placed[] };

/** Returns the function that draws the clip's picture at a second of the recording. */
export function frameDrawer(context: Context, clip: ClipPicture) {
  const { width, height } = quoteShapes[clip.shape];
  const plan = plans[clip.shape];
  const room = {
    left: plan.margin,
    right: width - plan.margin,
    top: plan.top + plan.cover + GAP,
    bottom: height - plan.bottom - plan.wave - GAP,
  };
  const laid = clip.captions.map((caption) => layOut(context, caption, room, plan));
  return (at: number) => {
    context.fillStyle = color.paper;
    context.fillRect(0, 0, width, height);
    drawHead(context, clip, plan, width);
    const shown = laid.findLast(({ caption }) => caption.start <= at) ?? laid[0];
    if (shown) drawCaption(context, shown, at, room, plan.small);
    drawWave(context, clip, at, { ...room, top: height - plan.bottom - plan.wave, height: plan.wave });
  };
}

function drawHead(
  context: Context,
  { cover, title, show }: ClipPicture,
  plan: (typeof plans)["square"],
  width: number,
) {
  const { margin, top, cover: side, small } = plan;
  if (cover) context.drawImage(cover, margin, top, side, side);
  const left = cover ? margin + side + 28 : margin;
  const room = width - margin - left;
  context.textBaseline = "alphabetic";
  context.direction = "ltr";
  context.textAlign = "left";
  const middle = top + side / 2;
  context.font = `600 ${small}px ${clipFonts.sans}`;
  context.fillStyle = color.ink;
  context.fillText(shortened(context, title, room), left, middle - small * 0.2);
  context.font = `500 ${small}px ${clipFonts.sans}`;
  context.fillStyle = color.muted;
  context.fillText(shortened(context, show, room), left, middle + small * 1.2);
}

function shortened(context: Context, text: string, width: number) {
  if (context.measureText(text).width <= width) return text;
  const letters = [...text];
  while (letters.length > 1 && context.measureText(`${letters.join("")}…`).width > width) letters.pop();
  return `${letters.join("")}…`;
}

type Room = { left: number; right: number; top: number; bottom: number };

/** The first strong letter decides (UAX #9, P2). */
const isRightToLeft = (text: string) =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text);

/** Sets a caption at the largest size that fits. */
function layOut(
  context: Context,
  caption: Caption,
  room: Room,
  { sizes, small }: { sizes: number[]; small: number },
): Laid {
  const width = room.right - room.left;
  const speakerHeight = caption.speaker ? small * 1.8 : 0;
  const isRtl = isRightToLeft(caption.words.map(({ text }) => text).join(" "));
  for (const size of sizes) {
    context.font = `500 ${size}px ${clipFonts.serif}`;
    const lines = linesOf(context, caption, width);
    const height = lines.length * size * LEADING;
    const isLast = size === sizes.at(-1);
    if (
      !isLast &&
      (height > room.bottom - room.top - speakerHeight || lines.some((line) => line.width > width))
    )
      continue;
    const first = room.top + speakerHeight + (room.bottom - room.top - speakerHeight - height) / 2 + size;
    const words = lines.flatMap((line, index) =>
      line.words.map(({ text, start, x, width: wide }) => ({
        text,
        start,
        x: isRtl ? room.right - x - wide : room.left + x,
        y: first + index * size * LEADING,
      })),
    );
    return { caption, size, isRtl, words };
  }
  throw new Error("A shape has no size of letters.");
}

function linesOf(context: Context, { words }: Caption, width: number) {
  const space = context.measureText(" ").width;
  const lines: { width: number; words: { text: string; start: number; x: number; width: number }[] }[] = [];
  for (const { text, start, isSpaced } of words) {
    const wide = context.measureText(text).width;
    const line = lines.at(-1);
    const x = line ? line.width + (isSpaced ? space : 0) : 0;
    if (line && x + wide <= width) {
      line.words.push({ text, start, x, width: wide });
      line.width = x + wide;
    } else lines.push({ width: wide, words: [{ text, start, x: 0, width: wide }] });
  }
  return lines;
}

/** The word that is spoken has the accent's colour, and those to come are faint. */
function drawCaption(
  context: Context,
  { caption, size, isRtl, words }: Laid,
  at: number,
  room: Room,
  small: number,
) {
  context.direction = isRtl ? "rtl" : "ltr";
  if (caption.speaker) {
    context.font = `500 ${small}px ${clipFonts.sans}`;
    context.fillStyle = color.muted;
    context.textAlign = isRtl ? "right" : "left";
    const name = shortened(context, caption.speaker, room.right - room.left);
    context.fillText(name, isRtl ? room.right : room.left, room.top + small);
  }
  context.font = `500 ${size}px ${clipFonts.serif}`;
  context.textAlign = "left";
  const current = words.findLastIndex(({ start }) => start <= at);
  for (const [index, { text, x, y }] of words.entries()) {
    context.fillStyle = index === current ? color.accent : index < current ? color.ink : color.faint;
    context.fillText(text, x, y);
  }
}

type Wave = { left: number; right: number; top: number; height: number };

function drawWave(
  context: Context,
  { peaks, from, to }: ClipPicture,
  at: number,
  { left, right, top, height }: Wave,
) {
  const step = (right - left) / peaks.length;
  const played = (at - from) / (to - from);
  for (const [index, peak] of peaks.entries()) {
    const tall = Math.max(4, peak * height);
    context.fillStyle = (index + 0.5) / peaks.length <= played ? color.accent : color.faint;
    context.fillRect(left + index * step, top + (height - tall) / 2, Math.max(2, step * 0.6), tall);
  }
}
