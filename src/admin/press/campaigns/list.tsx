import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { mayFrame } from "#worker/campaigns/frames.ts";
import { listAllCampaigns } from "#worker/campaigns/owner-queries.ts";
import { intentOf } from "../../form/submit.ts";
import { ListPage } from "../../lists/list-page.tsx";
import { OrderedList, OrderedRow } from "../../lists/ordered-list.tsx";
import { errorPage } from "../../shell/error-page.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { statusNames, typeNames } from "./campaign-types.ts";
import { readFrameHosts } from "./frames.server.ts";
import { campaignActions, reorderCampaigns } from "./save.ts";
import type { Route } from "./+types/list";

export const meta = pageTitle("Campaigns");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ items }, { frameHosts }] = await load(Promise.all([listAllCampaigns(ctx), readFrameHosts(ctx)]));
  return items.map((campaign) => ({
    ...campaign,
    name: campaign.title,
    isFramed: mayFrame(campaign.embedUrl, frameHosts),
  }));
}

type ListedCampaign = Route.ComponentProps["loaderData"][number];

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return intentOf(form) === "delete" ? campaignActions.remove(form) : reorderCampaigns(form);
}

export default function CampaignList({ loaderData: campaigns, actionData }: Route.ComponentProps) {
  return (
    <ListPage<ListedCampaign>
      title="Campaigns"
      actions={
        <ButtonLink to="/admin/media/campaigns/new" tone="primary">
          New campaign
        </ButtonLink>
      }
      answer={actionData}
      noun="campaign"
      renderText={({ name }) => (
        <p className="wrap-anywhere">
          “<span>{name}</span>” is removed from this site for good; the campaign itself continues. To hide it
          for a while, close it instead.
        </p>
      )}
    >
      {(ask) =>
        campaigns.length === 0 ? (
          <EmptyState title="No campaigns yet">
            Add the first one. All it needs is a title and the address of the petition or crowdfund. Visitors
            find it on the Petitions page.
          </EmptyState>
        ) : (
          <OrderedList
            items={campaigns}
            label="Campaigns"
            hint="Visitors see active campaigns in this order, with the first one open."
          >
            {(campaign) => (
              <OrderedRow
                name={campaign.title}
                to={`/admin/media/campaigns/${campaign.id}`}
                detail={detailOf(campaign)}
                status={statusNames[campaign.status]}
                isShown={campaign.status === "active"}
                onDelete={() => ask(campaign)}
              />
            )}
          </OrderedList>
        )
      }
    </ListPage>
  );
}

const detailOf = ({ type, embedUrl, isFramed }: ListedCampaign) =>
  `${typeNames[type]} on ${new URL(embedUrl).host}, ${isFramed ? "shown on your page" : "a link"}`;

export const ErrorBoundary = errorPage("Failed to fetch campaigns");
