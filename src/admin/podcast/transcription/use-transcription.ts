import { api, ensureOk, readJson } from "#site/api.ts";
import type { AcceptedTranscription, NewTranscription } from "#worker/transcription/contract.ts";
import { useModelJob } from "../model-job.ts";

const route = api.episodes[":id"].transcription;

/** The episode's transcription, and what the owner can do with it. */
export function useTranscription(episode: number) {
  const param = { id: String(episode) };
  const { act, ...job } = useModelJob(
    () => readJson(route.$get({ param })),
    ({ transcription }) => transcription?.state === "running",
  );
  return {
    ...job,
    start: (json: NewTranscription) => act("start", () => ensureOk(route.$post({ param, json }))),
    resume: () => act("resume", () => ensureOk(route.continue.$post({ param }))),
    accept: (json: AcceptedTranscription) =>
      act("accept", () => ensureOk(route.accept.$post({ param, json }))),
    discard: () => act("discard", () => ensureOk(route.$delete({ param }))),
  };
}

export const readDraft = (episode: number) => readJson(route.draft.$get({ param: { id: String(episode) } }));
