import { ModelError, refusedAsBusy, tooLate, Unacceptable } from "#worker/models/model-error.ts";
import { fetchPublic, NotAsked, readBeginning } from "#worker/platform/http/outgoing.ts";
import { retryAfterOf } from "#worker/platform/http/retry-after.ts";
import { hideSecret } from "#worker/platform/text/hide-secret.ts";

/** Characters of an answer; the words of a piece with all their figures are less than a tenth. */
const LONGEST_ANSWER = 8_000_000;
/** Characters of an error in which a key is looked for. */
const LONGEST_MESSAGE = 2000;

export type Server = {
  /** Of the service, its API or the endpoint itself. */
  url: string;
  key: string | null;
  model: string;
  loopback: boolean;
};

type Request = {
  endpoint: URL;
  headers?: Record<string, string>;
  body: BodyInit;
  /** Milliseconds for the whole answer. */
  waitMs: number;
  /** What the endpoint is for, as in "transcriptions". */
  offers: string;
};

/**
 * The text of a successful answer of a server with OpenAI's API.
 * @throws ModelError
 */
export async function askServer(
  { key, loopback }: Server,
  { endpoint, headers, body, waitMs, offers }: Request,
) {
  const init = {
    method: "POST",
    headers: { ...headers, ...(key && { Authorization: `Bearer ${key}` }) },
    body,
    signal: AbortSignal.timeout(waitMs),
  };
  try {
    const { response } = await fetchPublic(endpoint, init, { loopback, mostRedirects: 0 });
    const text = await readBeginning(response, LONGEST_ANSWER);
    // Editors read why it stopped.
    if (!response.ok)
      throw refusal(response, offers, hideSecret(messageOf(text).slice(0, LONGEST_MESSAGE), key ?? ""));
    return text;
  } catch (error) {
    throw described(error, waitMs);
  }
}

/** The path is completed unless it ends as the endpoint does, or in one of `others`. */
export function endpointOf(address: string, endpoint: string, others: string[] = []) {
  const url = new URL(address);
  const path = url.pathname.replace(/\/+$/, "");
  const ends = [endpoint.slice(endpoint.lastIndexOf("/")), ...others];
  if (!ends.some((end) => path.endsWith(end)))
    url.pathname = `${path}${/\/v\d+$/.test(path) ? "" : "/v1"}${endpoint}`;
  return url;
}

function refusal(response: Response, offers: string, said: string) {
  const { status } = response;
  if (status === 429 || status === 503) return refusedAsBusy(retryAfterOf(response, new Date()));
  if (status === 401 || status === 403)
    return new ModelError("settings", `The service refused the key (${status}). Enter another one.`);
  if (status === 404 || status === 405)
    return new ModelError(
      "settings",
      `The service has no ${offers} at this address, or not this model (${status}). Check both.`,
    );
  const message = `The service answered with an error (${status})${inShort(said)}.`;
  return status === 400 || status === 422
    ? new Unacceptable("answer", message)
    : new ModelError("answer", message);
}

/** OpenAI's errors have a message; empty without one. */
function messageOf(text: string) {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    const message = typeof error === "object" ? error.message : error;
    return typeof message === "string" ? message : "";
  } catch {
    return "";
  }
}

function inShort(message: string) {
  const words = message
    .slice(0, 200)
    .replace(/\s+/g, " ")
    .replace(/[.\s]+$/, "");
  return words === "" ? "" : `: ${words}`;
}

function described(error: unknown, waitMs: number) {
  if (error instanceof ModelError) return error;
  if (error instanceof NotAsked)
    return new ModelError("settings", "The service’s address redirects or is private. Enter another one.");
  if (error instanceof Error && error.name === "TimeoutError") return tooLate(waitMs);
  return new ModelError("answer", "The service couldn’t be reached.");
}
