import type { Context } from "#worker/platform/context.ts";
import { logWarning } from "#worker/platform/log.ts";
import { fetchPublic, NotAsked, whyNotAsked, type NotAskedReason } from "#worker/platform/http/outgoing.ts";

/** An error of the other server, as a sentence. Temporary: a later attempt may succeed. */
export class HostError extends Error {
  readonly isTemporary: boolean;

  constructor(message: string, { isTemporary }: { isTemporary: boolean }) {
    super(message);
    this.isTemporary = isTemporary;
  }
}

/** Milliseconds that a host has for the start of its response, and between two chunks. */
const PATIENCE = 30_000;
/** Audio is redirected through several counters: more often than a page. */
const MOST_REDIRECTS = 10;
const TEMPORARY = [408, 425, 429];

type Ask = { headers?: Record<string, string>; accepted?: number[] };

/**
 * Requests an address from a host.
 * @throws {HostError} if there is no response, or none with an accepted status
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

/** Why an address may not be requested, checked before the request; null if it may. */
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
 * The chunks of a response as they arrive.
 * @throws {HostError} if the connection is lost or stalls
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
    // If the consumer stops early, the rest is not downloaded.
    giveUp.abort();
  }
}

/** Milliseconds. A host that sends one byte now and then would block an import, or the owner's request, for ever. */
const WHOLE_WITHIN = 100_000;

/**
 * A whole response of at most this many bytes, within this many milliseconds.
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
