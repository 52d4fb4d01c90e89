import { ApiError } from "#site/api.ts";
import { fingerprintOf, removeUpload, findByFile, storeUpload } from "#site/admin/files/local-uploads.ts";
import type { UploadApi } from "#site/admin/files/upload-api.ts";
import {
  INVALID_TYPE,
  maxBytes,
  mayUpload,
  tooLarge,
  type FileFolder,
  type StoredFile,
  type Upload,
} from "#worker/files/contract.ts";
import { Observable } from "#site/admin/shell/observable.ts";

export type UploadState = {
  phase: "uploading" | "finishing" | "waiting" | "paused" | "signed-out" | "failed" | "cancelled" | "done";
  /** Bytes. */
  sent: number;
  size: number;
  /** Null until it can be estimated. */
  secondsLeft: number | null;
  error: string | null;
  /** Whether `resume` may help. */
  canResume: boolean;
  file: StoredFile | null;
};

/** Milliseconds before the second, third … try. After the last one the owner is asked to resume. */
const BACK_OFF = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000];
/** Milliseconds of sending before a speed is estimated. */
const SPEED_AFTER = 2000;

const FAILED = "Upload failed";
const SIGNED_OUT = "You have been signed out. Sign in again in another tab, then resume.";
const UNREADABLE = "This file can no longer be read. Choose it again.";

/** A file's problem before the upload, by the server's rules and in its words. */
export function problemOf(file: Pick<File, "size" | "type">, folder: FileFolder) {
  if (file.size === 0) return "The file is empty.";
  if (file.size >= maxBytes(folder)) return tooLarge(folder);
  return mayUpload(folder, file.type) ? null : INVALID_TYPE;
}

type Options = {
  file: File;
  folder: FileFolder;
  field: string;
  uploadApi: UploadApi;
  /** Into the library: stored although unused. */
  kept?: boolean;
};

/** The file on disk is no longer readable; a retry does not help. */
class Unreadable extends Error {}

/**
 * Uploads one file, part by part. After every interruption it asks the server which parts it has, so that none is sent twice
 * or left out.
 */
export class FileUpload extends Observable {
  readonly #file: File;
  readonly #folder: FileFolder;
  readonly #field: string;
  readonly #api: UploadApi;
  readonly #kept: boolean;
  #state: UploadState;
  #id: string | null = null;
  #tries = 0;
  #run = new AbortController();
  #running: Promise<void>;

  constructor({ file, folder, field, uploadApi, kept = false }: Options) {
    super();
    this.#file = file;
    this.#folder = folder;
    this.#field = field;
    this.#api = uploadApi;
    this.#kept = kept;
    this.#state = {
      phase: "uploading",
      sent: 0,
      size: file.size,
      secondsLeft: null,
      error: null,
      canResume: false,
      file: null,
    };
    this.#running = this.#begin();
  }

  get name() {
    return this.#file.name;
  }

  readonly getState = () => this.#state;

  pause() {
    if (!isRunning(this.#state)) return;
    this.#run.abort();
    this.#set({ phase: "paused", secondsLeft: null, error: null, canResume: true });
  }

  resume() {
    if (!this.#state.canResume) return;
    this.#tries = 0;
    this.#running = this.#begin();
  }

  /** Stops, and deletes the parts on the server. If that cannot be reached, its daily sweep deletes them. */
  async cancel() {
    this.#run.abort();
    this.#set({ phase: "cancelled", secondsLeft: null, error: null, canResume: false });
    // An upload that has just begun has no id yet.
    await this.#running;
    if (!this.#id) return;
    removeUpload(this.#id);
    await this.#api
      .remove(this.#id)
      .catch((error: unknown) => console.warn("uploads: not removed yet", error));
  }

  async #begin() {
    this.#run.abort();
    const run = new AbortController();
    this.#run = run;
    while (!run.signal.aborted) {
      this.#set({ phase: "uploading", secondsLeft: null, error: null, canResume: false });
      try {
        await this.#send(run.signal);
        return;
      } catch (error) {
        if (run.signal.aborted || !(await this.#recover(error, run.signal))) return;
      }
    }
  }

  async #send(signal: AbortSignal) {
    let upload = await this.#open();
    const speed = new Speed(this.#file.size);
    while (upload.received < upload.parts) {
      signal.throwIfAborted();
      const done = upload.received * upload.partSize;
      this.#setSent(done, speed);
      const bytes = await this.#read(done, done + upload.partSize);
      signal.throwIfAborted();
      upload = await this.#api.put(upload.id, upload.received + 1, bytes, {
        signal,
        onProgress: (sent) => this.#setSent(done + sent, speed),
      });
      this.#tries = 0;
    }
    signal.throwIfAborted();
    this.#set({ phase: "finishing", sent: this.#file.size, secondsLeft: null });
    const file = await this.#api.complete(upload.id);
    removeUpload(upload.id);
    signal.throwIfAborted();
    this.#set({ phase: "done", file });
  }

  /** The upload to continue: this one, one of the same file that an earlier page began, or a new one. */
  async #open(): Promise<Upload> {
    const fingerprint = fingerprintOf(this.#file, this.#folder);
    this.#id ??= findByFile(fingerprint)?.id ?? null;
    const known = this.#id && (await this.#readKnown(this.#id));
    if (known) return known;
    const { name, type, size } = this.#file;
    const upload = await this.#api.start({ name, type, size, folder: this.#folder, kept: this.#kept });
    this.#id = upload.id;
    storeUpload({ id: upload.id, name, fingerprint, field: this.#field });
    return upload;
  }

  async #readKnown(id: string) {
    try {
      return await this.#api.read(id);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      removeUpload(id);
      return null;
    }
  }

  async #read(start: number, end: number) {
    try {
      return await this.#file.slice(start, end).arrayBuffer();
    } catch (cause) {
      throw new Unreadable(UNREADABLE, { cause });
    }
  }

  /** Waits if another try may help, and returns whether to try again. */
  async #recover(error: unknown, signal: AbortSignal) {
    if (error instanceof ApiError && error.status === 401) {
      this.#set({ phase: "signed-out", secondsLeft: null, error: SIGNED_OUT, canResume: true });
      return false;
    }
    const pause = BACK_OFF[this.#tries];
    if (!isTransient(error) || pause === undefined) {
      this.#fail(error);
      return false;
    }
    this.#tries += 1;
    this.#set({ phase: "waiting", secondsLeft: null, canResume: true });
    await waitOrOnline(pause, signal);
    return !signal.aborted;
  }

  #fail(error: unknown) {
    const canRetry = isTransient(error);
    const isRejected = !canRetry && error instanceof ApiError;
    if (isRejected && this.#id) {
      removeUpload(this.#id);
      this.#id = null;
    }
    const isTold = isRejected || error instanceof Unreadable;
    if (!isTold) console.error("uploads:", error);
    this.#set({
      phase: "failed",
      secondsLeft: null,
      error: isTold ? error.message : FAILED,
      canResume: canRetry,
    });
  }

  #setSent(sent: number, speed: Speed) {
    const bounded = Math.min(sent, this.#file.size);
    this.#set({ sent: bounded, secondsLeft: speed.secondsLeft(bounded) });
  }

  #set(change: Partial<UploadState>) {
    this.#state = { ...this.#state, ...change };
    this.notify();
  }
}

export const isRunning = ({ phase }: UploadState) =>
  phase === "uploading" || phase === "finishing" || phase === "waiting";

/** A lost connection, a busy or broken server, a part that was sent twice: the next try may succeed. */
function isTransient(error: unknown) {
  if (!(error instanceof ApiError)) return error instanceof TypeError;
  return error.status >= 500 || error.status === 429 || error.status === 409;
}

/** Waits, while offline for as long as that lasts; the `online` event ends the wait early. */
function waitOrOnline(milliseconds: number, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    if (navigator.onLine) resolve();
  }, milliseconds);
  addEventListener("online", () => resolve(), { once: true, signal });
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

/** Estimates the time left from the speed since this try began. */
class Speed {
  readonly #size: number;
  #first: { at: number; sent: number } | null = null;

  constructor(size: number) {
    this.#size = size;
  }

  secondsLeft(sent: number) {
    const now = performance.now();
    this.#first ??= { at: now, sent };
    const elapsed = now - this.#first.at;
    const moved = sent - this.#first.sent;
    return elapsed < SPEED_AFTER || moved <= 0 ? null : ((this.#size - sent) / moved) * (elapsed / 1000);
  }
}
