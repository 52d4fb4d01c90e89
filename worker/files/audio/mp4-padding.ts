import { boxesIn, type Box } from "#worker/files/audio/boxes.ts";
import type { Track } from "#worker/files/audio/mp4-samples.ts";
import type { Reader } from "#worker/files/pictures/metadata/reader.ts";

/**
 * The silence that an encoder puts around the sound of an MP4, as iTunes and its relatives write it into the tag iTunSMPB:
 * in hexadecimal numbers an unused one, the samples before the sound, those behind it, and those of the sound itself.
 */

const NAME = "iTunSMPB";
/** Of `meta`, of `name` and of `data`, before what they hold. */
const [META_HEADER, NAME_HEADER, DATA_HEADER] = [4, 4, 8];
const LONGEST = 512;
/** Samples, of HE-AAC. */
const A_FRAME = 2048;

/** Seconds of the sound itself; null if the file has no such tag, or one of another recording. */
export async function soundWithoutPadding(reader: Reader, moov: Box, { timescale, duration }: Track) {
  const [udta] = await findBoxes(reader, moov, "udta");
  const [meta] = udta ? await findBoxes(reader, udta, "meta") : [];
  const [ilst] = meta
    ? await findBoxes(reader, { ...meta, content: meta.content + META_HEADER }, "ilst")
    : [];
  const items = ilst ? await findBoxes(reader, ilst, "----") : [];
  for (const item of items) {
    const [name] = await findBoxes(reader, item, "name");
    const [data] = await findBoxes(reader, item, "data");
    if (!name || !data || (await textOf(reader, name, NAME_HEADER)) !== NAME) continue;
    const [, delay, padding, samples] = (await textOf(reader, data, DATA_HEADER))
      .trim()
      .split(/\s+/)
      .map((number) => (/^[\da-f]{1,16}$/i.test(number) ? parseInt(number, 16) : NaN));
    // Some programs count the last frame whole, others as far as there is sound in it.
    const isOfThis = Math.abs(delay! + padding! + samples! - duration!) <= A_FRAME;
    return isOfThis && samples! > 0 && timescale > 0 ? samples! / timescale : null;
  }
  return null;
}

async function findBoxes(reader: Reader, parent: Box, type: string) {
  const found: Box[] = [];
  for await (const box of boxesIn(reader, parent)) if (box.type === type) found.push(box);
  return found;
}

async function textOf(reader: Reader, { content, end }: Box, header: number) {
  const from = content + header;
  if (from >= end || end - from > LONGEST) return "";
  return new TextDecoder("latin1").decode(await reader.bytes(from, end));
}
