import { useEffect, useState, useSyncExternalStore } from "react";
import { fieldKey } from "#site/admin/files/local-uploads.ts";
import { FileUpload, problemOf } from "#site/admin/files/upload.ts";
import { uploadApi } from "#site/admin/files/upload-api.ts";
import type { FileFolder } from "#worker/files/contract.ts";
import { Observable } from "#site/admin/shell/observable.ts";

/** Concurrent uploads share the bandwidth, so more would only be slower. */
const AT_ONCE = 2;

export type Entry = { key: number; file: File; problem: string | null; upload: FileUpload | null };

/** A file's folder by the browser's MIME type; the server checks the bytes. */
function folderOf({ type }: File): FileFolder {
  if (type.startsWith("image/")) return "articles";
  return type.startsWith("audio/") ? "podcast-audio" : "uploads";
}

/** Uploads any number of files, a few at a time. Removes completed ones. */
class Uploads extends Observable {
  #entries: Entry[] = [];
  #count = 0;
  #stored = 0;
  #onStored = () => {};

  readonly getEntries = () => this.#entries;

  whenStored(onStored: () => void) {
    this.#onStored = onStored;
  }

  /** The number completed since the page was opened. */
  readonly getStored = () => this.#stored;

  add(files: File[]) {
    const added = files.map((file) => ({
      key: this.#count++,
      file,
      problem: problemOf(file, folderOf(file)),
      upload: null,
    }));
    this.#set([...this.#entries, ...added]);
    this.#beginNext();
  }

  remove(key: number) {
    this.#set(this.#entries.filter((entry) => entry.key !== key));
    this.#beginNext();
  }

  /** Called when the page is left: the server stores the parts received so far. */
  pause() {
    for (const { upload } of this.#entries) upload?.pause();
  }

  #set(entries: Entry[]) {
    this.#entries = entries;
    this.notify();
  }

  #beginNext() {
    const begun = this.#entries.filter(({ upload }) => upload !== null).length;
    const next = this.#entries.find(({ upload, problem }) => upload === null && problem === null);
    if (!next || begun >= AT_ONCE) return;
    const folder = folderOf(next.file);
    const upload = new FileUpload({
      file: next.file,
      folder,
      field: fieldKey("library"),
      uploadApi,
      kept: true,
    });
    upload.subscribe(() => {
      if (upload.getState().phase !== "done") return;
      this.#stored += 1;
      this.remove(next.key);
      this.#onStored();
    });
    this.#set(this.#entries.map((entry) => (entry.key === next.key ? { ...next, upload } : entry)));
    this.#beginNext();
  }
}

/** The uploads of a page; calls `onStored` after each completed one. */
export function useUploads(onStored: () => void) {
  const [uploads] = useState(() => new Uploads());
  const entries = useSyncExternalStore(uploads.subscribe, uploads.getEntries, noEntries);
  const stored = useSyncExternalStore(uploads.subscribe, uploads.getStored, () => 0);
  useEffect(() => uploads.whenStored(onStored));
  const isBusy = entries.some(({ problem }) => problem === null);
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isBusy]);
  useEffect(() => () => uploads.pause(), [uploads]);
  return {
    entries,
    stored,
    add: (files: File[]) => uploads.add(files),
    remove: (key: number) => uploads.remove(key),
  };
}

const NO_ENTRIES: Entry[] = [];
const noEntries = () => NO_ENTRIES;
