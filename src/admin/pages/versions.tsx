import { redirect } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { readPageForEdit } from "#worker/pages/owner-queries.ts";
import { act } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { readVersions } from "../publishing/revisions/read-versions.server.ts";
import { Versions } from "../publishing/revisions/versions.tsx";
import { toast } from "../shell/toast.tsx";
import { editPath, pageNames, pageSlugOf } from "./page-paths.ts";
import { pageWords } from "./words.ts";
import type { Route } from "./+types/versions";

export const meta = pageTitle("Versions of a page");

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const item = { kind: "page", item: params.slug } as const;
  const [page, versions] = await load(
    Promise.all([readPageForEdit(ctx, pageSlugOf(params)), readVersions(ctx, item, url.searchParams)]),
  );
  return { page, ...versions };
}

export async function clientAction({ request, params }: Route.ClientActionArgs) {
  const form = await request.formData();
  const slug = pageSlugOf(params);
  const restore = api.pages[":slug"].revisions[":revision"].restore;
  return act(form, async () => {
    const param = { slug, revision: String(form.get("revision")) };
    await readJson(restore.$post({ param, json: { basedOn: Number(form.get("basedOn")) } }));
    toast.success("Version restored");
    return redirect(editPath(slug));
  });
}

export default function PageVersions({ loaderData: { page, revisions, opened } }: Route.ComponentProps) {
  const { slug, values, updatedAt } = page;
  return (
    <Versions
      back={{ to: editPath(slug), label: pageNames[slug] }}
      revisions={revisions}
      opened={opened}
      current={values}
      basedOn={updatedAt}
      words={pageWords}
    />
  );
}
