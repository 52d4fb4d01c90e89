import { completeUpload, createUpload, uploadPart } from "#worker/files/commands.ts";
import { maxBytes } from "#worker/files/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { fetchPublic, NotAsked } from "#worker/platform/outgoing.ts";

/** There is no picture at an address that could be stored; its message says why. */
export class NoPicture extends Error {}

const FOLDER = "articles";
/** Milliseconds until all of it has to be there. */
const PATIENCE_MS = 30_000;

/**
 * Fetches a picture from another place into a file of its own; returns the file's id. What is not used in the end is swept.
 * @throws {NoPicture}; any other error may be gone at the next attempt
 */
export async function fetchPicture(ctx: Context, address: string) {
  const url = URL.parse(address);
  if (!url) throw new NoPicture("Its address is not one.");
  const bytes = await fetchBytes(ctx, url);
  try {
    const { id } = await createUpload(ctx, { name: nameOf(url), size: bytes.size, folder: FOLDER });
    await uploadPart(ctx, { id, number: 1, body: bytes.stream() });
    // It is smaller than a part.
    await completeUpload(ctx, id);
    return id;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "unsupported_type") throw new NoPicture("What came is none.");
    throw error.code === "invalid" ? new NoPicture(error.message) : error;
  }
}

async function fetchBytes({ config }: Context, url: URL) {
  try {
    const { response } = await fetchPublic(
      url,
      { headers: { Accept: "image/*", "User-Agent": "Rostrum" }, signal: AbortSignal.timeout(PATIENCE_MS) },
      { loopback: config.loopback },
    );
    const { status } = response;
    if (status >= 500 || status === 429) throw new Error(`A picture’s server answered ${status}.`);
    if (!response.ok) throw new NoPicture(`Its server answered ${status}.`);
    return await readUpTo(response, maxBytes(FOLDER));
  } catch (error) {
    if (error instanceof NotAsked) throw new NoPicture(notAsked[error.reason]);
    throw error;
  }
}

const notAsked = {
  private: "Its address is not public, so it was not asked.",
  endless: "Its address leads on without end.",
};

/** Counts what comes, whatever was announced. */
async function readUpTo({ body }: Response, limit: number) {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size >= limit) throw new NoPicture("It is larger than 10 MB.");
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
  }
  if (size === 0) throw new NoPicture("It is empty.");
  return new Blob(chunks);
}

/** The last word of an address; the bytes decide the ending. */
function nameOf({ pathname }: URL) {
  const word =
    pathname
      .split("/")
      .at(-1)
      ?.replaceAll(/[^\w.-]+/g, "-") ?? "";
  return word.slice(0, 60) || "picture";
}
