import type { FileFolder } from "#worker/files/contract.ts";

const KEY = "uploads";

/** An upload that this browser began, in its localStorage. */
export type LocalUpload = {
  id: string;
  /** The file's name. */
  name: string;
  /** Identifies the file when it is chosen again. */
  fingerprint: string;
  /** The form field that it belongs to. */
  field: string;
};

type Described = Pick<File, "name" | "size" | "lastModified">;

export const fingerprintOf = ({ name, size, lastModified }: Described, folder: FileFolder) =>
  [folder, name, size, lastModified].join("/");

/** Identifies a field of a page: the form of another episode has another. */
export const fieldKey = (name: string) => `${location.pathname}#${name}`;

function readAll(): LocalUpload[] {
  const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
  return Array.isArray(stored) ? (stored as LocalUpload[]) : [];
}

const writeAll = (all: LocalUpload[]) => localStorage.setItem(KEY, JSON.stringify(all));

export const findByFile = (fingerprint: string) =>
  readAll().find((upload) => upload.fingerprint === fingerprint);
export const findByField = (field: string) => readAll().findLast((upload) => upload.field === field);
export const removeUpload = (id: string) => writeAll(readAll().filter((upload) => upload.id !== id));

/** Moves uploads begun in a new item's form to the item's own address. */
export const moveUploads = (from: string, to: string) =>
  writeAll(
    readAll().map((upload) => {
      const [path, name] = upload.field.split("#");
      return path === from ? { ...upload, field: `${to}#${name}` } : upload;
    }),
  );

/** Replaces an earlier upload of the same file. */
export const storeUpload = (upload: LocalUpload) =>
  writeAll([...readAll().filter(({ fingerprint }) => fingerprint !== upload.fingerprint), upload]);
