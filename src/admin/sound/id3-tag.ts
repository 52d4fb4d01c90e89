import { ID3Writer } from "browser-id3-writer";
import { audioOf, Refusal } from "./mp3-audio.ts";

export type TagChapter = {
  /** Seconds. */
  start: number;
  end: number;
  title: string;
  url: string | null;
  picture: ArrayBuffer | null;
  /** Whether it is in the table of contents. */
  isListed: boolean;
};

export type TagValues = {
  title: string;
  artist: string;
  album: string;
  /** "2026-11-30"; null if it is not published. */
  date: string | null;
  season: number | null;
  number: number | null;
  /** Plain text. */
  comment: string;
  /** The episode's page, if it is public. */
  page: string | null;
  /** JPEG or PNG. */
  cover: ArrayBuffer | null;
  chapters: TagChapter[];
};

const FRONT_COVER = 3;
const OTHER_PICTURE = 0;
/** The count of a list is a single byte. */
const MOST_LISTED = 255;
const CONTENTS = "toc";
/** Bytes: apps load a tag as a whole before they play. */
const LONGEST_TAG = 16 * 1024 * 1024;

/**
 * A copy of an MP3 with a tag of ID3v2.3 in place of all its tags. Its audio is the same bytes, the encoder's frame included.
 * @throws Refusal
 */
export async function withTag(file: Blob, values: TagValues): Promise<Blob> {
  const { start, end } = await audioOf(file);
  const tag = id3Tag(values);
  if (tag.byteLength > LONGEST_TAG)
    throw new Refusal(
      `The pictures have ${Math.ceil(tag.byteLength / 1024 / 1024)} MB together, and 16 MB fit. Remove some of the chapters’ pictures.`,
    );
  return new Blob([tag, file.slice(start, end)], { type: "audio/mpeg" });
}

function id3Tag(values: TagValues) {
  const writer = new ID3Writer(new ArrayBuffer(0));
  const { title, artist, album, date, season, number, comment, page, cover, chapters } = values;
  writer.setFrame("TIT2", title);
  if (artist !== "") writer.setFrame("TPE1", [artist]);
  if (album !== "") writer.setFrame("TALB", album);
  writer.setFrame("TCON", ["Podcast"]);
  if (date) {
    const [year = "", month = "", day = ""] = date.split("-");
    writer.setFrame("TYER", Number(year)).setFrame("TDAT", `${day}${month}`);
  }
  if (number !== null) writer.setFrame("TRCK", String(number));
  if (season !== null) writer.setFrame("TPOS", String(season));
  if (comment !== "") writer.setFrame("COMM", { language: "und", description: "", text: comment });
  if (page) writer.setFrame("WOAF", page);
  if (cover) writer.setFrame("APIC", { type: FRONT_COVER, data: cover, description: "Cover" });
  addChapters(writer, chapters);
  return writer.addTag();
}

/** Of more than 255 chapters, the table of contents has tables of its own. */
function addChapters(writer: ID3Writer, chapters: TagChapter[]) {
  if (chapters.length === 0) return;
  const ids = chapters.map((_, index) => `chp${index}`);
  const listed = ids.filter((_, index) => chapters[index]!.isListed);
  const lists = Array.from({ length: Math.max(1, Math.ceil(listed.length / MOST_LISTED)) }, (_, at) =>
    listed.slice(at * MOST_LISTED, (at + 1) * MOST_LISTED),
  );
  const isNested = lists.length > 1;
  const names = lists.map((_, at) => (isNested ? `${CONTENTS}${at + 1}` : CONTENTS));
  if (isNested)
    writer.setFrame("CTOC", { id: CONTENTS, childElementIds: names, topLevel: true, ordered: true });
  for (const [at, childElementIds] of lists.entries())
    writer.setFrame("CTOC", { id: names[at]!, childElementIds, topLevel: !isNested, ordered: true });
  for (const [index, { start, end, title, url, picture }] of chapters.entries())
    writer.setFrame("CHAP", {
      id: ids[index]!,
      startTime: Math.round(start * 1000),
      endTime: Math.round(end * 1000),
      subFrames: {
        TIT2: title,
        ...(url && { WXXX: { description: "", value: new URL(url).href } }),
        ...(picture && { APIC: { description: "", data: picture, type: OTHER_PICTURE } }),
      },
    });
}
