import { redirect } from "react-router";
import { api, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { articleDefaults } from "#worker/articles/contract.ts";
import { listCategories } from "#worker/articles/owner-queries.ts";
import { submit } from "../form/submit.ts";
import { load } from "../load.server.ts";
import { pageTitle } from "../page-title.ts";
import { toast } from "../toast.tsx";
import { ArticleForm } from "./article-form.tsx";
import { articleForm } from "./article-input.ts";
import type { Route } from "./+types/new";

export const meta = pageTitle("New article");

export const loader = ({ context }: Route.LoaderArgs) => load(listCategories(context.get(siteContext)));

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  submit(await request.formData(), {
    ...articleForm,
    async send(json) {
      const { id } = await readJson(api.articles.$post({ json }));
      toast.success("Article created successfully!");
      return redirect(`/admin/articles/${id}`);
    },
  });

export default function NewArticle({ loaderData: { items: categories } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">New article</h1>
      <ArticleForm values={{ title: "", ...articleDefaults }} image={null} categories={categories} />
    </>
  );
}
