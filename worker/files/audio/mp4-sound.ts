import { boxesIn, readType, wholeFile, type Box } from "#worker/files/audio/boxes.ts";
import { cutTo, whole, type Length } from "#worker/files/audio/length.ts";
import { playedOf, readEdits } from "#worker/files/audio/mp4-edits.ts";
import { Fragments, indexedSeconds } from "#worker/files/audio/mp4-fragments.ts";
import { soundWithoutPadding } from "#worker/files/audio/mp4-padding.ts";
import { secondsThatFit, type Track } from "#worker/files/audio/mp4-samples.ts";
import { cutOff, InvalidFileError, isNotPlayed } from "#worker/files/invalid.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/** The tracks of an MP4, ISO 14496-12: whether it is sound alone, and how much of it is there. */

/** Codecs that browsers or podcast apps play. Telephony's AMR and raw samples are not among them. */
const PLAYED = ["mp4a", "alac", "fLaC", "Opus", ".mp3", "ac-3", "ec-3"];
/** Encrypted sound, by its protection. */
const PROTECTED: Record<string, string> = {
  drms: "Apple’s FairPlay",
  enca: "encryption",
  aavd: "Audible’s encryption",
};
const IN_TRACK = ["tref", "edts", "mdia", "minf", "stbl"];
/** Instead of a duration that is not known yet. */
const UNKNOWN = [0, 0xffff_ffff, 2 ** 64];

/** `timescale`: ticks a second in which edits and fragments are counted. */
type Movie = { box: Box; sound: Track; timescale: number };

/**
 * The duration of an MP4's sound; null if it has none.
 * @throws InvalidFileError for a video, for sound that is not played anywhere, and for a file that is truncated before
 * its sound
 */
export async function readMp4Length(reader: Reader): Promise<Length | null> {
  const { moov, fragments, index, isCut, isJoined } = await readLayout(reader);
  if (!moov || moov.isCut) throw cutOff();
  const movie = await readMovie(reader, moov);
  if (!movie) return null;
  const length =
    fragments.length > 0
      ? await fragmentsLength(reader, movie, { fragments, index, isCut })
      : await samplesLength(reader, movie, isCut);
  // Players stop where the next file begins.
  return isJoined && !length.flaw ? { ...length, flaw: "joined" } : length;
}

/** The track with the sound, null if there is none; and whether fragments have samples of it. */
export async function readSound(reader: Reader) {
  const { moov, fragments } = await readLayout(reader);
  const movie = moov && !moov.isCut ? await readMovie(reader, moov) : null;
  return movie && { sound: movie.sound, timescale: movie.timescale, hasFragments: fragments.length > 0 };
}

/**
 * Refuses a video by its beginning, as far as the tracks are listed there.
 * @throws InvalidFileError
 */
export async function refuseVideo(reader: Reader) {
  for await (const box of boxesIn(reader, wholeFile(reader))) {
    if (box.isCut) return;
    if (box.type === "moov") return void (await readMovie(reader, box));
  }
}

type Layout = { moov: Box | null; fragments: Box[]; index: Box[]; isCut: boolean; isJoined: boolean };

/** The boxes of the first file, if several are joined. */
async function readLayout(reader: Reader): Promise<Layout> {
  const layout: Layout = { moov: null, fragments: [], index: [], isCut: false, isJoined: false };
  for await (const box of boxesIn(reader, wholeFile(reader))) {
    if (layout.moov && ["ftyp", "moov"].includes(box.type)) return { ...layout, isJoined: true };
    if (box.type === "moov") layout.moov = box;
    if (box.type === "sidx" && !box.isCut) layout.index.push(box);
    if (box.type === "moof" && !box.isCut) layout.fragments.push(box);
    if (["mdat", "moof"].includes(box.type) && box.isCut) layout.isCut = true;
  }
  return layout;
}

async function readMovie(reader: Reader, box: Box): Promise<Movie | null> {
  const tracks: Track[] = [];
  let timescale = 0;
  for await (const child of boxesIn(reader, box)) {
    if (child.type === "trak") tracks.push(await readTrack(reader, child));
    if (child.type === "mvhd") ({ timescale } = await readTimes(reader, child));
  }
  const chapters = tracks.flatMap((track) => track.chapters);
  if (tracks.some(({ id, handler }) => handler === "vide" && !chapters.includes(id))) throw isVideo();
  const sound = tracks.find(({ handler }) => handler === "soun");
  if (!sound) return null;
  if (PROTECTED[sound.codec]) throw isProtected(PROTECTED[sound.codec]!);
  if (!PLAYED.includes(sound.codec)) throw isNotPlayed(printed(sound.codec));
  return { box, sound, timescale };
}

const printed = (codec: string) => codec.replaceAll(/[^ -~]/g, "?").trim();
const isProtected = (by: string) =>
  new InvalidFileError(
    `This recording is copy-protected with ${by}: only its buyer’s apps play it. Export your original as MP3 or M4A, without protection, and upload that.`,
  );
const isVideo = () =>
  new InvalidFileError("This is a video. Export only its audio, as MP3 or M4A, and upload that.");

async function readTrack(reader: Reader, trak: Box): Promise<Track> {
  const boxes = await collect(reader, trak);
  const [hdlr, stsd, chap] = [boxes.get("hdlr"), boxes.get("stsd"), boxes.get("chap")];
  const { timescale, duration } = await readTimes(reader, boxes.get("mdhd"));
  return {
    id: await readId(reader, boxes.get("tkhd")),
    handler: hdlr ? await readType(reader, hdlr.content + 8) : "",
    codec: stsd ? await readType(reader, stsd.content + 12) : "",
    timescale,
    duration,
    chapters: chap ? await readIds(reader, chap) : [],
    boxes,
  };
}

/** The boxes within a track by their types; the first of each. */
async function collect(reader: Reader, parent: Box, boxes = new Map<string, Box>()) {
  for await (const box of boxesIn(reader, parent)) {
    if (IN_TRACK.includes(box.type)) await collect(reader, box, boxes);
    else if (!boxes.has(box.type)) boxes.set(box.type, box);
  }
  return boxes;
}

/** Behind two times, which version 1 has in 64 bits. */
const isWide = async (reader: Reader, box: Box) => (await reader.view(box.content, 1)).getUint8(0) === 1;

async function readId(reader: Reader, tkhd: Box | undefined) {
  if (!tkhd) return 0;
  return (await reader.view(tkhd.content + ((await isWide(reader, tkhd)) ? 20 : 12), 4)).getUint32(0);
}

/** Of `mdhd` or `mvhd`. */
async function readTimes(reader: Reader, header: Box | undefined) {
  if (!header) return { timescale: 0, duration: null };
  const wide = await isWide(reader, header);
  const times = await reader.view(header.content + (wide ? 20 : 12), wide ? 12 : 8);
  const ticks = wide ? Number(times.getBigUint64(4)) : times.getUint32(4);
  return { timescale: times.getUint32(0), duration: UNKNOWN.includes(ticks) ? null : ticks };
}

async function readIds(reader: Reader, { content, end }: Box) {
  const ids: number[] = [];
  for (let at = content; at + 4 <= end; at += 4) {
    reader.step();
    ids.push((await reader.view(at, 4)).getUint32(0));
  }
  return ids;
}

async function samplesLength(reader: Reader, movie: Movie, isCut: boolean): Promise<Length> {
  const { duration, timescale } = movie.sound;
  if (duration === null || timescale === 0) return whole(null);
  const stated = duration / timescale;
  const there = await secondsThatFit(reader, movie.sound, isCut);
  const edits = await readEdits(reader, movie.sound, movie.timescale);
  // Players apply the edit list if there is one.
  const sound = edits || there !== null ? null : await soundWithoutPadding(reader, movie.box, movie.sound);
  const played = playedOf(edits, there ?? sound ?? stated);
  if (played === 0) throw cutOff();
  return cutTo(played, playedOf(edits, sound ?? stated));
}

type Found = Pick<Layout, "fragments" | "index" | "isCut">;

async function fragmentsLength(reader: Reader, movie: Movie, { fragments, index, isCut }: Found) {
  const { sound } = movie;
  const { mehd, trex } = await readExtension(reader, movie.box);
  const counted = new Fragments(reader, sound.id, await readDefaultDuration(reader, trex, sound.id));
  const inMovie = sound.boxes.has("stts") ? await secondsThatFit(reader, sound, true) : 0;
  const ticks = await counted.ticksOf(fragments);
  const there = (inMovie ?? 0) + (sound.timescale === 0 ? 0 : ticks / sound.timescale);
  const stated = (await readExtent(reader, movie, mehd)) ?? (await indexedSeconds(reader, index));
  const edits = await readEdits(reader, sound, movie.timescale);
  const seconds = playedOf(edits, there);
  if (seconds === 0) throw cutOff();
  if (stated !== null && stated > there) return cutTo(seconds, playedOf(edits, stated));
  return { seconds, flaw: isCut ? ("cut_off" as const) : null, statedSeconds: null };
}

type Extension = { mehd?: Box; trex: Box[] };

async function readExtension(reader: Reader, moov: Box) {
  const found: Extension = { trex: [] };
  for await (const mvex of boxesIn(reader, moov)) {
    if (mvex.type !== "mvex") continue;
    for await (const box of boxesIn(reader, mvex)) {
      if (box.type === "mehd") found.mehd = box;
      if (box.type === "trex") found.trex.push(box);
    }
  }
  return found;
}

async function readDefaultDuration(reader: Reader, trex: Box[], track: number) {
  for (const { content } of trex) {
    const fields = await reader.view(content, 16);
    if (fields.getUint32(4) === track) return fields.getUint32(12);
  }
  return 0;
}

/** What the movie says that all its fragments last, in seconds. */
async function readExtent(reader: Reader, { timescale }: Movie, mehd: Box | undefined) {
  if (!mehd || timescale === 0) return null;
  const wide = await isWide(reader, mehd);
  const extent = await reader.view(mehd.content + 4, wide ? 8 : 4);
  const ticks = wide ? Number(extent.getBigUint64(0)) : extent.getUint32(0);
  return UNKNOWN.includes(ticks) ? null : ticks / timescale;
}
