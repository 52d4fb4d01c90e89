import type { EpisodeInput } from "#worker/episodes/contract.ts";

/** A transcript that only the form's text area has: sent twice, an hour's would double the document. No text has a control character. */
const IN_FORM = "\0";

/** On the server, by the values that are sent. */
const transcripts = new WeakMap<EpisodeInput, string>();

/** The values of a form in a document, whose text area has the transcript. */
export function withoutTranscript(values: EpisodeInput): EpisodeInput {
  if (values.transcript === "") return values;
  const sent = { ...values, transcript: IN_FORM };
  transcripts.set(sent, values.transcript);
  return sent;
}

/** The transcript with which the form is rendered first. */
export function firstTranscript(values: EpisodeInput) {
  if (values.transcript !== IN_FORM) return values.transcript;
  return transcripts.get(values) ?? document.querySelector<HTMLTextAreaElement>(FIELD)!.defaultValue;
}

const FIELD = 'textarea[name="transcript"]';
