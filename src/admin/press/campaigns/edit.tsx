import { redirect } from "react-router";
import { api, ensureOk } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { readCampaignForEdit } from "#worker/campaigns/owner-queries.ts";
import { basedOnOf } from "../../form/submit.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { toast } from "../../shell/toast.tsx";
import { CampaignForm } from "./campaign-form.tsx";
import { readFrameHosts } from "./frames.server.ts";
import { saveCampaign } from "./save.ts";
import type { Route } from "./+types/edit";

export const meta = pageTitle("Edit campaign");

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [campaign, frames] = await load(
    Promise.all([readCampaignForEdit(ctx, Number(params.id)), readFrameHosts(ctx)]),
  );
  return { campaign, frames };
}

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  return saveCampaign(form, async (campaign) => {
    const json = { ...campaign, basedOn: basedOnOf(form) };
    await ensureOk(api.campaigns[":id"].$patch({ param: { id }, json }));
    toast.success("Campaign updated successfully");
    return redirect("/admin/media/campaigns");
  });
}

export default function EditCampaign({ loaderData: { campaign, frames } }: Route.ComponentProps) {
  const { id, updatedAt, values } = campaign;
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">Edit campaign</h1>
      <CampaignForm key={id} basedOn={updatedAt} values={values} frames={frames} />
    </>
  );
}
