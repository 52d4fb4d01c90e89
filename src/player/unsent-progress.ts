import { readListenerId } from "./listener.ts";
import type { Progress } from "./core/progress.ts";

/** Progress by episode id, oldest first. */
export type ProgressById = ReadonlyMap<number, Progress>;

/** Progress that the server has not confirmed. */
export type Unsent = ProgressById;

/** Key in localStorage. */
export const UNSENT_KEY = "progress";

/** The maximum number of stored episodes, the latest ones. */
const MOST = 50;

export const serializeUnsent = (unsent: Unsent) => JSON.stringify([...unsent]);

export const parseUnsent = (text: string | null): Unsent => new Map(entriesOf(text)?.slice(-MOST));

/** Drops malformed entries. Null if the text is not a list. */
export function entriesOf(text: string | null) {
  try {
    const entries: unknown = JSON.parse(text ?? "");
    return Array.isArray(entries) ? entries.filter(isEntry) : null;
  } catch {
    // Stored text is user input.
    return null;
  }
}

function isEntry(value: unknown): value is [number, Progress] {
  const [id, progress] = Array.isArray(value) ? (value as unknown[]) : [];
  const { seconds, completed } = (progress ?? {}) as Record<string, unknown>;
  return isWhole(id) && isWhole(seconds) && typeof completed === "boolean";
}

const isWhole = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

/** Replaces the episode's earlier progress, and keeps the latest `most` episodes. */
export const withProgress = (all: ProgressById, id: number, progress: Progress, most = MOST): ProgressById =>
  new Map([...without(all, id), [id, progress] as const].slice(-most));

/** Removes confirmed progress, unless newer progress has replaced it. */
export function withoutProgress(unsent: Unsent, id: number, { seconds, completed }: Progress): Unsent {
  const stored = unsent.get(id);
  const isSame = stored?.seconds === seconds && stored.completed === completed;
  return isSame ? new Map(without(unsent, id)) : unsent;
}

const without = (unsent: Unsent, id: number) => [...unsent].filter(([other]) => other !== id);

/** Whether a retry is pointless: it is saved, or refused for good. */
export const isFinal = ({ ok, status }: Pick<Response, "ok" | "status">) =>
  ok || (status >= 400 && status < 500 && status !== 429);

/** If storage is forbidden or full, it lasts as long as the document. */
let unstored: string | null = null;

/** A new listener has none, even if another one left some. */
export function readUnsent(): Unsent {
  if (readListenerId() === null) return new Map();
  try {
    return parseUnsent(unstored ?? localStorage.getItem(UNSENT_KEY));
  } catch {
    return parseUnsent(unstored);
  }
}

export const addUnsent = (id: number, progress: Progress) => write(withProgress(readUnsent(), id, progress));

export const removeUnsent = (id: number, progress: Progress) =>
  write(withoutProgress(readUnsent(), id, progress));

function write(unsent: Unsent) {
  const text = serializeUnsent(unsent);
  try {
    if (unsent.size > 0) localStorage.setItem(UNSENT_KEY, text);
    else localStorage.removeItem(UNSENT_KEY);
    unstored = null;
  } catch {
    unstored = text;
  }
}

/** Resolves to false if it must be retried. */
type Send = (episodeId: number, progress: Progress) => Promise<boolean>;

let sending: Promise<void> | null = null;

/** Sends entries one after another, until one must be retried later. */
export function sendUnsent(send: Send) {
  sending ??= sendEach(send).finally(() => {
    sending = null;
  });
  return sending;
}

async function sendEach(send: Send) {
  for (const id of readUnsent().keys()) {
    // Another send may have changed or confirmed this entry.
    const progress = readUnsent().get(id);
    if (progress && !(await send(id, progress))) return;
  }
}
