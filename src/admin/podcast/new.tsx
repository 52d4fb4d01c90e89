import { redirect } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { pageTitle } from "#site/admin/page-title.ts";
import { readEpisodeDefaults } from "#worker/episodes/owner-queries.ts";
import { load } from "../load.server.ts";
import { toast } from "../toast.tsx";
import { EpisodeForm } from "./episode-form.tsx";
import { saveEpisode } from "./save.ts";
import type { Route } from "./+types/new";

export const meta = pageTitle("New episode");

export const loader = ({ context }: Route.LoaderArgs) => load(readEpisodeDefaults(context.get(siteContext)));

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  saveEpisode(await request.formData(), async (json) => {
    const { id } = await readJson(api.episodes.$post({ json }));
    toast.success("Episode created successfully!");
    return redirect(`/admin/podcast/${id}`);
  });

export default function NewEpisode({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">New episode</h1>
      <EpisodeForm
        values={{ title: "", ...loaderData }}
        audio={null}
        image={null}
        problems={actionData && "problems" in actionData ? actionData.problems : undefined}
      />
    </>
  );
}
