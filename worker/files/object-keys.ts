import { folders, type FileFolder } from "#worker/files/contract.ts";
import { slugOf } from "#worker/platform/text/slug.ts";

const EXTENSION = /\.[A-Za-z0-9]{1,8}$/;

/** The key in R2. The id makes it unique; the rest is ASCII, because podcast apps stumble over anything else. */
export async function objectKey(folder: FileFolder, id: string, name: string, extension: string) {
  const base = (await slugOf(name.replace(EXTENSION, ""))).slice(0, 60).replace(/-+$/, "");
  return `${folder}/${id}/${base || "file"}.${extension}`;
}

/** Where a picture waits to be cleaned. Nothing there is served. */
const INCOMING = "incoming/";

export const incomingKey = (key: string) => INCOMING + key;

/** The key that an incoming picture is published under; any other is its own. */
export const publishedKey = (key: string) => (key.startsWith(INCOMING) ? key.slice(INCOMING.length) : key);

/** A key is `folder/id/…`, an incoming one `incoming/folder/id/…`. */
export const fileIdOf = (key: string) => publishedKey(key).split("/")[1] ?? "";

/** The folder of a published file; null for any other key. */
export function folderOf(key: string): FileFolder | null {
  const folder = key.split("/")[0] ?? "";
  return Object.hasOwn(folders, folder) ? (folder as FileFolder) : null;
}

/** Whether a key is in one of the folders that files are published in. */
export const isPublished = (key: string) => folderOf(key) !== null;

/** The owner's name for the file, ending in what the file truly is. */
export function downloadName(name: string, extension: string) {
  const base = name.replace(/^.*[/\\]/, "");
  const given = EXTENSION.exec(base)?.[0].slice(1).toLowerCase().replace("jpeg", "jpg");
  return given === extension ? base : `${base.replace(EXTENSION, "")}.${extension}`;
}

/** Line breaks, and what reverses the end of a name, so that it seems to be of another type. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** RFC 6266: an ASCII name for old clients, the true one as RFC 5987 wants it. */
export function contentDisposition(name: string) {
  const ascii = name
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/g, "")
    .replace(/["\\%]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed().replace(UNSEEN, "")).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
