import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { shownExcerpt } from "#worker/articles/text.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { CONTENT_LENGTH, PREHEADER_LENGTH, SUBJECT_LENGTH, type Origin } from "#worker/letters/contract.ts";
import { asMarkdown, openingOf } from "#worker/mail/markdown-text.ts";
import { beginningOf } from "#worker/platform/text/excerpt.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

type Beginning = { subject: string; preheader: string; content: string };

/**
 * A letter made from a published article or episode: title, standfirst, text and a link to its page.
 * @throws `not_found`; `conflict` for what is not published
 */
export const letterOf = (ctx: Context, { kind, id }: Origin): Promise<Beginning> =>
  kind === "article" ? letterOfArticle(ctx, id) : letterOfEpisode(ctx, id);

async function letterOfArticle(ctx: Context, id: number) {
  const { slug, values, image } = await readArticleForEdit(ctx, id);
  requirePublished(values.status);
  const link = linkTo(linkLabels.article, `${ctx.config.siteUrl}/essays/${slug}`);
  const excerpt = shownExcerpt(values);
  return beginning(values.title, excerpt, [
    pictureOf(image, values.imageAlt),
    asMarkdown(excerpt),
    values.content,
    link,
  ]);
}

async function letterOfEpisode(ctx: Context, id: number) {
  const { values, image } = await readEpisodeForEdit(ctx, id);
  requirePublished(values.status);
  const link = linkTo(linkLabels.episode, `${ctx.config.siteUrl}/episode/${id}`);
  return beginning(values.title, values.description, [
    pictureOf(image, values.imageAlt),
    asMarkdown(values.description),
    link,
    values.showNotes,
  ]);
}

function requirePublished(status: string) {
  if (status !== "published") throw new AppError("conflict", "Publish it before you make the letter.");
}

/** The button to the page of an article or episode. */
export const linkLabels = { article: "Read on the site", episode: "Listen to the episode" };

/** A bold link alone in its paragraph, which an email shows as a button. */
const linkTo = (label: string, href: string) => `**[${label}](${href})**`;

/** A picture in Markdown; empty for none. */
export const pictureOf = (image: { url: string } | null, alt: string) =>
  image ? `![${escapeAlt(alt)}](${image.url})` : "";

const escapeAlt = (alt: string) => alt.replace(/[\\[\]]/g, "\\$&");

function beginning(title: string, summary: string, parts: string[]): Beginning {
  return {
    subject: beginningOf(title, SUBJECT_LENGTH),
    preheader: beginningOf(summary.replace(/\s+/g, " ").trim(), PREHEADER_LENGTH),
    content: fitting(parts),
  };
}

/** The first blocks of a text that fit into an email; the link leads to the rest. */
function fitting(parts: string[]) {
  const written = parts.map((part) => part.trim()).filter(Boolean);
  const longest = written.reduce((most, part) => (part.length > most.length ? part : most), "");
  const rest = written.join("\n\n").length - longest.length;
  return written
    .map((part) => (part === longest ? openingOf(part, CONTENT_LENGTH - rest) : part))
    .filter(Boolean)
    .join("\n\n");
}
