import { useState } from "react";
import { api, ensureOk, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { listCategories, readArticleForEdit, articlePreviewLink } from "#worker/articles/owner-queries.ts";
import { isAllowed } from "#worker/access/capabilities.ts";
import { findLetterOf } from "#worker/letters/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { readPublication } from "#worker/publications/queries.ts";
import { useFormName } from "../form/name.ts";
import { basedOnOf, saved, submit } from "../form/submit.ts";
import { FormHeading } from "../form/section.tsx";
import { load } from "../shell/load.server.ts";
import { PreviewLinkButton } from "../publishing/preview-link.tsx";
import { NEW } from "../form/new-item.ts";
import { pageTitle } from "../shell/page-title.ts";
import { followUp } from "../publishing/publications/awaited-publication.ts";
import { LetterButtonInHead } from "../publishing/publications/letter-button.tsx";
import { PublicationPanel } from "../publishing/publications/panel.tsx";
import { statusNames } from "../publishing/statuses.ts";
import { withDecision } from "../publishing/publish/decision.ts";
import { savedWords } from "../form/saved-words.ts";
import { ArticleForm } from "./article-form.tsx";
import { articleForm } from "./article-input.ts";
import type { Route } from "./+types/article";

const UNTITLED = "New article";

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageTitle(loaderData?.stored?.article.values.title || UNTITLED)();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [categories, stored] = await load(
    Promise.all([listCategories(ctx), id === NEW ? null : readStored(ctx, Number(id))]),
  );
  return {
    categories: categories.items,
    stored,
    mayMail: stored ? stored.letter === null : isAllowed("audience", ctx),
  };
}

async function readStored(ctx: Context, id: number) {
  const [article, previewLink, publication, letter] = await Promise.all([
    readArticleForEdit(ctx, id),
    articlePreviewLink.read(ctx, id),
    readPublication(ctx, "article", id),
    findLetterOf(ctx, { kind: "article", id }),
  ]);
  return { article, previewLink, publication, letter };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = withDecision(await request.formData());
  return submit(form, {
    ...articleForm,
    async send(article) {
      if (id === NEW) {
        const created = await readJson(api.articles.$post({ json: article }));
        await followUp(form, "article", created);
        return saved(form, savedWords("Article", form, created.values), {
          address: `/admin/articles/${created.id}`,
        });
      }
      const json = { ...article, basedOn: basedOnOf(form) };
      const updated = await readJson(api.articles[":id"].$patch({ param: { id }, json }));
      await followUp(form, "article", updated);
      return saved(form, savedWords("Article", form, updated.values), { updatedAt: updated.updatedAt });
    },
  });
}

export default function ArticlePage({ loaderData, params: { id } }: Route.ComponentProps) {
  const name = useFormName();
  return <Editor key={name} name={name} id={id} {...loaderData} />;
}

type EditorProps = Route.ComponentProps["loaderData"] & { name: string; id: string };

function Editor({ name, id, stored, categories, mayMail }: EditorProps) {
  const values = stored?.article.values;
  const [title, setTitle] = useState(values?.title ?? "");
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <FormHeading title={title} untitled={UNTITLED} state={statusNames[values?.status ?? "draft"]} />
        {stored && (
          <div className="flex flex-wrap gap-3">
            {stored.article.values.status !== "published" && (
              <PreviewLinkButton key={id} link={stored.previewLink} {...previewLinkOf(id)} />
            )}
            {stored.article.values.status === "published" && stored.letter !== undefined && (
              <LetterButtonInHead key={id} item={{ kind: "article", id }} letter={stored.letter} />
            )}
            <ButtonLink to={`/admin/articles/${id}/versions`} size="sm">
              Versions
            </ButtonLink>
          </div>
        )}
      </header>
      {stored?.publication && stored.article.values.status === "published" && (
        <PublicationPanel
          key={`${id} ${stored.publication.wentOutAt}`}
          publication={stored.publication}
          letter={stored.letter}
          kind="article"
          id={id}
        />
      )}
      <ArticleForm
        name={name}
        article={stored?.article ?? null}
        categories={categories}
        mayMail={mayMail}
        onTitle={setTitle}
      />
    </>
  );
}

const previewLinkOf = (id: string) => {
  const link = api.articles[":id"]["preview-link"];
  return {
    create: () => readJson(link.$post({ param: { id } })),
    withdraw: () => ensureOk(link.$delete({ param: { id } })),
  };
};
