import { data } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { refused } from "#site/admin/saving.ts";
import { titled } from "#site/admin/titled.ts";
import { toast } from "../toast.tsx";
import type { EpisodeStatus } from "#worker/episodes/contract.ts";
import { readEpisodeForEdit } from "#worker/episodes/episodes.ts";
import { AppError } from "#worker/platform/errors.ts";
import { EpisodeForm, type SaveResult } from "./episode-form.tsx";
import { readEpisodeForm } from "./episode-input.ts";
import { publishProblems } from "./publish-check.ts";
import { errorsOf, firstOf } from "./save.ts";
import type { Route } from "./+types/edit";

export const meta = titled("Edit episode");

export async function loader({ context, params }: Route.LoaderArgs) {
  try {
    return await readEpisodeForEdit(context.get(siteContext), Number(params.id));
  } catch (error) {
    if (error instanceof AppError) throw data(error.message, { status: error.status });
    throw error;
  }
}

export async function clientAction({ request, params }: Route.ClientActionArgs) {
  const form = await request.formData();
  const read = readEpisodeForm(form);
  if ("errors" in read) return refused<SaveResult>({ errors: read.errors });
  try {
    const before = String(form.get("savedStatus")) as EpisodeStatus;
    const problems = await publishProblems(form, read.input, before, Number(params.id));
    if (problems.length > 0) return refused<SaveResult>({ problems });
    await readJson(
      api.episodes[":id"].$patch({
        param: { id: params.id },
        json: { ...read.input, basedOn: Number(form.get("basedOn")) },
      }),
    );
    toast.success("Episode updated successfully!");
    return null;
  } catch (error) {
    const errors = errorsOf(error);
    toast.error(`Error: ${firstOf(errors)}`);
    return refused<SaveResult>({ errors });
  }
}

export default function EditEpisode({ loaderData, actionData }: Route.ComponentProps) {
  const { id, updatedAt, values, audio, image } = loaderData;
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Edit episode</h1>
      <EpisodeForm
        key={id}
        basedOn={updatedAt}
        values={values}
        audio={audio}
        image={image}
        publicPath={values.status === "published" ? `/episode/${id}` : undefined}
        result={actionData ?? undefined}
      />
    </>
  );
}
