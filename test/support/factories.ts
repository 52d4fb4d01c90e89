import type { NewEpisode, ShowInput } from "#worker/episodes/contract.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { files } from "#worker/files/table.ts";
import type { NewPressItem } from "#worker/press/contract.ts";
import { ownerContext } from "./client.ts";

let count = 0;
/** A number that no other factory call of this file got. */
export const unique = () => ++count;

export function aShow(overrides: Partial<ShowInput> = {}): ShowInput {
  return {
    title: "Plain Ground",
    subtitle: "",
    description: "Conversations about health, housing and policy.",
    author: "Imogen Tarrant",
    ownerName: "Imogen Tarrant",
    ownerEmail: "owner@example.com",
    language: "en-AU",
    category: "News",
    subcategory: "Politics",
    explicit: false,
    type: "episodic",
    copyright: "© Imogen Tarrant",
    artworkFileId: null,
    locked: true,
    funding: [],
    updateFrequency: "",
    updateRule: "",
    appleVerification: "",
    people: [],
    ...overrides,
  };
}

export function anEpisode(overrides: Partial<NewEpisode> = {}): NewEpisode {
  const n = unique();
  return {
    title: `Episode ${n}`,
    episodeNumber: n,
    description: `What episode ${n} is about.`,
    ...overrides,
  };
}

export const aPressItem = (overrides: Partial<NewPressItem> = {}): NewPressItem => ({
  title: `Item ${unique()}`,
  summary: `What it says, ${unique()}.`,
  date: "2026-03-04",
  ...overrides,
});

/** A show, saved. */
export const savedShow = (overrides: Partial<ShowInput> = {}) => updateShow(ownerContext(), aShow(overrides));

type FileValues = Partial<typeof files.$inferInsert> & { bytes?: Uint8Array };

/** A complete file: its object in R2 and its row, as a finished upload leaves them. */
export async function storedFile({ bytes = new Uint8Array(2048).fill(7), ...overrides }: FileValues = {}) {
  const ctx = ownerContext();
  const id = crypto.randomUUID();
  const row = {
    id,
    key: `podcast-audio/${id}/audio.mp3`,
    folder: "podcast-audio" as const,
    name: "audio.mp3",
    type: "audio/mpeg",
    size: bytes.byteLength,
    partSize: 8 * 1024 * 1024,
    status: "complete" as const,
    // By milliseconds of its own: two of one size and length pass for one recording.
    durationSeconds: 90 + (unique() % 400) / 1000,
    audioStart: 0,
    createdBy: "owner",
    createdAt: ctx.now,
    completedAt: ctx.now,
    ...overrides,
  };
  await ctx.media.put(row.key, bytes, { httpMetadata: { contentType: row.type } });
  await ctx.db.insert(files).values(row);
  return row;
}

export const storedAudio = storedFile;

export function storedImage(overrides: FileValues = {}) {
  const id = crypto.randomUUID();
  return storedFile({
    id,
    key: `podcast-images/${id}/picture.jpg`,
    folder: "podcast-images",
    name: "picture.jpg",
    type: "image/jpeg",
    durationSeconds: null,
    audioStart: null,
    width: 1600,
    height: 1600,
    hasAlpha: false,
    ...overrides,
  });
}

/** A published episode with audio, as visitors see it. */
export async function publishedEpisode(overrides: Partial<NewEpisode> = {}) {
  const audioFileId = overrides.audioFileId === undefined ? (await storedAudio()).id : overrides.audioFileId;
  const input = anEpisode({ status: "published", ...overrides, audioFileId });
  const { id } = await createEpisode(ownerContext(), { allowDuplicateAudio: true, ...input });
  return { ...input, id };
}
