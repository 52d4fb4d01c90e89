import { ModelError } from "#worker/models/model-error.ts";

export const unreadable = (what: string) => new ModelError("answer", `The model answered with ${what}.`);

/** What the answer should have been, as in "a transcript", and what a text is without it. */
type Expected = { answer: string; plain: string };

/** @throws ModelError, whose message names the fault */
export function readJson(text: string, { answer, plain }: Expected): unknown {
  const beginning = text.trimStart();
  if (/^<(?:!doctype|html|\?xml)/i.test(beginning))
    throw unreadable(`a web page instead of ${answer}. Check the address of the service`);
  if (beginning === "") throw unreadable("nothing");
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(/^[{[]/.test(beginning) ? `only a part of ${answer}` : `${plain} instead of JSON`);
  }
}
