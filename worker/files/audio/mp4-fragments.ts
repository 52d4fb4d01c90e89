import type { Box } from "#worker/files/audio/boxes.ts";
import { tooManyParts } from "#worker/files/invalid.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** Movie fragments, ISO 14496-12, 8.8, and their index, 8.16.3. */

/** The lists of samples of some forty hours. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Flags of `tfhd` and `trun`: the fields that are there. */
const TFHD = { base: 1, description: 2, duration: 8, size: 0x10 };
const TRUN = { offset: 1, firstFlags: 4, duration: 0x100, size: 0x200, flags: 0x400, composition: 0x800 };

type Header = { track: number; base: number | null; duration: number; size: number };

/** Adds up the samples of one track, as far as they end within the file. */
export class Fragments {
  readonly #reader: Reader;
  readonly #track: number;
  readonly #duration: number;

  /** `duration`: ticks of a sample that does not say its own. */
  constructor(reader: Reader, track: number, duration: number) {
    this.#reader = reader;
    this.#track = track;
    this.#duration = duration;
  }

  async ticksOf(fragments: Box[]) {
    let [ticks, bytes] = [0, 0];
    for (const { start, content, end } of fragments) {
      bytes += end - content;
      if (bytes > MOST_BYTES) throw tooManyParts();
      const moof = await this.#reader.view(content, end - content);
      for (const traf of childrenOf(moof))
        if (traf.type === "traf") ticks += this.#readTrack(traf.view, start);
    }
    return ticks;
  }

  #readTrack(traf: DataView, moof: number) {
    const boxes = [...childrenOf(traf)];
    const tfhd = boxes.find(({ type }) => type === "tfhd");
    if (!tfhd) return 0;
    const header = readHeader(tfhd.view, this.#duration);
    if (header.track !== this.#track) return 0;
    let [ticks, at] = [0, header.base ?? moof];
    for (const { type, view } of boxes) {
      if (type !== "trun") continue;
      const run = readRun(view, header, { base: header.base ?? moof, at, end: this.#reader.size });
      ticks += run.ticks;
      at = run.at;
    }
    return ticks;
  }
}

function readHeader(tfhd: DataView, defaultDuration: number): Header {
  const flags = tfhd.getUint32(0) & 0xffffff;
  const header: Header = { track: tfhd.getUint32(4), base: null, duration: defaultDuration, size: 0 };
  let at = 8;
  if (flags & TFHD.base) {
    header.base = Number(tfhd.getBigUint64(at));
    at += 8;
  }
  if (flags & TFHD.description) at += 4;
  if (flags & TFHD.duration) {
    header.duration = tfhd.getUint32(at);
    at += 4;
  }
  if (flags & TFHD.size) header.size = tfhd.getUint32(at);
  return header;
}

/** `base`: the origin of its offset. `at`: the end of the last run. `end`: of the file. */
type Place = { base: number; at: number; end: number };

function readRun(trun: DataView, header: Header, { base, at, end }: Place) {
  const flags = trun.getUint32(0) & 0xffffff;
  const count = trun.getUint32(4);
  let [field, ticks] = [8, 0];
  if (flags & TRUN.offset) {
    at = base + trun.getInt32(field);
    field += 4;
  }
  if (flags & TRUN.firstFlags) field += 4;
  const each = [TRUN.duration, TRUN.size, TRUN.flags, TRUN.composition].filter((flag) => flags & flag);
  if (each.length === 0) {
    const fitting = header.size > 0 ? Math.floor((end - at) / header.size) : at < end ? count : 0;
    const samples = Math.max(0, Math.min(count, fitting));
    return { ticks: samples * header.duration, at: at + count * header.size };
  }
  for (let sample = 0; sample < count; sample++) {
    const duration = flags & TRUN.duration ? trun.getUint32(field) : header.duration;
    const size = flags & TRUN.size ? trun.getUint32(field + (flags & TRUN.duration ? 4 : 0)) : header.size;
    at += size;
    field += each.length * 4;
    if (at > end) break;
    ticks += duration;
  }
  return { ticks, at };
}

function* childrenOf(parent: DataView) {
  for (let start = 0; start + 8 <= parent.byteLength;) {
    const length = parent.getUint32(start);
    if (length < 8 || start + length > parent.byteLength) return;
    const type = String.fromCharCode(...[4, 5, 6, 7].map((at) => parent.getUint8(start + at)));
    yield { type, view: new DataView(parent.buffer, parent.byteOffset + start + 8, length - 8) };
    start += length;
  }
}

/** The duration that a single index of the whole file states; null if there is none, or one for each segment. */
export async function indexedSeconds(reader: Reader, [sidx, ...others]: Box[]) {
  if (!sidx || sidx.end - sidx.content < 24) return null;
  const isWide = (await reader.view(sidx.content, 1)).getUint8(0) === 1;
  const head = isWide ? 32 : 24;
  const view = await reader.view(sidx.content, sidx.end - sidx.content);
  const timescale = view.getUint32(8);
  const references = Math.min(view.getUint16(head - 2), (view.byteLength - head) / 12);
  let [ticks, covered] = [0, sidx.end + (isWide ? Number(view.getBigUint64(20)) : view.getUint32(16))];
  for (let at = head; at < head + Math.floor(references) * 12; at += 12) {
    covered += view.getUint32(at) & 0x7fff_ffff;
    ticks += view.getUint32(at + 4);
  }
  const isWhole = others.every(({ start }) => start < covered);
  return isWhole && timescale > 0 ? ticks / timescale : null;
}
