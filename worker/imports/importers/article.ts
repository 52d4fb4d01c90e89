import { createArticle } from "#worker/articles/commands.ts";
import type { NewArticle } from "#worker/articles/contract.ts";
import { findArticlesByImportKey } from "#worker/articles/match-queries.ts";
import { findPresentEpisodes } from "#worker/episodes/guid-queries.ts";
import { keepEpisodeAddresses } from "#worker/episodes/old-addresses.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import type { ImportItem, InterruptedItem, Outcome, WorkItem } from "#worker/imports/import-type.ts";
import {
  MOVED_ARTICLES,
  MovedArticle,
  MovedItem,
  PICTURE,
  type MovedEpisode,
} from "#worker/imports/importers/contract.ts";
import { importKeyOf } from "#worker/imports/importers/queries.ts";
import { bringPicture } from "#worker/imports/importers/pictures.ts";
import { isOfAnotherItem } from "#worker/imports/items.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Milliseconds after which the remaining pictures of an article are left to another message. */
const LONGEST_TURN = 30_000;
/** Attempts for a picture that cannot be fetched. */
const TRIES = 3;
/** Milliseconds until the next attempt. */
const WAIT = 30_000;

type Picture = { id: string; url: string } | { why: string };
type Saved = {
  /** By their number in the article. */
  pictures: Picture[];
  /** Attempts for the next picture. */
  tries: number;
  /** The article is being written: if it exists, this item created it, or another import of the same article. */
  isWriting?: true;
};

/** Imports an article, or redirects the old addresses of an episode's post to the episode. */
export const importMovedItem: ImportItem = async (ctx, item) => {
  const moved = MovedItem.parse(item.payload);
  return moved.place === "episode" ? keepAddresses(ctx, moved) : importMovedArticle(ctx, item);
};

async function keepAddresses(ctx: Context, { episodeId, oldAddresses }: MovedEpisode): Promise<Outcome> {
  if (!(await findPresentEpisodes(ctx, [episodeId])).has(episodeId))
    return { is: "failed", message: "The episode isn’t here any more." };
  const [keep] = keepEpisodeAddresses(ctx, episodeId, oldAddresses);
  if (keep) await keep;
  return { is: "done", message: "It’s an episode here: its old address leads to that." };
}

/**
 * Imports an article with its pictures, once: if it was imported before, the owner's version is not changed. A picture
 * that cannot be fetched becomes a link to its old address.
 */
export const importMovedArticle: ImportItem = async (ctx, item) => {
  const article = MovedArticle.parse(item.payload);
  const before = { pictures: [], tries: 0, ...(item.saved as Partial<Saved> | null) };
  const importKey = await importKeyOf(item.key);
  const known = await findImported(ctx, importKey);
  if (known) {
    const isOurs = before.isWriting && !(await isOfAnotherItem(ctx, MOVED_ARTICLES, item, known.id));
    return isOurs ? done(known.id, article, before.pictures) : isHere(known);
  }
  const saved = await upToMissing(ctx, before);
  const pause = await fetchPictures(ctx, item, article, saved);
  if (pause) return pause;
  if (!(await item.save({ ...saved, isWriting: true }))) return { is: "more" };
  try {
    // The current time: fetching the pictures took a while, and the notification to the hub is scheduled relative to
    // the publication.
    const late = { ...ctx, now: ctx.clock() };
    const { id, notes } = await write(late, article, saved.pictures, importKey);
    return done(id, { notes: [...article.notes, ...notes] }, saved.pictures);
  } catch (error) {
    // A concurrent import of the same article may have created it while the pictures were fetched.
    const other = isConflict(error) && (await findImported(ctx, importKey));
    if (!other) throw error;
    return isHere(other);
  }
};

/** The articles that these items created before they were interrupted, by the id of the item. */
export async function findCreatedArticles(ctx: Context, items: InterruptedItem[]) {
  const created = new Map<number, number>();
  for (const item of items) {
    if (!(item.saved as Partial<Saved> | null)?.isWriting) continue;
    const known = await findImported(ctx, await importKeyOf(item.key));
    if (known && !(await isOfAnotherItem(ctx, MOVED_ARTICLES, item, known.id)))
      created.set(item.id, known.id);
  }
  return created;
}

const findImported = async (ctx: Context, importKey: string) =>
  (await findArticlesByImportKey(ctx, [importKey])).get(importKey);

const isHere = ({ id }: { id: number }): Outcome => ({
  is: "skipped",
  message: "Already here, and unchanged.",
  result: id,
});

const isConflict = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === "conflict";

/** The saved state up to the first deleted picture: while an import is paused, the sweep deletes unused files. */
async function upToMissing(ctx: Context, saved: Saved): Promise<Saved> {
  const { pictures } = saved;
  const stored = await findStoredFiles(
    ctx,
    pictures.flatMap((picture) => ("id" in picture ? picture.id : [])),
  );
  const missing = pictures.findIndex((picture) => "id" in picture && !stored.has(picture.id));
  return missing < 0 ? saved : { pictures: pictures.slice(0, missing), tries: 0 };
}

/** Fetches the missing pictures into `saved`; returns an outcome if the rest is left to another message. */
async function fetchPictures(
  ctx: Context,
  item: WorkItem,
  { pictures, image, imageAlt }: MovedArticle,
  saved: Saved,
): Promise<Outcome | null> {
  const start = ctx.clock().getTime();
  while (saved.pictures.length < pictures.length) {
    if (ctx.clock().getTime() - start > LONGEST_TURN) return { is: "more" };
    const number = saved.pictures.length;
    const fetched = await bringPicture(ctx, pictures[number]!, number === image ? imageAlt : "");
    if (fetched.is === "later" && saved.tries + 1 < TRIES) {
      saved.tries++;
      const isOpen = await item.save(saved);
      const message = `A picture wasn’t imported: ${fetched.why}.`;
      return isOpen ? { is: "again", message, afterMs: WAIT * saved.tries } : { is: "more" };
    }
    saved.tries = 0;
    saved.pictures.push(fetched.is === "here" ? { id: fetched.id, url: fetched.url } : { why: fetched.why });
    if (!(await item.save(saved))) return { is: "more" };
  }
  return null;
}

async function write(ctx: Context, article: MovedArticle, pictures: Picture[], importKey: string) {
  const input = inputOf(ctx, article, pictures);
  const { guid, oldAddresses } = article;
  const options = { isImported: true, importKey, guid, oldAddresses };
  try {
    return { id: (await createArticle(ctx, input, options)).id, notes: [] };
  } catch (error) {
    if (!(isConflict(error) && error.field === "slug")) throw error;
    const { id, slug } = await createArticle(ctx, { ...input, slug: "" }, options);
    return { id, notes: [`Its address was already used, so it’s at /essays/${slug}.`] };
  }
}

function inputOf(ctx: Context, article: MovedArticle, pictures: Picture[]): NewArticle {
  const { title, slug, excerpt, categoryId, tags, metaTitle, metaDescription, sourceUrl } = article;
  const image = article.image === null ? undefined : pictures[article.image];
  return {
    title,
    slug,
    excerpt,
    categoryId,
    tags,
    metaTitle,
    metaDescription,
    sourceUrl,
    content: withPictures(article, pictures),
    ...(image &&
      "id" in image && {
        imageFileId: image.id,
        imageAlt: article.imageAlt,
        imageCaption: article.imageCaption,
      }),
    ...datesOf(ctx, article),
  };
}

/**
 * A scheduled date in the past means published; a published date in the future means scheduled. A draft keeps its date
 * for its publication.
 */
function datesOf({ now }: Context, { status, at }: MovedArticle) {
  if (status === "draft")
    return { status, originalPublishedAt: at !== null && at <= now.getTime() ? at : null } as const;
  if (at === null) return { status: status === "published" ? status : "draft" } as const;
  return at > now.getTime()
    ? ({ status: "scheduled", scheduledFor: at } as const)
    : ({ status: "published", publishedAt: at } as const);
}

const numbered = new RegExp(`${PICTURE.replaceAll(".", "\\.")}(\\d+)`, "g");

const withPictures = ({ content, pictures: addresses }: MovedArticle, pictures: Picture[]) =>
  content.replace(numbered, (_text, digits: string) => {
    const picture = pictures[Number(digits)];
    return picture && "url" in picture ? picture.url : inMarkdown(addresses[Number(digits)] ?? "");
  });

/** Escapes an address for a Markdown link. */
const inMarkdown = (address: string) =>
  encodeURI(address)
    .replaceAll("%25", "%")
    .replace(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29"));

function done(id: number, { notes }: Pick<MovedArticle, "notes">, pictures: Picture[]): Outcome {
  const missing = pictures.flatMap((picture) => ("why" in picture ? picture.why : []));
  const words =
    missing.length === 0
      ? []
      : [
          missing.length === 1
            ? `A picture couldn’t be imported, and is a link: ${missing[0]}.`
            : `${missing.length} pictures couldn’t be imported, and are links: ${[...new Set(missing)].join("; ")}.`,
        ];
  const message = [...words, ...notes].join(" ");
  return { is: "done", result: id, ...(message && { message }) };
}
