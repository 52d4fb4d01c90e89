import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { listCategories, readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { basedOnOf, submit } from "../form/submit.ts";
import { load } from "../load.server.ts";
import { pageTitle } from "../page-title.ts";
import { ArticleForm } from "./article-form.tsx";
import { articleForm } from "./article-input.ts";
import type { Route } from "./+types/edit";

export const meta = pageTitle("Edit article");

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [article, { items: categories }] = await load(
    Promise.all([readArticleForEdit(ctx, Number(params.id)), listCategories(ctx)]),
  );
  return { article, categories };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return submit(form, {
    ...articleForm,
    async send(article) {
      const json = { ...article, basedOn: basedOnOf(form) };
      await readJson(api.articles[":id"].$patch({ param: { id }, json }));
      return "Article updated successfully!";
    },
  });
}

export default function EditArticle({ loaderData: { article, categories } }: Route.ComponentProps) {
  const { id, updatedAt, values, image, viewCount } = article;
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Edit article</h1>
      <ArticleForm
        key={id}
        id={id}
        basedOn={updatedAt}
        values={values}
        image={image}
        categories={categories}
        viewCount={viewCount}
      />
    </>
  );
}
