import { api, ensureOk, readJson } from "#site/api.ts";
import type { ProposalState } from "#worker/proposals/contract.ts";
import { useModelJob } from "../model-job.ts";

const route = api.episodes[":id"].proposals;

/** What a model proposes from the episode's transcript, and what the owner can do with it. */
export function useProposals(episode: number) {
  const param = { id: String(episode) };
  const { act, ...job } = useModelJob(
    () => readJson(route.$get({ param })),
    ({ run }) => run?.state === "running",
  );
  return {
    ...job,
    start: () => act("start", () => ensureOk(route.$post({ param }))),
    resume: () => act("resume", () => ensureOk(route.continue.$post({ param }))),
    discard: () => act("discard", () => ensureOk(route.$delete({ param }))),
    decide: (id: number, state: ProposalState) =>
      act(`${state} ${id}`, () =>
        ensureOk(route[":proposal"].$patch({ param: { ...param, proposal: String(id) }, json: { state } })),
      ),
  };
}
