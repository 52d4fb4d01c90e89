import { and, desc, eq, getTableColumns, inArray, ne, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  episodeDefaults,
  ShowNotesPreviewInput,
  type EditableEpisode,
  type EpisodeInput,
  type EpisodeListQuery,
  type EpisodeRow,
  type OpenedEpisode,
  type Person,
  type ShowNotesPreview,
} from "#worker/episodes/contract.ts";
import { episodeNotFound } from "#worker/episodes/summary.ts";
import { binnedEpisodes, episodes, shows } from "#worker/episodes/table.ts";
import { linkTimestamps } from "#worker/episodes/timestamps.ts";
import { isListed, listMatch } from "#worker/discovery/list-search.ts";
import { findEmbedded } from "#worker/files/pictures/markdown-images.ts";
import { image } from "#worker/files/library/joins.ts";
import { altOf, pictureColumns, toPicture } from "#worker/files/pictures/picture.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { findFilesOf, findStoredFiles } from "#worker/files/stored.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { olderThanId, pageOf, wholeList } from "#worker/platform/data/keyset.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { renderMarkdown } from "#worker/platform/text/markdown.ts";
import { previewLinkOf } from "#worker/previews/preview-links.ts";
import { findLastSave } from "#worker/revisions/queries.ts";

const LIST_ROWS = 30;

/**
 * Every episode, whatever its status, newest first. `before` is the previous page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listEpisodes(ctx: Context, { before, ...filters }: EpisodeListQuery = {}) {
  requireCapability("edit", ctx);
  const match = await matchOf(ctx, filters);
  // A query without any word, such as "…", finds nothing.
  if (match === null) return pageOf<EpisodeRow>([], LIST_ROWS, () => "");
  const rows = await selectRows(ctx, match, before);
  const listed = rows.map(
    ({ picture, imageAlt, audioFileId, publishedAt, scheduledFor, ...row }): EpisodeRow => ({
      ...row,
      publishedAt: publishedAt?.getTime() ?? null,
      scheduledFor: scheduledFor?.getTime() ?? null,
      picture: toPicture(picture, altOf(picture, imageAlt)),
      hasAudio: audioFileId !== null,
    }),
  );
  return pageOf(listed, LIST_ROWS, ({ id }) => String(id));
}

const selectRows = ({ db }: Context, match: string | undefined, before: string | undefined) =>
  db
    .select({
      id: episodes.id,
      slug: episodes.slug,
      title: episodes.title,
      status: episodes.status,
      publishedAt: episodes.publishedAt,
      scheduledFor: episodes.scheduledFor,
      seasonNumber: episodes.seasonNumber,
      episodeNumber: episodes.episodeNumber,
      episodeType: episodes.episodeType,
      durationSeconds: episodes.durationSeconds,
      imageAlt: episodes.imageAlt,
      picture: pictureColumns(image),
      audioFileId: episodes.audioFileId,
    })
    .from(episodes)
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .where(
      and(
        isListed("episode_search", episodes.id, { match, before, rows: LIST_ROWS + 1 }),
        before === undefined ? undefined : olderThanId(before, episodes.id),
      ),
    )
    .orderBy(desc(episodes.id))
    .limit(LIST_ROWS + 1);

const matchOf = (ctx: Context, { q, status, season, type }: EpisodeListQuery) =>
  listMatch(ctx, "episode_search", {
    q,
    filters: [status && `status${status}`, season && `season${season}`, type && `type${type}`],
  });

/** The newest seasons; the filter needs no more. */
const MAX_SEASONS = 30;

/**
 * The seasons in use, newest first.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listSeasons(ctx: Context) {
  requireCapability("edit", ctx);
  // Steps from one season to the next in the index: DISTINCT would read all of its rows.
  const found = await ctx.db.all<{ season: number | null }>(sql`
    with recursive seasons (season) as (
      select max(${episodes.seasonNumber}) from ${episodes}
      union all
      select (select max(${episodes.seasonNumber}) from ${episodes} where ${episodes.seasonNumber} < season)
      from seasons where season is not null limit ${sql.raw(String(MAX_SEASONS))}
    )
    select season from seasons`);
  return wholeList(found.flatMap(({ season }) => season ?? []));
}

/**
 * An episode as its owner edits it, with its files.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readEpisodeForEdit(ctx: Context, id: number): Promise<OpenedEpisode> {
  requireCapability("edit", ctx);
  const [[row], stored, { savedBy, hasNamedSlug }] = await Promise.all([
    selectEdited(ctx, { id }),
    findFilesOf(ctx, eq(episodes.id, id), [episodes.audioFileId, episodes.imageFileId]),
    findLastSave(ctx, { kind: "episode", item: id }),
  ]);
  if (!row) throw episodeNotFound();
  const followsTitle = row.status === "draft" && !hasNamedSlug;
  return { ...editableOf(row, stored), savedBy, chosenSlug: followsTitle ? "" : row.slug };
}

/**
 * The titles of episodes, without deleted ones. Their ids may be selected by SQL.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readEpisodeTitles(ctx: Context, ids: number[] | SQL) {
  requireCapability("audience", ctx);
  if (Array.isArray(ids) && ids.length === 0) return [];
  return ctx.db
    .select({ id: episodes.id, title: episodes.title })
    .from(episodes)
    .where(inArray(episodes.id, ids));
}

export const toEditable = async (ctx: Context, row: EpisodeColumns) =>
  editableOf(row, await findFilesIn(ctx, row));

/** The files that an episode is shown with. */
export const findFilesIn = (
  ctx: Context,
  { audioFileId, imageFileId }: Pick<EpisodeColumns, "audioFileId" | "imageFileId">,
) =>
  findStoredFiles(
    ctx,
    [audioFileId, imageFileId].filter((id) => id !== null),
  );

export function editableOf(row: EditedColumns, stored: Map<string, StoredFile>): EditableEpisode {
  const { id, guid, audioFileId, imageFileId } = row;
  return {
    id,
    guid,
    updatedAt: row.updatedAt.getTime(),
    values: toInput(row),
    audio: stored.get(audioFileId ?? "") ?? null,
    image: stored.get(imageFileId ?? "") ?? null,
  };
}

/** People in each of this many last episodes are suggested for the next one. */
const REGULARS_OF = 3;

/**
 * The defaults of a new episode: the next number of the latest season, the people except guests who were in each of the
 * last three episodes, and the podcast's own settings.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readEpisodeDefaults(ctx: Context): Promise<Omit<EpisodeInput, "title">> {
  requireCapability("edit", ctx);
  const [numbers, latest, [show]] = await Promise.all([
    nextNumbers(ctx),
    ctx.db
      .select({ people: episodes.people })
      .from(episodes)
      .where(ne(episodes.episodeType, "trailer"))
      .orderBy(desc(episodes.id))
      .limit(REGULARS_OF),
    ctx.db.select({ explicit: shows.explicit, people: shows.people }).from(shows),
  ]);
  const people = latest.length > 0 ? regularsOf(latest) : (show?.people ?? []);
  return { ...episodeDefaults, ...numbers, people, explicit: show?.explicit ?? episodeDefaults.explicit };
}

/** After all episodes, those in the bin included. None if the owner does not number episodes. */
async function nextNumbers({ db }: Context) {
  const lastIn = (table: SQLiteTable) => sql`select * from (
    select season_number, episode_number from ${table} where episode_type <> 'trailer'
    order by season_number desc, episode_number desc limit 1)`;
  const [last] = await db
    .select({
      seasonNumber: sql<number | null>`season_number`,
      episodeNumber: sql<number | null>`episode_number`,
    })
    .from(sql`(${lastIn(episodes)} union all ${lastIn(binnedEpisodes)})`)
    .orderBy(sql`season_number desc, episode_number desc`)
    .limit(1);
  if (!last) return {};
  return { ...last, episodeNumber: last.episodeNumber === null ? null : last.episodeNumber + 1 };
}

/** With the roles of the newest episode. */
const regularsOf = ([newest, ...others]: { people: Person[] }[]) =>
  (newest?.people ?? []).filter(
    (person) =>
      person.role !== "guest" &&
      others.every(({ people }) =>
        people.some(
          ({ name, role, group }) => name === person.name && role === person.role && group === person.group,
        ),
      ),
  );

/**
 * The HTML that an episode's page will show for these show notes.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function previewShowNotes(
  ctx: Context,
  input: ShowNotesPreviewInput,
): Promise<ShowNotesPreview> {
  requireCapability("edit", ctx);
  const { showNotes, durationSeconds } = parseInput(ShowNotesPreviewInput, input);
  const embedded = await findEmbedded(ctx, showNotes);
  return { html: renderMarkdown(showNotes, embedded, linkTimestamps(durationSeconds)).html };
}

type EpisodeColumns = typeof episodes.$inferSelect;

const {
  draftKey: _ofForm,
  createdAt: _begunAt,
  showNotesHtml: _rendered,
  showNotesText: _searched,
  embeddedFileIds: _shown,
  cues: _parsed,
  ...editedColumns
} = getTableColumns(episodes);

/** Without the derived columns, which are as long as the transcript. */
type EditedColumns = Pick<EpisodeColumns, keyof typeof editedColumns>;

const selectEdited = prepared(["id"], (db, { id }) =>
  db.select(editedColumns).from(episodes).where(eq(episodes.id, id)),
);

const selectRow = prepared(["id"], (db, { id }) => db.select().from(episodes).where(eq(episodes.id, id)));

/** @throws `not_found` */
export async function readEpisodeRow(ctx: Context, id: number): Promise<EpisodeColumns> {
  const [row] = await selectRow(ctx, { id });
  if (!row) throw episodeNotFound();
  return row;
}

export const episodePreviewLink = previewLinkOf("episode", readEpisodeRow);

/** The columns that the owner edits. */
export function toInput(row: EditedColumns & Partial<EpisodeColumns>): EpisodeInput {
  const {
    id: _id,
    guid: _guid,
    draftKey: _key,
    createdAt: _created,
    updatedAt: _updated,
    showNotesHtml: _html,
    showNotesText: _text,
    embeddedFileIds: _embedded,
    cues: _cues,
    ...values
  } = row;
  return {
    ...values,
    publishedAt: values.publishedAt?.getTime() ?? null,
    scheduledFor: values.scheduledFor?.getTime() ?? null,
  };
}
