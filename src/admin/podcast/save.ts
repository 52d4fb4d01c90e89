import { data } from "react-router";
import type { NewEpisode } from "#worker/episodes/contract.ts";
import { submit, type Words } from "../form/submit.ts";
import { episodeForm } from "./episode-input.ts";
import { publishProblems } from "./publish-check.ts";

/** The specification's words for errors of the podcast's forms. */
export const words: Words = { toast: (message) => `Error: ${message}` };

/** Saves an episode by `send`, or answers the problems to be read before it is published. */
export const saveEpisode = <Answer>(
  form: FormData,
  send: (episode: NewEpisode) => Promise<Answer>,
  id?: number,
) =>
  submit(form, {
    ...episodeForm,
    words,
    async send(episode) {
      const problems = await publishProblems(form, episode, id);
      // With a 422 no loader runs, so that the form stays as it is.
      return problems.length > 0 ? data({ problems }, { status: 422 }) : send(episode);
    },
  });
