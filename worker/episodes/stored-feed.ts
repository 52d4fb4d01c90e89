import { and, asc, desc, eq, getTableColumns, inArray, ne, notInArray, sql, type SQL } from "drizzle-orm";
import {
  FEED_PAGE,
  feedTexts,
  inFeed,
  itemColumns,
  rankEpisodes,
  readFeedPage,
  readFeedShow,
  type FeedShow,
} from "#worker/episodes/feed-queries.ts";
import {
  audioUrlOf,
  chooseDetailed,
  inTurn,
  MAX_DOCUMENT,
  PARTS_VERSION,
  partsOf,
  publicFeed,
  renderPage,
  renderRss,
  roomFor,
  sizesOf,
  type ItemParts,
} from "#worker/episodes/rss.ts";
import { episodes, feedItems, shows } from "#worker/episodes/table.ts";
import { audio, image } from "#worker/files/library/joins.ts";
import type { Context } from "#worker/platform/context.ts";
import { newestVersion, versionOf } from "#worker/platform/data/changes.ts";
import { preparedRows } from "#worker/platform/data/prepared.ts";
import { AppError } from "#worker/platform/errors.ts";
import { byteLength } from "#worker/platform/text/bytes.ts";
import { RENDERER_VERSION } from "#worker/platform/text/markdown.ts";
import { withPages } from "#worker/profiles/credits.ts";

/**
 * The podcast's feed from the stored XML of its items: a request joins it, and renders only the items that changed
 * since (docs/decisions/0028-feeds.md).
 */

/** Items that a request or a run of the cron renders and stores. */
const SLICE = 50;
/** Those of a run on the free plan. */
const SMALL_SLICE = 5;

/**
 * A page of the podcast feed as XML. Page 1 is the address without a parameter. `feed` is another feed of the same items.
 * @throws `not_found` for a page beyond the last
 */
export async function readFeed(
  ctx: Context,
  show: FeedShow,
  page: number,
  feed = publicFeed(ctx.config.siteUrl, show),
) {
  ctx.dependsOn("episodes", "hub");
  const { siteUrl } = ctx.config;
  const rows = await selectPage(ctx, { form: formOf(ctx, show), skip: (page - 1) * FEED_PAGE });
  const outdated = rows.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id);
  if (outdated.length > SLICE) {
    ctx.later(storeItems(ctx, show, outdated.toSorted((a, b) => a - b).slice(0, SLICE)));
    return renderRss(siteUrl, show, await readFeedPage(ctx, rankEpisodes(ctx), page), feed);
  }
  const rendered = outdated.length > 0 ? await renderItems(ctx, show, outdated) : [];
  const renderedById = new Map(rendered.map((item) => [item.episodeId, item]));
  // An episode whose audio is missing has no item.
  const items = rows
    .map((row) => (row.isCurrent ? row : renderedById.get(row.id)))
    .filter((item) => item !== undefined);
  if (items.length === 0 && page > 1) throw new AppError("not_found", "The feed has no such page.");
  const trailers = items.map(({ trailer }) => trailer).join("");
  const shown = chooseShown(items, roomFor(siteUrl, show) - byteLength(trailers));
  const isOther = (item: Item, at: number) => "xml" in item && item.shown !== shown[at];
  const others = items.flatMap((item, at) => (isOther(item, at) ? [{ id: idOf(item), as: shown[at]! }] : []));
  const otherXml = others.length > 0 ? await readXml(ctx, others) : new Map<number, string>();
  if (others.length + rendered.length > 0) {
    const kept = items.map((item, at) => ({ id: idOf(item), as: shown[at]!, was: item.shown }));
    ctx.later(storePage(ctx, rendered, kept));
  }
  const xml = items.map((item, at) =>
    "xml" in item ? (otherXml.get(item.id) ?? item.xml) : joined(item, shown[at]!),
  );
  const lastPage = Math.max(1, Math.ceil((rows[0]?.total ?? 0) / FEED_PAGE));
  return renderPage(siteUrl, feed, { page, lastPage }, trailers + xml.join(""));
}

type Shown = (typeof feedItems.$inferSelect)["shown"];
type Rendered = Awaited<ReturnType<typeof renderItems>>[number];
type Item = Rendered | Awaited<ReturnType<typeof selectPage>>[number];

const idOf = (item: Item) => ("xml" in item ? item.id : item.episodeId);

/** What each item has in a document with room for this many bytes, by the rules of `readFeedPage` and `textsOf`. */
function chooseShown(items: Item[], room: number): Shown[] {
  let htmlBytes = 0;
  const hasNotes = items.map(() => false);
  for (const at of inTurn(items)) hasNotes[at] = (htmlBytes += items[at]!.htmlBytes) <= MAX_DOCUMENT;
  const sizes = items.map(({ hasLongNotes, briefBytes, moreBytes, notesBytes }, at) => ({
    hasLongNotes,
    briefBytes,
    moreBytes: moreBytes + (hasNotes[at] ? notesBytes : 0),
  }));
  return chooseDetailed(sizes, room).map((fits, at) =>
    fits ? (hasNotes[at] ? "details" : "bare") : "summary",
  );
}

const joined = ({ essentials, summary, description, notes, rest }: ItemParts, as: Shown) =>
  essentials + (as === "summary" ? summary : description + (as === "details" ? notes : "") + rest);

/** SQL: the same. */
const joinedAs = (as: SQL) => {
  const { essentials, summary, description, notes, rest } = feedItems;
  return sql<string>`${essentials} || case ${as} when 'summary' then ${summary}
    when 'bare' then ${description} || ${rest} else ${description} || ${notes} || ${rest} end`;
};

/** What an item is rendered from besides its episode and files. */
const formOf = ({ config }: Context, { language, op3, guid, takesSupport, disclosesGenerated }: FeedShow) =>
  [
    PARTS_VERSION,
    RENDERER_VERSION,
    config.siteUrl,
    language,
    op3 ? guid : "",
    takesSupport ? 1 : 0,
    ...(disclosesGenerated ? ["discloses"] : []),
  ].join(" ");

/** The episodes of a page, newest first, and their items, each as the last feed showed it. */
const selectPage = preparedRows(["form", "skip"], (db, { form, skip }) =>
  db
    .select({
      id: sql<number>`${episodes.id}`.as("id"),
      isCurrent: sql<number>`coalesce(${feedItems.form} = ${form}
        and ${feedItems.version} >= coalesce(${versionOf(sql`'episode:' || ${episodes.id}`)}, 0), 0)`.as(
        "isCurrent",
      ),
      hasLongNotes: sql<number>`${feedItems.hasLongNotes}`.as("hasLongNotes"),
      htmlBytes: sql<number>`${feedItems.htmlBytes}`.as("htmlBytes"),
      briefBytes: sql<number>`${feedItems.briefBytes}`.as("briefBytes"),
      moreBytes: sql<number>`${feedItems.moreBytes}`.as("moreBytes"),
      notesBytes: sql<number>`${feedItems.notesBytes}`.as("notesBytes"),
      shown: sql<Shown>`${feedItems.shown}`.as("shown"),
      trailer: sql<string>`${feedItems.trailer}`.as("trailer"),
      xml: joinedAs(sql`${feedItems.shown}`).as("xml"),
      total: sql<number>`(select count(*) from ${episodes} where ${inFeed})`.as("total"),
    })
    .from(episodes)
    .leftJoin(feedItems, eq(feedItems.episodeId, episodes.id))
    .where(inFeed)
    .orderBy(desc(episodes.publishedAt), desc(episodes.id))
    .limit(FEED_PAGE)
    .offset(skip as unknown as number),
);

/** The XML of stored items as they are to be shown now. */
async function readXml({ db }: Context, items: { id: number; as: Shown }[]) {
  const wanted = sql`json_each(${JSON.stringify(items.map(({ id, as }) => [id, as]))})`;
  const rows = await db
    .select({ id: feedItems.episodeId, xml: joinedAs(sql`value ->> 1`).as("xml") })
    .from(wanted)
    .innerJoin(feedItems, sql`${feedItems.episodeId} = value ->> 0`);
  return new Map(rows.map(({ id, xml }) => [id, xml]));
}

/** The items of these episodes, as rows of the table. */
async function renderItems(ctx: Context, show: FeedShow, ids: number[]) {
  const rows = await withPages(await readItems(ctx, listOf(ids)));
  const form = formOf(ctx, show);
  const audioUrl = audioUrlOf(ctx.config.siteUrl, show);
  return rows.map((row) => {
    const { id: episodeId, version, hasLongNotes, htmlBytes } = row;
    const parts = partsOf(ctx.config.siteUrl, row, audioUrl);
    const shown: Shown = "summary";
    return { episodeId, form, version, hasLongNotes, htmlBytes, shown, ...sizesOf(parts), ...parts };
  });
}

const listOf = (ids: number[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** Stores what a page was rendered from: new items, and how each is shown. */
async function storePage(ctx: Context, items: Rendered[], kept: { id: number; as: Shown; was: Shown }[]) {
  const changes = feedItems.shown.enumValues.flatMap((as) => {
    const ids = kept.filter((item) => item.as === as && item.was !== as).map(({ id }) => id);
    const isOther = ne(feedItems.shown, as);
    const which = sql`${inArray(feedItems.episodeId, listOf(ids))} and ${isOther}`;
    return ids.length > 0 ? [ctx.db.update(feedItems).set({ shown: as }).where(which)] : [];
  });
  const [first, ...rest] = [...storing(ctx, items), ...changes];
  if (first) await ctx.db.batch([first, ...rest]);
}

/** Renders these items and stores them; those that are not in the feed are deleted. False if that changed nothing. */
async function storeItems(ctx: Context, show: FeedShow, ids: number[]) {
  const items = await renderItems(ctx, show, ids);
  const inIt = ctx.db
    .select({ id: episodes.id })
    .from(episodes)
    .innerJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(inFeed);
  const gone = and(inArray(feedItems.episodeId, listOf(ids)), notInArray(feedItems.episodeId, inIt));
  const results = await ctx.db.batch([ctx.db.delete(feedItems).where(gone), ...storing(ctx, items)]);
  return results.some(({ meta }) => meta.changes > 0);
}

/** As many rows as the 100 parameters of a statement allow. */
const ROWS = Math.floor(100 / Object.keys(getTableColumns(feedItems)).length);

/** The statements that store items, unless another request has stored a newer version. */
const storing = ({ db }: Context, items: Rendered[]) =>
  Array.from({ length: Math.ceil(items.length / ROWS) }, (_, at) =>
    db
      .insert(feedItems)
      .values(items.slice(at * ROWS, (at + 1) * ROWS))
      .onConflictDoUpdate({
        target: feedItems.episodeId,
        set: replaced,
        setWhere: sql`excluded.version >= ${feedItems.version}`,
      }),
  );

const { shown: _shown, ...columns } = getTableColumns(feedItems);
const replaced = Object.fromEntries(
  Object.entries(columns).map(([name, column]): [string, SQL] => [
    name,
    sql`excluded.${sql.identifier(column.name)}`,
  ]),
);

/** With the version that they are of, in one statement. */
const readItems = ({ db }: Context, which: SQL) =>
  db
    .select({
      ...itemColumns,
      ...feedTexts,
      rank: sql<number>`0`.as("rank"),
      total: sql<number>`0`.as("total"),
      version: newestVersion,
    })
    .from(episodes)
    .innerJoin(audio, eq(audio.id, episodes.audioFileId))
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .where(sql`${inArray(episodes.id, which)} and ${inFeed}`);

/**
 * Stores the XML of some episodes that are new, or whose XML was stored before a deployment or a setting that changed
 * all. Others are stored by the first request that shows them. Returns false if that changed nothing.
 */
export async function renewFeedItems(ctx: Context) {
  const show = await readShow(ctx);
  if (!show) return false;
  const ids = await findOldItems(ctx, show, ctx.config.plan === "free" ? SMALL_SLICE : SLICE);
  return ids.length > 0 && storeItems(ctx, show, ids);
}

/** Whether `renewFeedItems` has anything to do. */
export async function hasOldFeedItems(ctx: Context) {
  const show = await readShow(ctx);
  return show !== null && (await findOldItems(ctx, show, 1)).length > 0;
}

/** Null while the podcast has no show. */
async function readShow(ctx: Context) {
  const [described] = await ctx.db.select({ id: shows.id }).from(shows);
  return described ? readFeedShow(ctx) : null;
}

/** The ids of episodes without a current item, as far as the table of items tells. */
async function findOldItems(ctx: Context, show: FeedShow, most: number) {
  const form = formOf(ctx, show);
  const last = sql`(select coalesce(max(${feedItems.episodeId}), 0) from ${feedItems})`;
  const old = ctx.db
    .select({ id: feedItems.episodeId })
    .from(feedItems)
    .where(sql`${feedItems.form} < ${form} or ${feedItems.form} > ${form}`);
  const missing = ctx.db
    .select({ id: episodes.id })
    .from(episodes)
    // Without its audio it would never get an item.
    .innerJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(sql`${episodes.id} > ${last} and ${inFeed}`);
  const rows = await old
    .unionAll(missing)
    .orderBy(asc(sql`1`))
    .limit(most);
  return rows.map(({ id }) => id);
}
