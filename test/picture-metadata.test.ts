import { env } from "cloudflare:workers";
import { gps, parse } from "exifr";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanPicture } from "#worker/files/pictures/metadata/clean.ts";
import { readPicture } from "#worker/files/pictures/picture-headers.ts";
import { join, makePng } from "./support/mp3.ts";
import {
  box,
  chunk,
  clean,
  hasText,
  inserted,
  latin1,
  number,
  photographs,
  riff,
  riffChunk,
  segment,
  type Photograph,
} from "./support/pictures.ts";

const names = Object.keys(photographs) as Photograph[];
const MARKER = latin1("MARKER");

/** Its pixels as Images decodes them, turned upright, in a format without metadata. */
async function pixelsOf(bytes: Uint8Array<ArrayBuffer>) {
  const made = await env.IMAGES.input(new Blob([bytes]).stream())
    .transform({ width: 48 })
    .output({ format: "image/webp", quality: 100 });
  return new Uint8Array(await new Response(made.image()).arrayBuffer());
}

describe.each(names)("%s", (name) => {
  const { bytes, type } = photographs[name];

  test("contains nothing about the photographer, the camera or the location", async () => {
    expect(hasText(bytes, "MARKER")).toBe(true);
    const cleaned = await clean(photographs[name]);
    expect(hasText(cleaned, "MARKER")).toBe(false);
    expect(hasText(cleaned, "adobe:ns:meta")).toBe(false);
    expect(cleaned.length).toBeLessThanOrEqual(bytes.length);
  });

  test("cleaned twice is the same as cleaned once", async () => {
    const cleaned = await clean(photographs[name]);
    expect(await clean({ bytes: cleaned, type })).toEqual(cleaned);
  });

  test("has the same size and opacity", async () => {
    if (type === "image/heic") return;
    expect(readPicture(await clean(photographs[name]), type)).toEqual(readPicture(bytes, type));
  });

  test("truncated at any byte is refused with a message", async () => {
    for (let length = Math.ceil(bytes.length / 3); length < bytes.length; length += 13) {
      await expect(clean({ bytes: bytes.slice(0, length), type }), `${length} bytes`).rejects.toThrow(
        "The file seems cut off. Upload it again.",
      );
    }
    await expect(clean({ bytes: bytes.slice(0, -1), type })).rejects.toThrow("cut off");
  });
});

// The local Images binding uses sharp, whose HEIF has no HEVC.
const decodable = names.filter((name) => photographs[name].type !== "image/heic");
test.each(decodable)("%s looks the same", async (name) => {
  const { bytes } = photographs[name];
  expect(await pixelsOf(await clean(photographs[name]))).toEqual(await pixelsOf(bytes));
});

describe("an independent parser", () => {
  test.each(["camera.jpg", "progressive.jpg", "camera.png"] as const)(
    "finds only the orientation in %s",
    async (name) => {
      const all = {
        gps: true,
        xmp: true,
        iptc: true,
        jfif: true,
        ihdr: false,
        icc: false,
        translateValues: false,
      };
      expect(await parse(photographs[name].bytes, all)).toMatchObject({
        latitude: 52.5,
        Orientation: 6,
      });
      const found = await parse(await clean(photographs[name]), { ...all, jfif: false });
      expect(found).toEqual({ Orientation: 6 });
    },
  );

  test.each(["camera.avif", "camera.heic"] as const)("finds nothing in %s", async (name) => {
    expect(await gps(photographs[name].bytes)).toMatchObject({ latitude: 52.5 });
    expect(await parse(await clean(photographs[name]), { xmp: true, icc: false })).toBeUndefined();
  });

  test.each(["camera.jpg", "camera.png", "camera.avif"] as const)(
    "finds the colour profile of %s",
    async (name) => {
      const { bytes } = photographs[name];
      const before = await parse(bytes, { icc: true, mergeOutput: false });
      const after = await parse(await clean(photographs[name]), { icc: true, mergeOutput: false });
      expect(before.icc.ColorSpaceData).toBe("RGB");
      expect(after.icc).toEqual(before.icc);
    },
  );
});

describe("a JPEG", () => {
  const { bytes, type } = photographs["progressive.jpg"];
  const upright = (pieces: Uint8Array) => clean({ bytes: join([pieces]), type });

  test("loses every application segment and every comment, before and between its scans", async () => {
    const plain = await clean(photographs["progressive.jpg"]);
    const scan = plain.findLastIndex((byte, at) => byte === 0xff && plain[at + 1] === 0xda);
    for (const marker of [0xe1, 0xe2, 0xe3, 0xed, 0xee, 0xef, 0xf0, 0xfe]) {
      for (const at of [2, scan]) {
        expect(await upright(inserted(plain, at, segment(marker, MARKER)))).toEqual(plain);
      }
    }
    const mpf = segment(0xe2, latin1("MPF\0MARKER"));
    expect(await upright(inserted(plain, 2, mpf))).toEqual(plain);
  });

  test("loses data after its end", async () => {
    const plain = await clean(photographs["progressive.jpg"]);
    expect(await upright(join([plain, bytes, MARKER]))).toEqual(plain);
  });

  test("loses the thumbnail of its JFIF header and keeps its density", async () => {
    const jfif = (width: number, height: number, thumbnail: Uint8Array) =>
      segment(
        0xe0,
        join([latin1("JFIF\0"), new Uint8Array([1, 2, 1, 0, 72, 0, 72, width, height]), thumbnail]),
      );
    const plain = await clean(photographs["camera.jpg"]);
    const rest = plain.subarray(2);
    const withThumbnail = join([plain.subarray(0, 2), jfif(1, 1, new Uint8Array(3)), rest]);
    expect(await upright(withThumbnail)).toEqual(
      join([plain.subarray(0, 2), jfif(0, 0, new Uint8Array()), rest]),
    );
  });

  test("keeps Adobe's colour transform", async () => {
    const plain = await clean(photographs["camera.jpg"]);
    const adobe = segment(0xee, join([latin1("Adobe"), new Uint8Array([0, 100, 0, 0, 0, 0, 1])]));
    const withAdobe = inserted(plain, 2, adobe);
    expect(await upright(withAdobe)).toEqual(withAdobe);
  });

  test("that is upright has no Exif", async () => {
    const plain = await clean(photographs["camera.jpg"]);
    const at = plain.findIndex(
      (byte, index) => byte === 0x12 && plain[index - 1] === 1 && plain[index + 2] === 3,
    );
    const turned = plain.slice();
    expect(turned[at + 8]).toBe(6);
    turned[at + 8] = 1;
    expect(hasText(await upright(turned), "Exif")).toBe(false);
    turned[at + 8] = 9;
    expect(hasText(await upright(turned), "Exif")).toBe(false);
  });
});

describe("a PNG", () => {
  const type = "image/png";
  const plain = makePng(3, 2, { bytes: 20 });
  const beforeData = 33;

  test.each(["tEXt", "zTXt", "iTXt", "tIME", "caBX", "prVt", "iDOT"])("loses its %s", async (name) => {
    expect(await clean({ bytes: inserted(plain, beforeData, chunk(name, MARKER)), type })).toEqual(plain);
  });

  test.each(
    "tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT PLTE".split(" "),
  )("keeps its %s", async (name) => {
    const bytes = inserted(plain, beforeData, chunk(name, new Uint8Array(4)));
    expect(await clean({ bytes, type })).toEqual(bytes);
  });

  test("loses data after its end", async () => {
    expect(await clean({ bytes: join([plain, MARKER]), type })).toEqual(plain);
  });
});

describe("a WebP", () => {
  const type = "image/webp";

  test("loses unknown chunks, in the file and in the frames of an animation", async () => {
    const unknown = riffChunk("junk", MARKER);
    const frame = join([new Uint8Array(16), riffChunk("VP8L", new Uint8Array(6))]);
    const header = riffChunk("VP8X", new Uint8Array([2, 0, 0, 0, 2, 0, 0, 1, 0, 0]));
    const bytes = riff("WEBP", header, unknown, riffChunk("ANMF", join([frame, unknown])));
    expect(await clean({ bytes, type })).toEqual(riff("WEBP", header, riffChunk("ANMF", frame)));
  });

  test("clears the XMP flag, and the Exif flag unless it is rotated", async () => {
    const vp8x = (flags: number) => riffChunk("VP8X", new Uint8Array([flags, 0, 0, 0, 2, 0, 0, 1, 0, 0]));
    const data = riffChunk("VP8L", new Uint8Array(6));
    const exif = (orientation: number) =>
      riffChunk(
        "EXIF",
        join([
          latin1("II*\0"),
          number(8, 4, true),
          number(1, 2, true),
          number(0x112, 2, true),
          number(3, 2, true),
          number(1, 4, true),
          number(orientation, 4, true),
          latin1("MARKER"),
        ]),
      );
    const cleaned = (orientation: number) =>
      clean({ bytes: riff("WEBP", vp8x(0x2c), data, exif(orientation), riffChunk("XMP ", MARKER)), type });
    expect(await cleaned(1)).toEqual(riff("WEBP", vp8x(0x20), data));
    const turned = await cleaned(8);
    expect(turned[20]).toBe(0x28);
    expect(hasText(turned, "MARKER")).toBe(false);
    expect(hasText(turned, "EXIF")).toBe(true);
  });

  test("loses data after its end", async () => {
    const plain = await clean(photographs["camera.webp"]);
    expect(await clean({ bytes: join([plain, MARKER]), type })).toEqual(plain);
  });
});

describe("a GIF", () => {
  const type = "image/gif";

  test("keeps its loop count", async () => {
    expect(hasText(await clean(photographs["moving.gif"]), "NETSCAPE2.0")).toBe(true);
  });

  test("loses application and comment extensions, and data after its end", async () => {
    const plain = await clean(photographs["moving.gif"]);
    const extension = (label: number, name: string) =>
      join([
        new Uint8Array([0x21, label, name.length]),
        latin1(name),
        new Uint8Array([6]),
        MARKER,
        new Uint8Array(1),
      ]);
    const end = plain.length - 1;
    for (const more of [
      extension(0xfe, "A comment"),
      extension(0xff, "XMP DataXMP"),
      extension(1, "plain text"),
    ]) {
      expect(await clean({ bytes: join([inserted(plain, end, more), MARKER]), type })).toEqual(plain);
    }
  });
});

describe("AVIF and HEIC", () => {
  const type = "image/avif";
  const full = (version: number, ...contents: Uint8Array[]) =>
    join([new Uint8Array([version, 0, 0, 0]), ...contents]);
  const item = (id: number, kind: string, more = "") =>
    box("infe", full(2, number(id, 2), number(0, 2), latin1(`${kind}MARKER name\0${more}`)));
  const exif = latin1("\0\0\0\0II*\0MARKER and all the rest of it");
  const xmp = latin1("<x:xmpmeta>MARKER</x:xmpmeta>");
  const picture = latin1("the picture");

  type Layout = { method?: 0 | 1; top?: Uint8Array[]; properties?: Uint8Array[]; length?: number };
  /** A picture, Exif and XMP, in a generated file. */
  function build({ method = 0, top = [], properties = [], length = picture.length }: Layout = {}) {
    const data = [latin1("MARKER left over"), picture, exif, xmp];
    const ftyp = box("ftyp", latin1("avif\0\0\0\0mif1avif"));
    const at = (start: number) => {
      const places = data.map((_, index) => start + join(data.slice(0, index)).length);
      const extents = [length, exif.length, xmp.length].map((size, index) =>
        join([
          number(index + 1, 2),
          number(method, 2),
          number(0, 2),
          number(1, 2),
          number(places[index + 1]!, 4),
          number(size, 4),
        ]),
      );
      return box(
        "meta",
        full(0),
        box("hdlr", full(0, new Uint8Array(4), latin1("pict"), new Uint8Array(13))),
        box(
          "iinf",
          full(0, number(3, 2), item(1, "av01"), item(2, "Exif"), item(3, "mime", "application/rdf+xml\0")),
        ),
        box("iloc", full(1, number(0x4400, 2), number(3, 2), ...extents)),
        box("iprp", box("ipco", box("ispe", full(0, number(4, 4), number(3, 4))), ...properties)),
        box("uuid", MARKER),
        ...(method === 1 ? [box("idat", ...data)] : []),
      );
    };
    const dataStart = method === 1 ? 0 : ftyp.length + at(0).length + join(top).length + 8;
    return join([ftyp, at(dataStart), ...top, ...(method === 1 ? [] : [box("mdat", ...data)])]);
  }

  test.each([0, 1] as const)(
    "lose Exif and XMP without moving a byte (construction method %i)",
    async (method) => {
      const bytes = build({ method });
      const cleaned = await clean({ bytes, type });
      expect(cleaned.length).toBe(bytes.length);
      expect(hasText(cleaned, "MARKER and")).toBe(false);
      expect(hasText(cleaned, "xmpmeta")).toBe(false);
      expect(hasText(cleaned, "the picture")).toBe(true);
      // A directory without entries, after four bytes with its offset.
      expect(
        hasText(
          cleaned,
          `the picture\0\0\0\0MM\0*\0\0\0\x08${"\0".repeat(exif.length - 12)}${" ".repeat(xmp.length)}`,
        ),
      ).toBe(true);
      expect(readPicture(cleaned, type)).toEqual(readPicture(bytes, type));
    },
  );

  test("lose data that no picture uses, unknown boxes, names, and text properties", async () => {
    const bytes = build({
      top: [box("free", MARKER), box("uuid", MARKER), box("udta", MARKER)],
      properties: [box("udes", MARKER), box("uuid", MARKER), box("irot", new Uint8Array([1]))],
    });
    const cleaned = await clean({ bytes, type });
    expect(hasText(cleaned, "MARKER")).toBe(false);
    expect(hasText(cleaned, "irot\x01")).toBe(true);
    expect(cleaned.length).toBe(bytes.length);
  });

  test("lose the boxes at their end, such as a motion photo's video", async () => {
    const bytes = build();
    expect(await clean({ bytes: join([bytes, box("mpvd", MARKER)]), type })).toEqual(
      await clean({ bytes, type }),
    );
  });

  test("a sequence loses its times and its descriptions", async () => {
    const times = box("mvhd", full(0, latin1("MARKERS!"), new Uint8Array(92)));
    const trak = box(
      "trak",
      box("tkhd", full(0, latin1("MARKERS!"), new Uint8Array(72))),
      box("meta", MARKER),
    );
    const bytes = build({ top: [box("moov", times, trak, box("udta", MARKER))] });
    const cleaned = await clean({ bytes, type });
    expect(hasText(cleaned, "MARKER left over")).toBe(true);
    expect(new TextDecoder("latin1").decode(cleaned).split("MARKER").length).toBe(2);
  });

  test("whose items reach past the end are refused as truncated", async () => {
    await expect(clean({ bytes: build({ length: 5000 }), type })).rejects.toThrow("cut off");
  });
});

test("data planted between the parts of a photograph is removed", async () => {
  const places = { "camera.jpg": 2, "camera.png": 33, "camera.webp": 30 };
  const wrap = {
    "camera.jpg": (data: Uint8Array, kind: number) => segment(0xe3 + (kind % 11), data),
    "camera.png": (data: Uint8Array, kind: number) =>
      chunk(["tEXt", "iTXt", "zzZz", "tIME"][kind % 4]!, data),
    "camera.webp": (data: Uint8Array, kind: number) => riffChunk(["XMP ", "EXIF", "abcd"][kind % 3]!, data),
  };
  const planted = fc.record({
    name: fc.constantFrom("camera.jpg" as const, "camera.png" as const, "camera.webp" as const),
    kind: fc.nat(),
    noise: fc.uint8Array({ maxLength: 300 }),
  });
  await fc.assert(
    fc.asyncProperty(planted, async ({ name, kind, noise }) => {
      const { type } = photographs[name];
      const plain = await clean(photographs[name]);
      const more = wrap[name](join([noise, latin1("PLANTED")]), kind);
      const bytes = inserted(plain, places[name], more);
      if (type === "image/webp") bytes.set(number(bytes.length - 8, 4, true), 4);
      const cleaned = await clean({ bytes, type });
      expect(hasText(cleaned, "PLANTED")).toBe(false);
      expect(await clean({ bytes: cleaned, type })).toEqual(cleaned);
      expect(readPicture(cleaned, type)).toEqual(readPicture(plain, type));
    }),
  );
});

describe("a picture of too many parts is refused after a few steps", () => {
  const many = (part: Uint8Array, times = 1_000_000) => {
    const bytes = new Uint8Array(part.length * times);
    for (let at = 0; at < bytes.length; at += part.length) bytes.set(part, at);
    return bytes;
  };
  const png = makePng(3, 2);
  const jpeg = photographs["camera.jpg"].bytes;
  const gif = photographs["moving.gif"].bytes;
  const webp = photographs["camera.webp"].bytes;
  const avif = photographs["camera.avif"].bytes;
  const ftyp = avif.subarray(0, number(0, 0).length + new DataView(avif.buffer).getUint32(0));

  test.each([
    ["image/png", "empty chunks", () => join([png.subarray(0, 33), many(chunk("tEXt", new Uint8Array()))])],
    [
      "image/png",
      "empty chunks of data",
      () => join([png.subarray(0, 33), many(chunk("IDAT", new Uint8Array()))]),
    ],
    [
      "image/jpeg",
      "empty segments",
      () => join([jpeg.subarray(0, 2), many(segment(0xe1, new Uint8Array()))]),
    ],
    ["image/jpeg", "bytes of filling", () => join([jpeg.subarray(0, 2), many(new Uint8Array([0xff]))])],
    ["image/jpeg", "empty scans", () => join([jpeg.subarray(0, 2), many(segment(0xda, new Uint8Array()))])],
    [
      "image/gif",
      "extensions",
      () => join([gif.subarray(0, gif.length - 1), many(new Uint8Array([0x21, 0xf9, 0]))]),
    ],
    [
      "image/webp",
      "empty chunks",
      () => riff("WEBP", webp.subarray(12, 30), many(riffChunk("abcd", new Uint8Array()))),
    ],
    ["image/avif", "empty boxes", () => join([ftyp, many(box("free"))])],
    [
      "image/avif",
      "boxes of data",
      () => join([ftyp, many(box("mdat"), 10_000), box("meta", new Uint8Array(4))]),
    ],
    [
      "image/avif",
      "extents of no length",
      () => {
        const items = many(join([number(1, 2), number(0, 2), number(65_535, 2)]), 60_000);
        return join([
          ftyp,
          box("meta", new Uint8Array(4), box("iloc", new Uint8Array(6), number(60_000, 2), items)),
        ]);
      },
    ],
  ])("%s: %s", async (type, _what, make) => {
    const bytes = make();
    const read: number[] = [];
    const file = new Proxy(new Blob([bytes], { type }), {
      get(blob, name) {
        if (name !== "slice") return Reflect.get(blob, name);
        return (start: number, end: number) => {
          read.push(end - start);
          return blob.slice(start, end);
        };
      },
    });
    await expect(cleanPicture(file)).rejects.toThrow("The file has too many small parts.");
    expect(read.reduce((total, length) => total + length)).toBeLessThan(1_000_000);
  });
});
