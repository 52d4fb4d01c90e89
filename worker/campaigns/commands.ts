import { and, eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import {
  CampaignChange,
  campaignDefaults,
  CampaignOrder,
  MOST_CAMPAIGNS,
  NewCampaign,
  type EditableCampaign,
} from "#worker/campaigns/contract.ts";
import {
  campaignNotFound,
  listAllCampaigns,
  readCampaignRow,
  toEditable,
} from "#worker/campaigns/owner-queries.ts";
import { campaigns } from "#worker/campaigns/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { numberInOrder, placeAtEnd } from "#worker/platform/data/order.ts";
import { requireRoom, takeBackIfFull } from "#worker/platform/data/row-limit.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";

/**
 * Creates a campaign. Idempotent by `draftKey`: a repeated request changes the same campaign.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if there are `MOST_CAMPAIGNS` already, or a concurrent
 * request is creating it
 */
export async function createCampaign(ctx: Context, input: NewCampaign): Promise<EditableCampaign> {
  requireCapability("edit", ctx);
  const { draftKey: key, ...given } = parseInput(NewCampaign, input);
  const draftKey = draftKeyOf(ctx, key);
  const made = await findByDraftKey(ctx, campaigns, draftKey);
  if (made !== null) return updateCampaign(ctx, made, given);
  const campaign = { ...campaignDefaults, sortOrder: placeAtEnd(campaigns), ...given };
  const insert = ctx.db
    .insert(campaigns)
    .values({ ...campaign, draftKey, createdAt: ctx.now, updatedAt: ctx.now })
    .returning();
  const [[created], takenBack] = await refusingTakenKey(campaigns, () =>
    ctx.db.batch([insert, takeBackIfFull(ctx, room), ...changedIf(ctx, campaign.status === "active")]),
  );
  requireRoom(room, takenBack);
  return toEditable(created!);
}

/**
 * Changes the given fields. `basedOn` is the `updatedAt` that the change was made from.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`; `conflict` when the campaign was changed elsewhere since
 * `basedOn`
 */
export async function updateCampaign(
  ctx: Context,
  id: number,
  input: CampaignChange,
): Promise<EditableCampaign> {
  requireCapability("edit", ctx);
  const { basedOn, ...change } = parseInput(CampaignChange, input);
  const row = await readCampaignRow(ctx, id);
  if (isRepeated({ basedOn, stored: row, given: change, changedElsewhere })) return toEditable(row);
  const update = ctx.db
    .update(campaigns)
    .set({ ...change, updatedAt: laterThan(row.updatedAt, ctx.now) })
    .where(and(eq(campaigns.id, id), eq(campaigns.updatedAt, row.updatedAt)))
    .returning();
  const isSeen = row.status === "active" || change.status === "active";
  const [[updated]] = await ctx.db.batch([update, ...changedIf(ctx, isSeen)]);
  if (!updated) throw changedElsewhere();
  return toEditable(updated);
}

/** @throws `unauthenticated`, `forbidden`; `not_found` */
export async function deleteCampaign(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const isIt = eq(campaigns.id, id);
  const seen = sql`select 'campaigns' as tag from ${campaigns} where ${isIt} and ${campaigns.status} = 'active'`;
  const remove = ctx.db.delete(campaigns).where(isIt).returning({ id: campaigns.id });
  const [, [deleted]] = await ctx.db.batch([changed(ctx, seen), remove]);
  if (!deleted) throw campaignNotFound();
}

/**
 * Numbers the campaigns from 1 in the given order.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if campaigns were added or deleted in between
 */
export async function reorderCampaigns(ctx: Context, input: CampaignOrder) {
  requireCapability("edit", ctx);
  const { ids } = parseInput(CampaignOrder, input);
  await numberInOrder(ctx, { table: campaigns, noun: "campaigns", tag: "campaigns", ids });
  return listAllCampaigns(ctx);
}

const room = { table: campaigns, noun: "campaigns", most: MOST_CAMPAIGNS };

/** The statement that expires the cached answers, if visitors see the campaign before or after. */
const changedIf = (ctx: Context, isSeen: boolean) => (isSeen ? [changed(ctx, "campaigns")] : []);

const changedElsewhere = () =>
  new AppError("conflict", "This campaign was changed elsewhere since you opened it.");
