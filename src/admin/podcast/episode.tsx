import { useEffect } from "react";
import { useNavigate } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import type { EpisodeInput, NewEpisode } from "#worker/episodes/contract.ts";
import { readEpisodeDefaults, readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { readPublication } from "#worker/publications/queries.ts";
import { useFormName } from "../form/name.ts";
import { basedOnOf } from "../form/submit.ts";
import { load } from "../load.server.ts";
import { NEW } from "../new-item.ts";
import { pageTitle } from "../page-title.ts";
import { PublicationPanel } from "../publications/panel.tsx";
import { toast } from "../toast.tsx";
import { EpisodeForm } from "./episode-form.tsx";
import { saveEpisode } from "./save.ts";
import type { Route } from "./+types/episode";

const titleOf = (id: string) => (id === NEW ? "New episode" : "Edit episode");

export const meta = ({ params: { id } }: Route.MetaArgs) => pageTitle(titleOf(id))();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  if (id !== NEW) {
    const [episode, publication] = await load(
      Promise.all([readEpisodeForEdit(ctx, Number(id)), readPublication(ctx, "episode", Number(id))]),
    );
    return { episode, values: episode.values, publication };
  }
  const values: EpisodeInput = { title: "", ...(await load(readEpisodeDefaults(ctx))) };
  return { episode: null, values, publication: null };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  if (id === NEW) return saveEpisode(form, create);
  const update = async (episode: NewEpisode) => {
    const json = { ...episode, basedOn: basedOnOf(form) };
    await readJson(api.episodes[":id"].$patch({ param: { id }, json }));
    return "Episode updated successfully!";
  };
  return saveEpisode(form, update, Number(id));
}

async function create(json: NewEpisode) {
  const { id } = await readJson(api.episodes.$post({ json }));
  toast.success("Episode created successfully!");
  return { created: id };
}

export default function EpisodePage({ loaderData, actionData, params: { id } }: Route.ComponentProps) {
  const { episode, values, publication } = loaderData;
  const name = useFormName(id);
  useOwnAddress(name, actionData && "created" in actionData ? actionData.created : undefined);
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">{titleOf(id)}</h1>
      {publication && values.status === "published" && (
        <PublicationPanel
          key={`${id} ${publication.wentOutAt}`}
          publication={publication}
          kind="episode"
          id={id}
        />
      )}
      <EpisodeForm
        key={name}
        name={name}
        episode={episode}
        values={values}
        problems={actionData && "problems" in actionData ? actionData.problems : undefined}
      />
    </>
  );
}

/** Leads a new episode to its own address, where its form goes on, and an upload into it. A redirect cannot say that. */
function useOwnAddress(form: string, created: number | undefined) {
  const navigate = useNavigate();
  useEffect(() => {
    if (created === undefined) return;
    void navigate(`/admin/podcast/${created}`, { replace: true, preventScrollReset: true, state: { form } });
  }, [navigate, created, form]);
}
