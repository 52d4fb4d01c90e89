import { api, readJson } from "#site/api.ts";
import { counted } from "#site/ui/format.ts";
import type { Chapter, EpisodeInput, OpenedEpisode } from "#worker/episodes/contract.ts";
import { flawInWords, type StoredFile } from "#worker/files/contract.ts";
import { toJpeg } from "../files/to-jpeg.ts";
import { readForm } from "../form/read.ts";
import { withTag, type TagChapter } from "../sound/id3-tag.ts";
import { gainInWords, withinRoom } from "../sound/level.ts";
import { Refusal } from "../sound/mp3-audio.ts";
import { changeGain, readRoom } from "../sound/mp3-gain.ts";
import { episodeForm } from "./episode-input.ts";

/** A copy and what it has; or why there is none. */
export type MadeCopy = { file: File; news: string } | { problem: string };

const UPLOADING = "It is being uploaded above, under Audio. The original stays in Media.";
const INCOMPLETE = "Some fields of this form can’t be read yet. Correct them first.";
const CHANGED = "The recording couldn’t be read whole. Try again.";
const NO_ROOM = "This MP3 has no room for another loudness without losses.";

type Tagging = {
  audio: StoredFile;
  episode: OpenedEpisode | null;
  image: StoredFile | null;
  form: HTMLFormElement;
};

/** A copy of an MP3 with the title, chapters and picture of a form. */
export const makeTaggedCopy = ({ audio, episode, image, form }: Tagging) =>
  orProblem(async () => {
    const parsed = readForm(new FormData(form), episodeForm);
    if ("errors" in parsed) throw new Refusal(INCOMPLETE);
    const values = parsed.input;
    const show = await readJson(api.show.$get());
    const picture = image ?? show?.artwork ?? null;
    const cover = picture && (await readPicture(picture.url, COVER, "The cover"));
    const { chapters, foreign } = await tagChapters(values.chapters ?? [], audio.durationSeconds ?? 0);
    const file = await withTag(await readRecording(audio), {
      title: values.title,
      artist: show?.show.author ?? "",
      album: show?.show.title ?? "",
      date: dateOf(values),
      season: values.seasonNumber ?? null,
      number: values.episodeNumber ?? null,
      comment: values.description ?? "",
      page: episode?.values.status === "published" ? `${location.origin}/episode/${episode.id}` : null,
      cover,
      chapters,
    });
    const sentences = [
      `Written: the title${cover ? ", the cover" : ""}${chapters.length > 0 ? `, ${counted(chapters.length, "chapter")}` : ""}.`,
      ...(cover ? [] : ["There is no cover: neither the episode nor the podcast has a picture."]),
      ...(chapters.length > 0 ? [] : ["There are no chapters: the form has none."]),
      ...(foreign > 0 ? [`${counted(foreign, "picture")} on other sites left out.`] : []),
      UPLOADING,
    ];
    await keep(audio);
    return { file: named(file, audio, "tagged"), news: sentences.join(" ") };
  });

/** A copy of an MP3 that is louder by so many steps, or by as many as it has room for. */
export const makeLevelledCopy = (audio: StoredFile, wanted: number) =>
  orProblem(async () => {
    const recording = await readRecording(audio);
    const steps = withinRoom(wanted, await readRoom(recording));
    if (steps === 0) throw new Refusal(NO_ROOM);
    const file = await changeGain(recording, steps);
    await keep(audio);
    const short = steps === wanted ? "" : ` The file has no room for the full ${gainInWords(wanted)}.`;
    const news = `Levelled by ${gainInWords(steps)}.${short} ${UPLOADING}`;
    return { file: named(file, audio, gainInWords(steps).replace("−", "-")), news };
  });

async function orProblem(make: () => Promise<MadeCopy>): Promise<MadeCopy> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message };
    throw error;
  }
}

/** Blobs of a response are on the disk, if they are large. */
async function readRecording(audio: StoredFile) {
  if (audio.flaw === "cut_off") throw new Refusal(flawInWords(audio) ?? CHANGED);
  const blob = await read(audio.url);
  if (blob.size !== audio.size) throw new Refusal(CHANGED);
  return blob;
}

async function read(url: string) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.blob();
}

/** Without it, a file that nothing uses is deleted after a day. */
const keep = ({ id }: StoredFile) =>
  readJson(api.files[":id"].$patch({ param: { id }, json: { kept: true } }));

/** "talk (tagged).mp3"; a copy of such a copy has one such word. */
function named(copy: Blob, { name }: StoredFile, word: string) {
  const stem = name.replace(/\.\w+$/, "").replace(` (${word})`, "");
  return new File([copy], `${stem} (${word}).mp3`, { type: "audio/mpeg" });
}

/** "2026-11-30" in UTC. */
function dateOf({ publishedAt, scheduledFor }: Partial<EpisodeInput>) {
  const at = publishedAt ?? scheduledFor ?? null;
  return at === null ? null : new Date(at).toISOString().slice(0, 10);
}

type Fit = { pixels: number; bytes: number };
/** What apps show well, and hold in memory. */
const COVER: Fit = { pixels: 1400, bytes: 1_000_000 };
const CHAPTER_PICTURE: Fit = { pixels: 800, bytes: 300_000 };

/** Each chapter ends where the next one of the list begins, unless it has an end. Other sites' pictures cannot be read: `foreign` counts them. */
async function tagChapters(chapters: Chapter[], duration: number) {
  const sorted = chapters.toSorted((a, b) => a.start - b.start);
  const pictures = new Map<string, ArrayBuffer>();
  let foreign = 0;
  const tagged: TagChapter[] = [];
  for (const [at, { start, title, url, img, end, toc }] of sorted.entries()) {
    const isOwn = img?.startsWith("/media/");
    if (img && !isOwn) foreign += 1;
    if (img && isOwn && !pictures.has(img))
      pictures.set(img, await readPicture(img, CHAPTER_PICTURE, `The picture of “${title}”`));
    tagged.push({
      start,
      end: Math.max(start, end ?? startAfter(sorted.slice(at + 1)) ?? duration),
      title,
      url,
      picture: pictures.get(img ?? "") ?? null,
      isListed: toc !== false,
    });
  }
  return { chapters: tagged, foreign };
}

/** A chapter that is in no list, such as a picture, does not end the one before it. */
const startAfter = (later: Chapter[]) => later.find(({ toc }) => toc !== false)?.start;

/** A JPEG or PNG as it is, unless it is too large; any other picture as a JPEG. @throws Refusal */
async function readPicture(url: string, { pixels, bytes }: Fit, what: string) {
  const blob = await read(url);
  if (/^image\/(?:jpeg|png)$/.test(blob.type) && blob.size <= bytes) return blob.arrayBuffer();
  const picture = await createImageBitmap(blob).catch(() => {
    throw new Refusal(`${what} can’t be read by this browser. Choose a JPEG or PNG.`);
  });
  const { width, height } = picture;
  const scale = Math.min(1, pixels / Math.max(width, height));
  const fitting = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const jpeg = await toJpeg(picture, { left: 0, top: 0, width, height }, fitting);
  return jpeg.arrayBuffer();
}
