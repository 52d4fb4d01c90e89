import { and, eq, gt, lt, not, sql, type SQL } from "drizzle-orm";
import { isInBin } from "#worker/bin/is-in-bin.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { readLink, signLink } from "#worker/platform/http/signed.ts";
import type { PreviewKind, PreviewLink } from "#worker/previews/contract.ts";
import { previewLinks } from "#worker/previews/table.ts";
import { requireCapability } from "#worker/access/capabilities.ts";

const PURPOSE = "preview";
/** Milliseconds for which a link works. */
const LASTS = 7 * 86_400_000;

type Item = { kind: PreviewKind; item: string | number };

const isItem = ({ kind, item }: Item) =>
  and(eq(previewLinks.kind, kind), eq(previewLinks.item, String(item)));

/** Creates the preview link of an item and replaces a former one. The caller has checked that the item exists. */
export async function replacePreviewLink(ctx: Context, { kind, item }: Item): Promise<PreviewLink> {
  const row = {
    kind,
    item: String(item),
    stamp: randomToken(),
    expiresAt: new Date(ctx.now.getTime() + LASTS),
  };
  const link = await linkOf(ctx, row);
  await ctx.db
    .insert(previewLinks)
    .values(row)
    .onConflictDoUpdate({ target: [previewLinks.kind, previewLinks.item], set: row });
  return link;
}

/** The statement that withdraws an item's link. */
const withdrawLink = ({ db }: Context, of: Item) => db.delete(previewLinks).where(isItem(of));

/** The statement that deletes the links of items, for the batch that deletes these for good. `items` selects their ids. */
export const forgetPreviewLinks = ({ db }: Context, kind: string, items: SQL) =>
  db.delete(previewLinks).where(sql`${previewLinks.kind} = ${kind} and ${previewLinks.item} in (${items})`);

/** The current link; null if there is none. */
export async function findPreviewLink(ctx: Context, of: Item): Promise<PreviewLink | null> {
  const [row] = await ctx.db
    .select()
    .from(previewLinks)
    .where(and(isItem(of), gt(previewLinks.expiresAt, ctx.now)));
  return row ? linkOf(ctx, row) : null;
}

async function linkOf(ctx: Context, { kind, item, stamp, expiresAt }: typeof previewLinks.$inferSelect) {
  const seconds = Math.floor((expiresAt.getTime() - ctx.now.getTime()) / 1000);
  const token = await signLink(ctx, { purpose: PURPOSE, subject: `${kind}:${item}`, stamp }, seconds);
  return { url: `${ctx.config.siteUrl}/preview?token=${token}`, expiresAt: expiresAt.getTime() };
}

/**
 * The item that a link shows.
 * @throws `not_found` for an expired, withdrawn or unknown link
 */
export async function readPreviewToken(ctx: Context, token: string) {
  const link = await readLink(ctx, PURPOSE, token);
  if (!link.ok) throw link.reason === "expired" ? expired() : withdrawn();
  const [, kind = "", item = ""] = /^(\w+):(.+)$/.exec(link.subject) ?? [];
  const of = { kind: kind as PreviewKind, item };
  const [row] = await ctx.db
    .select({ stamp: previewLinks.stamp, expiresAt: previewLinks.expiresAt })
    .from(previewLinks)
    .where(and(isItem(of), not(isInBin(previewLinks.kind, previewLinks.item))));
  if (row?.stamp !== link.stamp) throw withdrawn();
  return { ...of, expiresAt: row.expiresAt.getTime() };
}

const expired = () =>
  new AppError("not_found", "This preview link has expired. Ask the sender for a new one.");
const withdrawn = () =>
  new AppError("not_found", "This preview link no longer works. Ask the sender for a new one.");

/** Deletes the rows of links that have expired. */
export async function prunePreviewLinks({ db, now }: Context) {
  await db.delete(previewLinks).where(lt(previewLinks.expiresAt, now));
}

/** The use cases of the preview links of a kind of items. `requireItem` throws `not_found` for an item that is missing. */
export const previewLinkOf = (
  kind: PreviewKind,
  requireItem: (ctx: Context, id: number) => Promise<unknown>,
) => ({
  /**
   * Creates a link that shows the item to people without an account for seven days. A previous link stops working.
   * @throws `unauthenticated`, `forbidden`; `not_found`
   */
  async create(ctx: Context, id: number) {
    requireCapability("edit", ctx);
    await requireItem(ctx, id);
    return replacePreviewLink(ctx, { kind, item: id });
  },
  /**
   * The current link; null without one.
   * @throws `unauthenticated`, `forbidden`
   */
  async read(ctx: Context, id: number) {
    requireCapability("edit", ctx);
    return findPreviewLink(ctx, { kind, item: id });
  },
  /** @throws `unauthenticated`, `forbidden`; `not_found` */
  async remove(ctx: Context, id: number) {
    requireCapability("edit", ctx);
    await requireItem(ctx, id);
    await withdrawLink(ctx, { kind, item: id });
  },
});

export type PreviewLinkUseCases = ReturnType<typeof previewLinkOf>;
