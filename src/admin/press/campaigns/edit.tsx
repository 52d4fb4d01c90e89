import { siteContext } from "#site/context.ts";
import { readCampaignForEdit } from "#worker/campaigns/owner-queries.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { CampaignForm } from "./campaign-form.tsx";
import { readFrameHosts } from "./frames.server.ts";
import { campaignActions } from "./save.ts";
import type { Route } from "./+types/edit";

export const meta = pageTitle("Edit campaign");

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [campaign, frames] = await load(
    Promise.all([readCampaignForEdit(ctx, Number(params.id)), readFrameHosts(ctx)]),
  );
  return { campaign, frames };
}

export const clientAction = async ({ request, params: { id } }: Route.ClientActionArgs) =>
  campaignActions.update(await request.formData(), id);

export default function EditCampaign({ loaderData: { campaign, frames } }: Route.ComponentProps) {
  const { id, updatedAt, values } = campaign;
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Edit campaign</h1>
      <CampaignForm key={id} basedOn={updatedAt} values={values} frames={frames} />
    </>
  );
}
