import { asc, eq, inArray, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { UpkeepInput, type UpkeepItem, type UpkeepSlice } from "#worker/articles/contract.ts";
import { articles } from "#worker/articles/table.ts";
import { image } from "#worker/files/library/joins.ts";
import { altOf } from "#worker/files/pictures/picture.ts";
import { checkLinks, MOST_LINKS } from "#worker/letters/check-links.ts";
import { linksAndPicturesIn } from "#worker/mail/markdown-text.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { nextSlice } from "#worker/rendering/render-slice.ts";

/** The number of articles, in any status. */
export async function countArticles(ctx: Context) {
  requireCapability("edit", ctx);
  return ctx.db.$count(articles);
}

/**
 * Finds broken links and pictures without a description in the next articles, limited by the links of one check.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function checkArticles(ctx: Context, input: UpkeepInput): Promise<UpkeepSlice> {
  requireCapability("edit", ctx);
  const { after } = parseInput(UpkeepInput, input);
  const rows = await readTexts(ctx, await nextSlice(ctx, articles, articles.content, after));
  const items: UpkeepItem[] = [];
  let asked = 0;
  let last: number | null = null;
  for (const row of rows) {
    const written = linksAndPicturesIn(row.content);
    asked += written.links.length;
    if (asked > MOST_LINKS && items.length > 0) break;
    items.push(await checkArticle(ctx, row, written));
    last = row.id;
  }
  return { items, next: last };
}

const readTexts = ({ db }: Context, ids: number[]) =>
  db
    .select({
      id: articles.id,
      title: articles.title,
      content: articles.content,
      hasImage: sql`${articles.imageFileId} is not null`.mapWith(Boolean),
      imageAlt: articles.imageAlt,
      file: { alt: image.alt },
    })
    .from(articles)
    .leftJoin(image, eq(image.id, articles.imageFileId))
    .where(inArray(articles.id, ids))
    .orderBy(asc(articles.id));

type Text = Awaited<ReturnType<typeof readTexts>>[number];

/** Findings for letters only: links without words, and http links, of which mail programs warn. */
const OF_LETTERS = ["unnamed-link", "insecure-link"];

async function checkArticle(
  ctx: Context,
  { id, title, hasImage, imageAlt, file }: Text,
  { links, pictures }: ReturnType<typeof linksAndPicturesIn>,
): Promise<UpkeepItem> {
  const found = await checkLinks(ctx, links);
  const findings = found
    .filter(({ code }) => !OF_LETTERS.includes(code))
    .map(({ message, where = null }) => ({ message, where }));
  const bare = pictures.filter(({ alt }) => alt.trim() === "");
  findings.push(...bare.map(({ url }) => ({ message: "A picture has no description.", where: url })));
  if (hasImage && altOf(file, imageAlt).trim() === "")
    findings.push({ message: "The featured picture has no description.", where: null });
  const addresses = new Set(links.map(({ url }) => url)).size;
  if (addresses > MOST_LINKS)
    findings.push({
      message: `Only the first ${MOST_LINKS} of its ${addresses} links were checked.`,
      where: null,
    });
  return { id, title, isChanged: false, findings };
}
