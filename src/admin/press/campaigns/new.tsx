import { siteContext } from "#site/context.ts";
import { readNewCampaign } from "#worker/campaigns/owner-queries.ts";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { CampaignForm } from "./campaign-form.tsx";
import { readFrameHosts } from "./frames.server.ts";
import { campaignActions } from "./save.ts";
import type { Route } from "./+types/new";

export const meta = pageTitle("New campaign");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [values, frames] = await load(Promise.all([readNewCampaign(ctx), readFrameHosts(ctx)]));
  return { values, frames };
}

export const clientAction = async ({ request }: Route.ClientActionArgs) =>
  campaignActions.create(await request.formData());

export default function NewCampaign({ loaderData: { values, frames } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-6 text-xl font-semibold">New campaign</h1>
      <CampaignForm values={values} frames={frames} />
    </>
  );
}
