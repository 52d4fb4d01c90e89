import type { Context } from "#worker/platform/context.ts";
import { logWarning } from "#worker/platform/log.ts";
import { fetchPublic, NotAsked, whyNotAsked, type NotAskedReason } from "#worker/platform/http/outgoing.ts";

/** What went wrong at the other end, in words. Temporary: it may be better in a while. */
export class HostError extends Error {
  readonly isTemporary: boolean;

  constructor(message: string, { isTemporary }: { isTemporary: boolean }) {
    super(message);
    this.isTemporary = isTemporary;
  }
}

/** Milliseconds that a host has for the beginning of its answer, and between two pieces of it. */
const PATIENCE = 30_000;
/** Audio is led through counters: more than a page ever is. */
const MOST_REDIRECTS = 10;
const TEMPORARY = [408, 425, 429];

type Ask = { headers?: Record<string, string>; accepted?: number[] };

/**
 * Asks a host for an address.
 * @throws {HostError} where there is no answer, or another than is accepted
 */
export async function ask(
  { config }: Context,
  address: string,
  { headers = {}, accepted = [200] }: Ask = {},
) {
  const start = URL.parse(address);
  if (!start) throw new HostError("Its address isn’t valid.", { isTemporary: false });
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), PATIENCE);
  try {
    const { response, url } = await fetchPublic(
      start,
      { headers: { "User-Agent": "Rostrum (moves in)", ...headers }, signal: giveUp.signal },
      { loopback: config.loopback, mostRedirects: MOST_REDIRECTS },
    );
    if (accepted.includes(response.status)) return { response, giveUp, url: url.href };
    await response.body?.cancel();
    throw statusError(response.status);
  } catch (error) {
    throw hostErrorOf(error);
  } finally {
    clearTimeout(timer);
  }
}

function statusError(status: number) {
  const isTemporary = status >= 500 || TEMPORARY.includes(status);
  const known: Record<number, string> = {
    401: "The host requires a password (401). Ask the host for an address that needs none.",
    403: "The host refused it (403). If it opens in a browser, ask the host to let “Rostrum” read it.",
    404: "There is nothing at its address (404).",
    410: "It was deleted from its address (410).",
    416: "The host doesn’t send the rest of it (416).",
    429: "The host refuses more requests for now (429).",
  };
  return new HostError(known[status] ?? `The host returned an error (${status}).`, { isTemporary });
}

/** They follow "Its address", or "Its address redirects to one that". */
const notAsked: Record<Exclude<NotAskedReason, "loop" | "endless">, string> = {
  private: "isn’t public, so it wasn’t fetched.",
  port: "has a port of its own, which can’t be fetched. Ask the host for an address without a port.",
  password: "has a name or password in it, which isn’t sent. Use an address without them.",
};

/** Why an address is not asked, known before it is; null if it is. */
export function problemOfAddress({ config }: Context, address: string) {
  const url = URL.parse(address);
  const reason = url && whyNotAsked(url, config.loopback);
  return reason ? `Its address ${notAsked[reason]}` : null;
}

function notAskedInWords({ reason, isRedirect }: NotAsked) {
  if (reason === "loop") return "Its address redirects in a loop. Ask the host to fix it.";
  if (reason === "endless")
    return `Its address redirects more than ${MOST_REDIRECTS} times. Use the address that it leads to in the end.`;
  return `Its address ${isRedirect ? "redirects to one that " : ""}${notAsked[reason]}`;
}

function hostErrorOf(error: unknown) {
  if (error instanceof HostError) return error;
  if (error instanceof NotAsked) return new HostError(notAskedInWords(error), { isTemporary: false });
  logWarning("imports: a host did not answer", error);
  return new HostError("The host doesn’t respond.", { isTemporary: true });
}

type Answer = Awaited<ReturnType<typeof ask>>;

/**
 * The pieces of an answer as they come.
 * @throws {HostError} where the connection is lost, or nothing comes for a while
 */
export async function* piecesOf({ response, giveUp }: Answer): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const timer = setTimeout(() => giveUp.abort(), PATIENCE);
      const piece = await reader.read().finally(() => clearTimeout(timer));
      if (piece.done) return;
      yield piece.value;
    }
  } catch (error) {
    if (error instanceof HostError) throw error;
    logWarning("imports: a download broke off", error);
    throw new HostError("The connection to the host was lost.", { isTemporary: true });
  } finally {
    // Where its reader has enough of it, the rest is not wanted.
    giveUp.abort();
  }
}

/** Milliseconds. A host that sends a byte now and then would hold an import, or somebody who waits, without end. */
const WHOLE_WITHIN = 100_000;

/**
 * A whole answer of so many bytes at most, which has so many milliseconds to come.
 * @throws {HostError}
 */
export async function bytesOf(
  answer: Answer,
  most: number,
  within = WHOLE_WITHIN,
): Promise<Uint8Array<ArrayBuffer>> {
  const timer = setTimeout(() => answer.giveUp.abort(), within);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of piecesOf(answer)) {
      size += piece.length;
      if (size > most) throw new HostError(`It is larger than ${inWords(most)}.`, { isTemporary: false });
      pieces.push(piece);
    }
  } finally {
    clearTimeout(timer);
  }
  return joined(pieces, size);
}

function joined(pieces: Uint8Array[], size: number) {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const MB = 1024 * 1024;
export const inWords = (bytes: number) => `${Math.round(bytes / MB)} MB`;
