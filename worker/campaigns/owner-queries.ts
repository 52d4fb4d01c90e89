import { eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import {
  campaignDefaults,
  type CampaignInput,
  type CampaignRow,
  type EditableCampaign,
} from "#worker/campaigns/contract.ts";
import { campaignColumns, inOrder } from "#worker/campaigns/queries.ts";
import { campaigns } from "#worker/campaigns/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { readPlaceAtEnd } from "#worker/platform/data/order.ts";

/**
 * Every campaign in the owner's order, active or closed. There are about `MOST_CAMPAIGNS` at most, so there is one page.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listAllCampaigns(ctx: Context) {
  requireCapability("edit", ctx);
  const rows: CampaignRow[] = await ctx.db
    .select({ ...campaignColumns, status: campaigns.status, sortOrder: campaigns.sortOrder })
    .from(campaigns)
    .orderBy(...inOrder);
  return wholeList(rows);
}

/**
 * A campaign as its owner edits it.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readCampaignForEdit(ctx: Context, id: number): Promise<EditableCampaign> {
  requireCapability("edit", ctx);
  return toEditable(await readCampaignRow(ctx, id));
}

/**
 * The initial values of a new campaign's form.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readNewCampaign(ctx: Context): Promise<CampaignInput> {
  requireCapability("edit", ctx);
  return { title: "", embedUrl: "", ...campaignDefaults, sortOrder: await readPlaceAtEnd(ctx, campaigns) };
}

type CampaignColumns = typeof campaigns.$inferSelect;

/** @throws `not_found` */
export async function readCampaignRow({ db }: Context, id: number): Promise<CampaignColumns> {
  const [row] = await db.select().from(campaigns).where(eq(campaigns.id, id));
  if (!row) throw campaignNotFound();
  return row;
}

export const campaignNotFound = () => new AppError("not_found", "There is no such campaign.");

export const toEditable = ({
  id,
  draftKey: _key,
  createdAt: _created,
  updatedAt,
  ...values
}: CampaignColumns): EditableCampaign => ({ id, updatedAt: updatedAt.getTime(), values });
