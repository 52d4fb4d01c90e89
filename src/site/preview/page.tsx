import { redirect } from "react-router";
import { siteContext } from "#site/context.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { Title } from "#site/ui/title.tsx";
import { readArticleForPreview } from "#worker/articles/queries.ts";
import { readPreviewToken } from "#worker/previews/links.ts";
import { EssayArticle } from "../essays/article.tsx";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { PageError, useErrorText, useIsMissing } from "../page-error.tsx";
import type { Route } from "./+types/page.ts";

/** Its address holds a token. */
export const headers = () => ({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });

/** A draft, for whoever was sent its link. What is published meanwhile is shown at its own address. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const { item, expiresAt } = await orErrorResponse(
    readPreviewToken(ctx, url.searchParams.get("token") ?? ""),
  );
  const [{ site }, { article, status }] = await Promise.all([
    readSiteAndShow(ctx),
    orErrorResponse(readArticleForPreview(ctx, Number(item))),
  ]);
  if (status === "published") throw redirect(`/essays/${article.slug}`);
  return { article, author: site.name, expiresAt };
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `Draft: ${loaderData?.article.title ?? ""}` },
  { name: "robots", content: "noindex" },
];

export default function PreviewPage({ loaderData: { article, author, expiresAt } }: Route.ComponentProps) {
  return (
    <>
      <p className="border-b border-rule bg-tint py-3 text-sm">
        <span className="page block">
          This is a draft, not published yet. Its link works until{" "}
          <DateTime at={expiresAt} format={formatDateTime} />.
        </span>
      </p>
      <EssayArticle article={article} author={author} />
    </>
  );
}

export const ErrorBoundary = () =>
  useIsMissing() ? (
    <LinkRefused />
  ) : (
    <PageError title="Failed to load this preview. Please try again later." />
  );

const LinkRefused = () => (
  <section className="page grid justify-items-start gap-6 py-16 lg:py-24">
    <title>Preview not found</title>
    <meta name="robots" content="noindex" />
    <Title text="Preview not found" />
    <p className="max-w-xl font-reading text-lg text-muted">{useErrorText()}</p>
  </section>
);
