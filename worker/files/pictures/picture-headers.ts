import { orientationOf } from "#worker/files/pictures/metadata/exif.ts";

/** Width, height, transparency and movement, read from a picture's headers; nothing is decoded. */

export type Dimensions = {
  width: number;
  height: number;
  hasAlpha: boolean;
  isCmyk?: boolean;
  isAnimated?: boolean;
};
type Reader = (bytes: Uint8Array, view: DataView) => Dimensions | null;

/** `bytes` is the beginning of the file. Null when its headers are invalid. image-size reads no transparency. */
export function readPicture(bytes: Uint8Array, mime: string): Dimensions | null {
  const read = readers[mime];
  if (!read) return null;
  try {
    const found = read(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return found && found.width > 0 && found.height > 0 ? found : null;
  } catch (error) {
    // A header that points past the end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const readPng: Reader = (bytes, view) => {
  if (ascii(bytes, 12, 4) !== "IHDR") return null;
  const colourType = view.getUint8(25);
  const chunks = chunksBeforeData(bytes, view);
  const isAlphaType = colourType === 4 || colourType === 6;
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    // A palette or a plain colour may be made transparent.
    hasAlpha: isAlphaType || chunks.has("tRNS"),
    isAnimated: chunks.has("acTL"),
  };
};

function chunksBeforeData(bytes: Uint8Array, view: DataView) {
  const chunks = new Set<string>();
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const chunk = ascii(bytes, at + 4, 4);
    if (chunk === "IDAT") break;
    chunks.add(chunk);
  }
  return chunks;
}

/** Start-of-frame markers are C0 to CF but for DHT, JPG and DAC. */
const isFrameMarker = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Width and height as shown: Exif, which precedes the frame, may rotate it by 90°. */
const readJpeg: Reader = (bytes, view) => {
  let isOnItsSide = false;
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (isFrameMarker(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      const sides = isOnItsSide ? { width: height, height: width } : { width, height };
      return { ...sides, hasAlpha: false, isCmyk: view.getUint8(at + 9) === 4 };
    } else {
      const end = at + 2 + view.getUint16(at + 2);
      if (marker === APP1 && ascii(bytes, at + 4, 4) === "Exif") {
        const start = Math.min(at + 10, end);
        const exif = new DataView(view.buffer, view.byteOffset + start, end - start);
        isOnItsSide = [5, 6, 7, 8].includes(orientationOf(exif));
      }
      at = end;
    }
  }
  return null;
};

const APP1 = 0xe1;
const readGif: Reader = (_bytes, view) => ({
  width: view.getUint16(6, true),
  height: view.getUint16(8, true),
  hasAlpha: hasGifTransparency(view),
});

function hasGifTransparency(view: DataView) {
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (view.getUint8(at) === 0x21) {
    // The graphic control extension of the first picture.
    if (view.getUint8(at + 1) === 0xf9) return (view.getUint8(at + 3) & 1) === 1;
    at += 2;
    while (view.getUint8(at) !== 0) at += view.getUint8(at) + 1;
    at += 1;
  }
  return false;
}

const readWebp: Reader = (bytes, view) => {
  switch (ascii(bytes, 12, 4)) {
    case "VP8 ":
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
        hasAlpha: false,
      };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return {
        width: (bits & 0x3fff) + 1,
        height: ((bits >> 14) & 0x3fff) + 1,
        hasAlpha: ((bits >> 28) & 1) === 1,
      };
    }
    case "VP8X": {
      const hasAlpha = (view.getUint8(20) & 0x10) !== 0;
      // Three bytes each, so four are read and the stray one is cut off.
      const width = (view.getUint32(24, true) & 0xffffff) + 1;
      const isAnimated = (view.getUint8(20) & 0x02) !== 0;
      return { width, height: (view.getUint32(26, true) >>> 8) + 1, hasAlpha, isAnimated };
    }
    default:
      return null;
  }
};

const ALPHA_PLANE = /urn:mpeg:(mpegB:cicp:systems:auxiliary:alpha|hevc:2015:auxid:1)/;
const AVIF_HEADER = 64 * 1024;

/** Thumbnails, tiles and the alpha plane have sizes of their own; the picture's is the largest. */
const readAvif: Reader = (bytes, view) => {
  const header = ascii(bytes, 0, AVIF_HEADER);
  const sizes = [...header.matchAll(/ispe/g)].map(({ index }) => ({
    width: view.getUint32(index + 8),
    height: view.getUint32(index + 12),
  }));
  const [largest] = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height);
  const isAnimated = ascii(bytes, 8, 4) === "avis";
  return largest ? { ...largest, hasAlpha: ALPHA_PLANE.test(header), isAnimated } : null;
};

const ascii = (bytes: Uint8Array, start: number, length: number) =>
  new TextDecoder("latin1").decode(bytes.subarray(start, start + length));

const readers: Record<string, Reader> = {
  "image/png": readPng,
  "image/jpeg": readJpeg,
  "image/gif": readGif,
  "image/webp": readWebp,
  "image/avif": readAvif,
};

const MOST_PIXELS = 50_000_000;
const LONGEST_SIDE = 12_000;

/** Decoding takes memory per pixel, at Cloudflare Images and in every browser. */
export const isTooLarge = ({ width, height }: Dimensions) =>
  width * height > MOST_PIXELS || Math.max(width, height) > LONGEST_SIDE;

export const tooManyPixels = ({ width, height }: Dimensions) => {
  const [across, down] = [width, height].map((pixels) => pixels.toLocaleString("en"));
  return `This picture is ${across} × ${down} pixels. The limit is 50 megapixels, and 12,000 pixels a side.`;
};
