import { maxBytes } from "#worker/files/contract.ts";
import { storePicture } from "#worker/files/received.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { fetchPublic, NotAsked } from "#worker/platform/outgoing.ts";
import { uuidOf } from "#worker/platform/random.ts";

/** Milliseconds that a picture has. */
const PATIENCE = 25_000;

export type Fetched =
  | { is: "here"; id: string; url: string }
  /** It may come another time. */
  | { is: "later"; why: string }
  | { is: "gone"; why: string };

/** Fetches a picture of another site into this one. The same address gives one file, however many articles show it. */
export async function fetchPicture(ctx: Context, address: string, alt: string): Promise<Fetched> {
  const id = await uuidOf(`picture ${address}`);
  const known = (await findStoredFiles(ctx, [id])).get(id);
  if (known) return { is: "here", id, url: known.url };
  const url = URL.parse(address);
  if (!url) return { is: "gone", why: "its address is none" };
  try {
    const bytes = await bytesAt(ctx, url);
    const name = url.pathname.split("/").at(-1)?.slice(0, 200) || "picture";
    const stored = await storePicture(ctx, { id, name, folder: "articles", alt, bytes });
    return { is: "here", id, url: stored.url };
  } catch (error) {
    if (error instanceof Later) return { is: "later", why: error.message };
    if (error instanceof Gone) return { is: "gone", why: error.message };
    if (error instanceof NotAsked) return { is: "gone", why: notAskedWords[error.reason] };
    if (error instanceof AppError)
      return { is: "gone", why: error.code === "unsupported_type" ? NO_PICTURE : inSentence(error.message) };
    if (isNetworkError(error)) return { is: "later", why: "the other site did not answer" };
    throw error;
  }
}

const NO_PICTURE = "it is no picture of a kind that browsers show";

const notAskedWords = {
  private: "it leads to an address that is not public",
  endless: "it leads from one address to the next without end",
};

class Gone extends Error {}
class Later extends Error {}

async function bytesAt({ config }: Context, url: URL) {
  const headers = { "User-Agent": "Rostrum (moves pictures in)", Accept: "image/*" };
  const signal = AbortSignal.timeout(PATIENCE);
  const { response } = await fetchPublic(url, { headers, signal }, { loopback: config.loopback });
  const { status, body } = response;
  if (status !== 200 || !body) {
    await body?.cancel();
    const why = `the other site answers ${status}`;
    throw status === 429 || status >= 500 ? new Later(why) : new Gone(why);
  }
  return readUpTo(body, maxBytes("articles"));
}

/** Counts what comes, whatever the other site says of its length. */
async function readUpTo(body: ReadableStream<Uint8Array>, most: number) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop ends the transfer.
    if (size >= most) throw new Gone(`it has more than ${most / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** What fetch throws where there is no answer, and the end of patience. */
const isNetworkError = (error: unknown) =>
  error instanceof TypeError ||
  (error instanceof Error && /^(TimeoutError|AbortError)$/.test(error.name)) ||
  (error instanceof Error && /network|connection|internal error|DNS/i.test(error.message));

const inSentence = (message: string) => message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, "");
