import { redirect } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { useLocale } from "#site/ui/locale.ts";
import { listCategories, readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { act } from "../form/submit.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { readVersions } from "../publishing/revisions/read-versions.server.ts";
import { Versions } from "../publishing/revisions/versions.tsx";
import { toast } from "../shell/toast.tsx";
import { articleWords } from "./article-words.ts";
import type { Route } from "./+types/versions";

export const meta = pageTitle("Versions of an article");

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const item = { kind: "article", item: Number(params.id) } as const;
  const [article, { items: categories }, versions] = await load(
    Promise.all([
      readArticleForEdit(ctx, item.item),
      listCategories(ctx),
      readVersions(ctx, item, url.searchParams),
    ]),
  );
  return { article, categories, ...versions };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  const restore = api.articles[":id"].revisions[":revision"].restore;
  return act(form, async () => {
    const param = { id, revision: String(form.get("revision")) };
    await readJson(restore.$post({ param, json: { basedOn: Number(form.get("basedOn")) } }));
    toast.success("Version restored");
    return redirect(`/admin/articles/${id}`);
  });
}

export default function ArticleVersions({ loaderData, params: { id } }: Route.ComponentProps) {
  const { article, categories, revisions, opened } = loaderData;
  return (
    <Versions
      back={{ to: `/admin/articles/${id}`, label: article.values.title }}
      revisions={revisions}
      opened={opened}
      current={article.values}
      basedOn={article.updatedAt}
      words={articleWords(categories, useLocale())}
    />
  );
}
