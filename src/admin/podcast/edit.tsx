import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { pageTitle } from "#site/admin/page-title.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { basedOnOf } from "../form/submit.ts";
import { load } from "../load.server.ts";
import { EpisodeForm } from "./episode-form.tsx";
import { saveEpisode } from "./save.ts";
import type { Route } from "./+types/edit";

export const meta = pageTitle("Edit episode");

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(readEpisodeForEdit(context.get(siteContext), Number(params.id)));

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  const send = async (episode: object) => {
    const json = { ...episode, basedOn: basedOnOf(form) };
    await readJson(api.episodes[":id"].$patch({ param: { id }, json }));
    return "Episode updated successfully!";
  };
  return saveEpisode(form, send, Number(id));
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
        problems={actionData && "problems" in actionData ? actionData.problems : undefined}
      />
    </>
  );
}
