import { fetchPublic, NotAsked, readBeginning } from "#worker/platform/http/outgoing.ts";
import { retryAfterOf } from "#worker/platform/http/retry-after.ts";
import { readJson, readWhisper } from "#worker/transcription/read-answer.ts";
import {
  refusedAsBusy,
  tooLate,
  TranscriberError,
  type Transcriber,
} from "#worker/transcription/transcriber.ts";

/** Characters of an answer; the words of a piece with all their figures are less than a tenth. */
const LONGEST_ANSWER = 8_000_000;

type Server = {
  /** Of the service, its API or the transcriptions themselves. */
  url: string;
  key: string | null;
  model: string;
  loopback: boolean;
};

/** A server with OpenAI's `/v1/audio/transcriptions`, as whisper.cpp's and faster-whisper's have it. */
export const openAiServer = ({ url, key, model, loopback }: Server): Transcriber => ({
  async transcribe({ bytes, type, extension }, { language, waitMs }) {
    const form = new FormData();
    form.set("file", new File([bytes], `piece.${extension}`, { type }));
    form.set("model", model);
    form.set("response_format", "verbose_json");
    form.append("timestamp_granularities[]", "word");
    form.append("timestamp_granularities[]", "segment");
    if (language) form.set("language", language);
    const init = {
      method: "POST",
      ...(key && { headers: { Authorization: `Bearer ${key}` } }),
      body: form,
      signal: AbortSignal.timeout(waitMs),
    };
    try {
      const { response } = await fetchPublic(endpointOf(url), init, { loopback, mostRedirects: 0 });
      const text = await readBeginning(response, LONGEST_ANSWER);
      if (!response.ok) throw refusal(response, text);
      return readWhisper(readJson(text));
    } catch (error) {
      throw described(error, waitMs);
    }
  },
});

/** The path is completed unless it names the transcriptions, or whisper.cpp's own `/inference`. */
export function endpointOf(address: string) {
  const url = new URL(address);
  const path = url.pathname.replace(/\/+$/, "");
  if (!/\/(?:transcriptions|inference)$/.test(path))
    url.pathname = `${path}${/\/v\d+$/.test(path) ? "" : "/v1"}/audio/transcriptions`;
  return url;
}

function refusal(response: Response, text: string) {
  const { status } = response;
  if (status === 429 || status === 503) return refusedAsBusy(retryAfterOf(response, new Date()));
  if (status === 401 || status === 403)
    return new TranscriberError("settings", `The service refused the key (${status}). Enter another one.`);
  if (status === 404 || status === 405)
    return new TranscriberError(
      "settings",
      `The service has no transcriptions at this address, or not this model (${status}). Check both.`,
    );
  return new TranscriberError("answer", `The service answered with an error (${status})${reasonIn(text)}.`);
}

/** OpenAI's errors have a message. */
function reasonIn(text: string) {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    const message = typeof error === "object" ? error.message : error;
    return typeof message === "string" ? `: ${message.slice(0, 200).replace(/[.\s]+$/, "")}` : "";
  } catch {
    return "";
  }
}

function described(error: unknown, waitMs: number) {
  if (error instanceof TranscriberError) return error;
  if (error instanceof NotAsked)
    return new TranscriberError(
      "settings",
      "The service’s address redirects or is private. Enter another one.",
    );
  if (error instanceof Error && error.name === "TimeoutError") return tooLate(waitMs);
  return new TranscriberError("answer", "The service couldn’t be reached.");
}
