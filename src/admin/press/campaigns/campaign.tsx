import { siteContext } from "#site/context.ts";
import { readCampaignForEdit, readNewCampaign } from "#worker/campaigns/owner-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { NEW } from "../../form/new-item.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { CampaignForm } from "./campaign-form.tsx";
import { readFrameHosts } from "./frames.server.ts";
import { campaignActions } from "./save.ts";
import type { Route } from "./+types/campaign";

const titleOf = (id: string) => (id === NEW ? "New campaign" : "Edit campaign");

export const meta = ({ params: { id } }: Route.MetaArgs) => pageTitle(titleOf(id))();

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [campaign, frames] = await load(
    Promise.all([id === NEW ? readNew(ctx) : readCampaignForEdit(ctx, Number(id)), readFrameHosts(ctx)]),
  );
  return { campaign, frames };
}

const readNew = async (ctx: Context) => ({ values: await readNewCampaign(ctx), updatedAt: undefined });

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return id === NEW ? campaignActions.create(form) : campaignActions.update(form, id);
}

export default function CampaignPage({
  loaderData: { campaign, frames },
  params: { id },
}: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">{titleOf(id)}</h1>
      <CampaignForm key={id} basedOn={campaign.updatedAt} values={campaign.values} frames={frames} />
    </>
  );
}
