import { and, eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { findWaitingFor } from "#worker/automatic-letters/owner-queries.ts";
import { isFound } from "#worker/discovery/search.ts";
import type { LetterSummary } from "#worker/letters/contract.ts";
import { findLetterOf } from "#worker/letters/queries.ts";
import { beginningOf } from "#worker/platform/text/excerpt.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readOutboxRow, type OutboxRow } from "#worker/platform/work/outbox.ts";
import type { FollowUps, Publication, PublicationKind, Step } from "#worker/publications/contract.ts";
import { readItem, type PublishedItem } from "#worker/publications/items.ts";
import { publications } from "#worker/publications/table.ts";
import { HUB_REMOVED } from "#worker/websub/ping.ts";
import { visit, type Visit } from "#worker/publications/visit.ts";

/**
 * When an item was last published; null if never, or before this was recorded.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readPublication(
  ctx: Context,
  kind: PublicationKind,
  id: number,
): Promise<Publication | null> {
  requireCapability("edit", ctx);
  const row = await findRow(ctx, kind, id);
  if (!row) return null;
  return { wentOutAt: row.wentOutAt.getTime(), isPlanned: row.isPlanned };
}

/** The outbox row of the ping for an item's publication; undefined if there was no hub. */
export const findPing = async (ctx: Context, kind: PublicationKind, id: number) =>
  (await findRow(ctx, kind, id))?.pingId ?? undefined;

async function findRow({ db }: Context, kind: PublicationKind, id: number) {
  const [row] = await db
    .select()
    .from(publications)
    .where(and(eq(publications.kind, kind), eq(publications.itemId, id)));
  return row;
}

/**
 * Checks the steps after an item's publication: requests its page, the feed and the lists as a visitor does, searches
 * for its title, and reads the state of the hub's ping.
 * @throws `unauthenticated`, `forbidden`; `not_found` for an unpublished item
 */
export async function readFollowUps(ctx: Context, kind: PublicationKind, id: number): Promise<FollowUps> {
  requireCapability("edit", ctx);
  const [item, row] = await Promise.all([readItem(ctx, kind, id), findRow(ctx, kind, id)]);
  if (!item.isPublished) throw new AppError("not_found", "This isn’t published.");
  const { path, feed, list, title } = item;
  const [page, document, lists, hasFound, ping, letter, automatic] = await Promise.all([
    visit(ctx, path),
    item.notInFeed === null ? visit(ctx, feed) : null,
    Promise.all(["/", list].map((address) => visit(ctx, address))),
    isFound(ctx, { kind: kind === "article" ? "essay" : kind, id, title }),
    row?.pingId ? readOutboxRow(ctx, row.pingId) : undefined,
    findLetterOf(ctx, { kind, id }),
    findWaitingFor(ctx, kind, id),
  ]);
  const at = ctx.clock().getTime();
  const url = ctx.config.siteUrl + path;
  const found: Step[] = [
    { name: "page", at, ...stateOfPage(page, item) },
    { name: "feed", at, ...stateOfFeed(document, item, url) },
    { name: "search", at, ...stateOfSearch(hasFound) },
    { name: "cache", at, ...stateOfCache([page, ...lists, ...(document ? [document] : [])], list) },
    { name: "ping", ...stateOfPing(ping, row?.pingId !== undefined && row.pingId !== null, at) },
    ...(letter === undefined ? [] : [{ name: "letter" as const, ...stateOfLetter(letter, automatic, at) }]),
  ];
  const share = { url, title, text: textOf(item, url), picture: pictureOf(ctx, page) };
  return { steps: found, share };
}

/** The picture in link previews, as named by the page. */
function pictureOf({ config }: Context, { text }: Visit) {
  const [, address = ""] = /<meta[^>]* property="og:image" content="([^"]*)"/.exec(text) ?? [];
  const picture = decoded(address);
  return picture.startsWith(`${config.siteUrl}/`) ? picture.slice(config.siteUrl.length) : null;
}

type State = Pick<Step, "state" | "detail">;

const done = (detail: string): State => ({ state: "done", detail });
const failed = (detail: string): State => ({ state: "failed", detail });

/** Decodes entities of HTML and XML. */
const decoded = (text: string) =>
  text
    .replace(/&(?:quot|#34|#x22);/g, '"')
    .replace(/&(?:apos|#39|#x27);/g, "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

function stateOfPage({ status, text }: Visit, { path, title }: PublishedItem): State {
  if (status !== 200) return failed(`${path} returns ${status}.`);
  return decoded(text).includes(title) ? done(`It’s on ${path}.`) : failed(`Its title isn’t on ${path}.`);
}

function stateOfFeed(document: Visit | null, { feed, notInFeed }: PublishedItem, url: string): State {
  if (!document) return { state: "none", detail: notInFeed ?? "" };
  if (document.status !== 200) return failed(`${feed} returns ${document.status}.`);
  return document.text.includes(`<link>${url}</link>`)
    ? done(`It’s in ${feed}.`)
    : failed(`It isn’t in ${feed}.`);
}

const stateOfSearch = (hasFound: boolean) =>
  hasFound ? done("Search finds it by its title.") : failed("Search doesn’t find it by its title.");

function stateOfCache(visits: Visit[], list: string): State {
  if (visits.some(({ cache }) => cache === "older"))
    return { state: "waiting", detail: `Updating the front page, ${list}, its page and the feed.` };
  return visits.every(({ cache }) => cache === "off")
    ? { state: "none", detail: "No cache is in use." }
    : done("Visitors see the current version everywhere.");
}

function stateOfPing(row: OutboxRow | undefined, hadHub: boolean, now: number): Omit<Step, "name"> {
  if (!row) {
    const detail = hadHub ? "The result was deleted after 30 days." : "Not announced: no WebSub hub is set.";
    return { state: "none", at: now, detail };
  }
  const { doneAt, failedAt, claimedUntil, notBefore, attempts } = row;
  const words = (row.lastError ?? "").replace(/^\w*Error: /, "");
  if (doneAt && words === HUB_REMOVED) return { state: "none", at: doneAt.getTime(), detail: words };
  if (doneAt) return { ...done("The hub was notified."), at: doneAt.getTime() };
  if (failedAt) return { ...failed(words), at: failedAt.getTime() };
  if (claimedUntil && claimedUntil.getTime() > now)
    return { state: "waiting", at: now, detail: "The hub is being notified." };
  if (attempts > 0) return { ...failed(`${words} Trying again.`), at: notBefore.getTime() };
  return {
    state: "waiting",
    at: notBefore.getTime(),
    detail: "The hub is notified once the feed is up to date everywhere.",
  };
}

/** `automatic`: the name of the automatic letter for which the item waits. */
function stateOfLetter(
  letter: LetterSummary | null,
  automatic: string | null,
  now: number,
): Omit<Step, "name"> {
  if (!letter && automatic !== null)
    return { state: "waiting", at: now, detail: `It waits for the automatic letter “${automatic}”.` };
  if (!letter) return { state: "none", at: now, detail: "Not sent as a letter yet." };
  const { status, scheduledFor, finishedAt, updatedAt, pausedReason } = letter;
  const { sent, recipients } = letter.counts;
  const progress = `${sent} of ${recipients} sent.`;
  switch (status) {
    case "draft":
      return {
        state: "none",
        at: updatedAt,
        detail: "A draft letter is ready. It isn’t sent yet.",
      };
    case "scheduled":
      return {
        state: "waiting",
        at: scheduledFor ?? updatedAt,
        detail: "The letter is scheduled for then.",
      };
    case "sending":
      return { state: "waiting", at: now, detail: `Sending the letter: ${progress}` };
    case "paused":
      return { state: "waiting", at: now, detail: `Paused: ${pausedReason ?? progress}` };
    case "cancelled":
      return {
        state: "none",
        at: finishedAt ?? now,
        detail: `Letter cancelled: ${progress}`,
      };
    case "sent":
      return {
        ...done(`Sent as a letter to ${sent} ${sent === 1 ? "subscriber" : "subscribers"}.`),
        at: finishedAt ?? updatedAt,
      };
  }
}

/** Maximum characters of a summary in the text for sharing. */
const SUMMARY_LENGTH = 280;

function textOf({ title, summary, message }: PublishedItem, url: string) {
  if (message !== null) return `${message}\n\n${url}`;
  return [title, beginningOf(summary, SUMMARY_LENGTH), url].filter(Boolean).join("\n\n");
}
