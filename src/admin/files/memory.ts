import type { FileFolder } from "#worker/files/contract.ts";

const KEY = "uploads";

/** An upload that this browser began. */
export type Remembered = {
  id: string;
  /** The file's name. */
  name: string;
  /** Tells the same file again when it is chosen a second time. */
  fingerprint: string;
  /** The form field it was meant for. */
  field: string;
};

type Described = Pick<File, "name" | "size" | "lastModified">;

export const fingerprintOf = ({ name, size, lastModified }: Described, folder: FileFolder) =>
  [folder, name, size, lastModified].join("/");

/** Where a field stands: the same form of another episode is another one. */
export const fieldOf = (name: string) => `${location.pathname}#${name}`;

function readAll(): Remembered[] {
  const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
  return Array.isArray(stored) ? (stored as Remembered[]) : [];
}

const writeAll = (all: Remembered[]) => localStorage.setItem(KEY, JSON.stringify(all));

export const recallFile = (fingerprint: string) =>
  readAll().find((upload) => upload.fingerprint === fingerprint);
export const recallField = (field: string) => readAll().findLast((upload) => upload.field === field);
export const forget = (id: string) => writeAll(readAll().filter((upload) => upload.id !== id));

/** The newest for a file replaces those before. */
export const remember = (upload: Remembered) =>
  writeAll([...readAll().filter(({ fingerprint }) => fingerprint !== upload.fingerprint), upload]);
