import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { sqliteTable, text as textColumn } from "drizzle-orm/sqlite-core";
import { fileNoun } from "#worker/files/noun.ts";
import { referencesOf, type FileReferences } from "#worker/files/library/references.ts";
import { versionsWithFiles } from "#worker/revisions/noun.ts";
import { files } from "#worker/files/table.ts";
import { createUpload, uploadPart } from "#worker/files/commands.ts";
import type { Context } from "#worker/platform/context.ts";
import { id3, join, makeMp3 } from "./mp3.ts";
import { bodyOf, partOf } from "./upload.ts";

export const MB = 1024 * 1024;

/** An example of a noun that uses files. */
export const users = sqliteTable("test_users_of_files", {
  audioFileId: textColumn("a"),
  imageFileId: textColumn("i"),
});

export const references: FileReferences = {
  owners: [
    { kind: "episode", id: users.audioFileId, one: [users.audioFileId, users.imageFileId], lists: [] },
    ...referencesOf([fileNoun], versionsWithFiles).owners,
  ],
  versions: versionsWithFiles,
};

export const use = ({ db }: Context, its: { audioFileId?: string; imageFileId?: string }) =>
  db.insert(users).values(its);

export const noise = (size: number) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};

export const text = (words: string) => new TextEncoder().encode(words);

export const rowOf = async ({ db }: Context, id: string) =>
  (await db.select().from(files).where(eq(files.id, id)))[0];

/** An MP3 of exactly this size: noise in a tag precedes the sound. */
export function mp3OfSize(size: number) {
  const sound = makeMp3({ seconds: 5 });
  const empty = id3({ picture: { type: "image/png", bytes: new Uint8Array() } }).length;
  const picture = { type: "image/png", bytes: noise(size - sound.length - empty) };
  return join([id3({ picture }), sound]);
}

/** An upload with its first part in R2, of two. */
export async function begunUpload(ctx: Context) {
  const bytes = mp3OfSize(9 * MB);
  const { id, partSize } = await createUpload(ctx, {
    name: "a.mp3",
    type: "",
    folder: "podcast-audio",
    size: bytes.length,
  });
  await uploadPart(ctx, { id, number: 1, body: bodyOf(partOf(bytes, { partSize }, 1)) });
  return (await rowOf(ctx, id))!;
}

/** R2, but for one key, whose upload it will not end. */
export const bucketThatKeepsOpen = (stuck: string) =>
  new Proxy(env.MEDIA, {
    get(bucket, name) {
      if (name !== "resumeMultipartUpload") return Reflect.get(bucket, name).bind(bucket);
      return (key: string, uploadId: string) =>
        key === stuck
          ? { abort: () => Promise.reject(new Error("R2 is away")) }
          : bucket.resumeMultipartUpload(key, uploadId);
    },
  });
