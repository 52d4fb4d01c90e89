import { redirect } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { useLocale } from "#site/ui/locale.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { act } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { readVersions } from "../publishing/revisions/read-versions.server.ts";
import { Versions } from "../publishing/revisions/versions.tsx";
import { toast } from "../shell/toast.tsx";
import { episodeWords } from "./episode-words.ts";
import type { Route } from "./+types/versions";

export const meta = pageTitle("Versions of an episode");

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const item = { kind: "episode", item: Number(params.id) } as const;
  const [episode, versions] = await load(
    Promise.all([readEpisodeForEdit(ctx, item.item), readVersions(ctx, item, url.searchParams)]),
  );
  return { episode, ...versions };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  const restore = api.episodes[":id"].revisions[":revision"].restore;
  return act(form, async () => {
    const param = { id, revision: String(form.get("revision")) };
    await readJson(restore.$post({ param, json: { basedOn: Number(form.get("basedOn")) } }));
    toast.success("Version restored");
    return redirect(`/admin/podcast/${id}`);
  });
}

export default function EpisodeVersions({ loaderData, params: { id } }: Route.ComponentProps) {
  const { episode, revisions, opened } = loaderData;
  return (
    <Versions
      back={{ to: `/admin/podcast/${id}`, label: episode.values.title }}
      revisions={revisions}
      opened={opened}
      current={episode.values}
      basedOn={episode.updatedAt}
      words={episodeWords(useLocale())}
    />
  );
}
