import { eq, sql } from "drizzle-orm";
import { listCredits, namesOneOf, type Credit } from "#worker/episodes/credits.ts";
import { listEpisodesWhere } from "#worker/episodes/queries.ts";
import { image } from "#worker/files/library/joins.ts";
import { altOf, pictureColumns, toPicture } from "#worker/files/pictures/picture.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { latestChange } from "#worker/platform/http/cache.ts";
import type { PersonPage } from "#worker/profiles/contract.ts";
import { personSlug } from "#worker/profiles/slug.ts";
import { profiles } from "#worker/profiles/table.ts";

/** Episodes in one page of a person's list. */
const PAGE = 24;

const noSuchPerson = () => new AppError("not_found", "There is no such person.");

/**
 * The people that an isolate has read, until it knows of a later change of the site. Anyone can ask for people who do not exist,
 * and each time all credits would be read: that answer is in no cache.
 */
let lastRead: { change: number | null; until: number; slugs: Set<string> } | undefined;
/** Milliseconds. */
const KNOWN_FOR = 30_000;

/**
 * A person whom published episodes or the podcast name, and their episodes, newest first. Names with one address are one
 * person. `before` is the previous page's `next`.
 * @throws `not_found`, also for a malformed cursor
 */
export async function readPersonPage(ctx: Context, slug: string, before: string | undefined) {
  ctx.dependsOn(`people:${slug}`, "episodes", "show");
  const [change, now] = [latestChange(), ctx.now.getTime()];
  const isKnown = change !== null && lastRead?.change === change && now < lastRead.until;
  if (isKnown && !lastRead!.slugs.has(slug)) throw noSuchPerson();
  const [credits, [profile]] = await Promise.all([
    listCredits(ctx),
    ctx.db
      .select({ ...profileColumns, picture: pictureColumns(image) })
      .from(profiles)
      .leftJoin(image, eq(image.id, profiles.imageFileId))
      .where(eq(profiles.slug, slug)),
  ]);
  const slugs = await slugsOf(credits);
  lastRead = { change, until: now + KNOWN_FOR, slugs: new Set(slugs.values()) };
  const own = credits.filter(({ name }) => slugs.get(name) === slug);
  if (own.length === 0) throw noSuchPerson();
  const names = [...new Set(own.map(({ name }) => name))];
  const list = await listEpisodesWhere(ctx, namesOneOf(names), { before, limit: PAGE });
  const byCount = own.toSorted((a, b) => b.episodes - a.episodes);
  const links = profile?.links ?? [];
  const others = [...new Set(own.flatMap(({ href }) => href ?? []))]
    .filter((href) => links.every(({ url }) => url !== href))
    .map((url) => ({ label: new URL(url).host, url }));
  const person: PersonPage = {
    slug,
    name: profile?.name ?? byCount[0]!.name,
    roles: [...new Set(byCount.map(({ role }) => role))],
    about: profile?.about ?? "",
    picture: profile ? toPicture(profile.picture, altOf(profile.picture, profile.imageAlt)) : null,
    links: [...links, ...others],
    episodes: own.reduce((sum, credit) => sum + credit.episodes, 0),
  };
  return { person, ...list };
}

const profileColumns = {
  name: profiles.name,
  about: profiles.about,
  imageAlt: profiles.imageAlt,
  links: profiles.links,
};

/** By name. */
export async function slugsOf(credits: Pick<Credit, "name">[]) {
  const names = [...new Set(credits.map(({ name }) => name))];
  return new Map(await Promise.all(names.map(async (name) => [name, await personSlug(name)] as const)));
}

/** Those of these names whose person has a profile: names with one address are one person. */
export async function findNamesWithProfile(ctx: Context, names: string[]) {
  const slugs = await slugsOf(names.map((name) => ({ name })));
  const given = JSON.stringify([...slugs.values()]);
  const rows = await ctx.db
    .select({ slug: profiles.slug })
    .from(profiles)
    .where(sql`${profiles.slug} in (select value from json_each(${given}))`);
  const known = new Set(rows.map(({ slug }) => slug));
  return new Set(names.filter((name) => known.has(slugs.get(name)!)));
}

type EpisodeRow = { updatedAt: number; people: string };

/** The people with a page in these episodes, for the sitemap: the end of its address, and when an episode last changed. */
export async function personPagesOf(rows: EpisodeRow[]) {
  const dates = new Map<string, number>();
  for (const { people, updatedAt } of rows)
    for (const { name } of JSON.parse(people) as Pick<Credit, "name">[])
      dates.set(name, Math.max(dates.get(name) ?? 0, updatedAt));
  const slugs = await slugsOf([...dates.keys()].map((name) => ({ name })));
  const pages = new Map<string, number>();
  for (const [name, updatedAt] of dates) {
    const slug = slugs.get(name) ?? "";
    if (slug !== "") pages.set(slug, Math.max(pages.get(slug) ?? 0, updatedAt));
  }
  return [...pages].map(([slug, updatedAt]) => ({ slug, updatedAt }));
}
