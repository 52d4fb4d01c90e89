import { data } from "react-router";
import type { NewEpisode, PublishProblem } from "#worker/episodes/contract.ts";
import { submit } from "../form/submit.ts";
import { episodeForm } from "./episode-input.ts";
import { errorWords } from "./episode-types.ts";
import { decisionIn, type Refusal } from "../publishing/publish/decision.ts";
import { confirmedOf, duplicateAudio, isDuplicateAudio, publishProblems } from "./publish-check.ts";

/** After a 422 no loader runs, so the form is unchanged. */
const ask = (form: FormData, problems: PublishProblem[]) =>
  data<Refusal>({ problems, decision: decisionIn(form) }, { status: 422 });

/** Saves an episode by `send`, or answers the problems to be read before it is published. */
export const saveEpisode = <Answer>(
  form: FormData,
  send: (episode: NewEpisode) => Promise<Answer>,
  id?: number,
) =>
  submit(form, {
    ...episodeForm,
    words: errorWords,
    async send(episode) {
      const problems = await publishProblems(form, episode, id);
      if (problems.length > 0) return ask(form, problems);
      try {
        return await send({ ...episode, ...confirmedOf(form) });
      } catch (error) {
        if (isDuplicateAudio(error)) return ask(form, [duplicateAudio(error)]);
        throw error;
      }
    },
  });
