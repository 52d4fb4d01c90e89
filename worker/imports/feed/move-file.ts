import { ask, HostError, piecesOf } from "#worker/imports/feed/download.ts";
import type { WorkItem } from "#worker/imports/import-type.ts";
import { folders, maxBytes, type FileFolder, type StoredFile } from "#worker/files/contract.ts";
import {
  beginTransfer,
  dropTransfer,
  finishTransfer,
  readTransfer,
  storeTransferPart,
  TRANSFER_PART,
  type Transfer,
} from "#worker/files/transfers.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Milliseconds after which a message leaves the rest of a file to the next one, if the host supports ranges. */
const BUDGET_MS = 40_000;
/** How often a file may turn out to have changed. */
const MOST_RESTARTS = 3;
/** After more restarts, one message moves the whole file: some hosts generate a new file for each request. */
const RESTARTS_WITHIN_BUDGET = 1;

/** The saved progress of a file. */
export type FileProgress = {
  fileId: string;
  /** The host's validator of the file. */
  validator: string | null;
  /** Bytes of the whole file; null if the host does not state them. */
  total: number | null;
  /** How often the file changed in the middle of the download. */
  restarts?: number;
};

type Job = {
  ctx: Context;
  /** The address of the file. */
  url: string;
  /** It decides the types and the size. A file of exactly the limit is accepted. */
  folder: FileFolder;
  /** Null at the start. */
  progress: FileProgress | null;
  save: (progress: FileProgress, bytes: { size?: number; moved: number }) => ReturnType<WorkItem["save"]>;
};

/**
 * Moves the audio of an episode, or a further file, into R2, part by part; null if another message continues: on the free
 * plan after each part, and before and after the metadata is read.
 * @throws {HostError}; `invalid`, `unsupported_type` if the folder does not take it
 */
export async function moveFile(job: Job): Promise<StoredFile | null> {
  const { ctx, progress } = job;
  const isFree = ctx.config.plan === "free";
  const transfer = progress && (await readTransfer(ctx, progress.fileId));
  if (progress && transfer && (transfer.isComplete || isWhole(transfer, progress))) {
    const stored = await finishTransfer(ctx, transfer.id);
    return transfer.isComplete || !isFree ? stored : null;
  }
  let hasLength = false;
  const noting: Job = {
    ...job,
    save(next, bytes) {
      hasLength = next.total !== null;
      return job.save(next, bytes);
    },
  };
  const fileId = await (progress && transfer
    ? download(noting, progress, transfer)
    : download(noting, anew(progress?.restarts), NONE));
  // Without a length the next message could not tell that the file is whole.
  return fileId === null || (isFree && hasLength) ? null : finishTransfer(ctx, fileId);
}

const anew = (restarts = 0): FileProgress => ({ fileId: "", validator: null, total: null, restarts });
const NONE: Transfer = { id: "", isComplete: false, parts: 0, received: 0 };

const isWhole = ({ received }: Transfer, { total }: FileProgress) => total !== null && received >= total;

function nameOf(url: string) {
  const last =
    URL.parse(url)
      ?.pathname.split("/")
      .findLast((part) => part !== "") ?? "";
  try {
    return decodeURIComponent(last).slice(0, 200) || "audio.mp3";
  } catch {
    return last.slice(0, 200) || "audio.mp3";
  }
}

/** The file's id once it is complete. */
async function download(job: Job, progress: FileProgress, transfer: Transfer): Promise<string | null> {
  const { ctx, url, folder } = job;
  const { received } = transfer;
  const answer = await ask(ctx, url, {
    headers: {
      "Accept-Encoding": "identity",
      ...(received > 0 && { Range: `bytes=${received}-` }),
      ...(received > 0 && progress.validator && { "If-Range": progress.validator }),
    },
    accepted: received > 0 ? [200, 206, 416] : [200],
  });
  const stated = readAnswer(answer.response);
  if (stated.status === 416) {
    answer.giveUp.abort();
    if (stated.total === received) return transfer.id;
    return restart(job, transfer, progress);
  }
  if (received > 0 && isOther(progress, stated)) {
    answer.giveUp.abort();
    return restart(job, transfer, progress);
  }
  if (stated.total !== null && stated.total > maxBytes(folder)) {
    answer.giveUp.abort();
    throw tooLarge(folder);
  }
  const known = {
    ...progress,
    validator: stated.validator ?? progress.validator,
    total: stated.total ?? progress.total,
  };
  return storeParts({ ...job, progress: known }, transfer, answer, stated);
}

/** The stored parts are of another file. The next message starts again. */
async function restart({ ctx, save }: Job, { id }: Transfer, { restarts = 0 }: FileProgress) {
  await dropTransfer(ctx, id);
  if (restarts === MOST_RESTARTS)
    throw new HostError("The host sends a different file each time.", { isTemporary: false });
  await save(anew(restarts + 1), { moved: 0 });
  return null;
}

const tooLarge = (folder: FileFolder) =>
  new AppError("invalid", `The file is larger than ${folders[folder].maxMB} MB.`);

type Stated = {
  status: number;
  /** The offset of the body in the file. */
  offset: number;
  total: number | null;
  validator: string | null;
  hasRanges: boolean;
};

function readAnswer({ status, headers }: Response): Stated {
  const [, first, , total] =
    /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(headers.get("Content-Range") ?? "") ?? [];
  const length = headers.get("Content-Encoding") ? null : headers.get("Content-Length");
  const whole = status === 200 ? length : total === "*" ? null : total;
  const etag = headers.get("ETag");
  return {
    status,
    offset: status === 206 ? Number(first ?? Number.NaN) : 0,
    total: whole === null || whole === undefined ? null : Number(whole),
    // A weak validator means that two files are equivalent, not that they are identical.
    validator: etag && !etag.startsWith("W/") ? etag : headers.get("Last-Modified"),
    hasRanges: status === 206 || /bytes/.test(headers.get("Accept-Ranges") ?? ""),
  };
}

function isOther({ validator, total }: FileProgress, stated: Stated) {
  if (validator !== null && stated.validator !== null && validator !== stated.validator) return true;
  return total !== null && stated.total !== null && total !== stated.total;
}

type Answer = Awaited<ReturnType<typeof ask>>;

async function storeParts(
  job: Job & { progress: FileProgress },
  transfer: Transfer,
  answer: Answer,
  stated: Stated,
) {
  const { ctx, url, folder } = job;
  let { progress } = job;
  let { id } = transfer;
  const mayPause = stated.hasRanges && (progress.restarts ?? 0) <= RESTARTS_WITHIN_BUDGET;
  const until = ctx.clock().getTime() + BUDGET_MS;
  let { parts, received } = transfer;
  if (stated.offset > received || Number.isNaN(stated.offset)) {
    answer.giveUp.abort();
    throw new HostError("The host sent the wrong part of the file.", { isTemporary: true });
  }
  // A host without ranges sends the stored bytes again.
  let skip = received - stated.offset;
  const part = new Uint8Array(TRANSFER_PART);
  let filled = 0;
  // Created lazily, so that a missing file leaves no empty upload.
  const begin = async () => {
    id = await beginTransfer(ctx, { name: nameOf(url), folder });
    progress = { ...progress, fileId: id };
    await job.save(progress, { moved: 0 });
  };
  const store = async () => {
    if (id === "") await begin();
    await storeTransferPart(ctx, { id, number: ++parts, bytes: part.subarray(0, filled) });
    received += filled;
    filled = 0;
    const size = progress.total ?? undefined;
    return job.save(progress, { moved: received, ...(size !== undefined && { size }) });
  };
  for await (const piece of piecesOf(answer)) {
    let at = Math.min(skip, piece.length);
    skip -= at;
    while (at < piece.length) {
      const taken = Math.min(piece.length - at, TRANSFER_PART - filled);
      part.set(piece.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (received + filled > maxBytes(folder)) {
        await dropTransfer(ctx, id);
        throw tooLarge(folder);
      }
      if (filled < TRANSFER_PART) continue;
      const goesOn = await store();
      const isEnd = progress.total === received && at === piece.length;
      if (isEnd) return id;
      if (!goesOn || (mayPause && (ctx.config.plan === "free" || ctx.clock().getTime() > until))) return null;
    }
  }
  if (progress.total !== null && received + filled < progress.total)
    throw new HostError("The connection to the host was lost.", { isTemporary: true });
  if (received + filled === 0) throw new HostError("The host sent an empty file.", { isTemporary: false });
  if (filled > 0) await store();
  return id;
}
