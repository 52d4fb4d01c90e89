import { redirect } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { refused } from "#site/admin/saving.ts";
import { titled } from "#site/admin/titled.ts";
import { toast } from "../toast.tsx";
import { episodeDefaults } from "#worker/episodes/contract.ts";
import { suggestNumbers } from "#worker/episodes/episodes.ts";
import { EpisodeForm, type SaveResult } from "./episode-form.tsx";
import { readEpisodeForm } from "./episode-input.ts";
import { publishProblems } from "./publish-check.ts";
import { errorsOf, firstOf } from "./save.ts";
import type { Route } from "./+types/new";

export const meta = titled("New episode");

export async function loader({ context }: Route.LoaderArgs) {
  return { numbers: await suggestNumbers(context.get(siteContext)) };
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const read = readEpisodeForm(form);
  if ("errors" in read) return refused<SaveResult>({ errors: read.errors });
  try {
    const problems = await publishProblems(form, read.input, "draft");
    if (problems.length > 0) return refused<SaveResult>({ problems });
    const { id } = await readJson(api.episodes.$post({ json: read.input }));
    toast.success("Episode created successfully!");
    return redirect(`/admin/podcast/${id}`);
  } catch (error) {
    const errors = errorsOf(error);
    toast.error(`Error: ${firstOf(errors)}`);
    return refused<SaveResult>({ errors });
  }
}

export default function NewEpisode({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">New episode</h1>
      <EpisodeForm
        values={{ title: "", ...episodeDefaults, ...loaderData.numbers }}
        audio={null}
        image={null}
        result={actionData ?? undefined}
      />
    </>
  );
}
