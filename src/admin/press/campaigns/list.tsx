import { useNavigation, useSubmit } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { ConfirmDialog } from "#site/ui/dialog.tsx";
import { SortableList } from "#site/ui/sortable-list.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { mayFrame } from "#worker/campaigns/frames.ts";
import { listAllCampaigns } from "#worker/campaigns/owner-queries.ts";
import { ErrorPage } from "../../shell/error-page.tsx";
import { intentOf } from "../../form/submit.ts";
import { load } from "../../shell/load.server.ts";
import { useOrder } from "../../lists/order.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { useDeleteQuestion } from "../../lists/use-delete-question.ts";
import { CampaignCard } from "./campaign-card.tsx";
import { readFrameHosts } from "./frames.server.ts";
import { deleteCampaign, reorderCampaigns } from "./save.ts";
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

export type ListedCampaign = Route.ComponentProps["loaderData"][number];

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return intentOf(form) === "delete" ? deleteCampaign(form) : reorderCampaigns(form);
}

export default function CampaignList({ loaderData, actionData }: Route.ComponentProps) {
  const { items: campaigns, reorder } = useOrder(loaderData);
  const deletion = useDeleteQuestion<ListedCampaign>(actionData);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold">Campaigns</h1>
        <ButtonLink to="/admin/media/campaigns/new" tone="primary">
          New campaign
        </ButtonLink>
      </header>
      {campaigns.length === 0 ? (
        <EmptyState title="No campaigns yet">
          Add the first one. All it needs is a title and the address of the petition or crowdfund. Visitors
          find it on the Petitions page.
        </EmptyState>
      ) : (
        <>
          {campaigns.length > 1 && (
            <p className="mb-4 max-w-xl text-sm text-muted">
              Visitors see active campaigns in this order, with the first one open. Drag them by their
              handles, or use the arrows.
            </p>
          )}
          <SortableList items={campaigns} total={campaigns.length} label="Campaigns" onMove={reorder}>
            {(campaign) => <CampaignCard campaign={campaign} onDelete={deletion.ask} />}
          </SortableList>
        </>
      )}
      <DeleteDialog campaign={deletion.item} onClose={deletion.close} />
    </>
  );
}

type DialogProps = { campaign: ListedCampaign | null; onClose: () => void };

function DeleteDialog({ campaign, onClose }: DialogProps) {
  const submit = useSubmit();
  const isBusy = useNavigation().state !== "idle";
  return (
    <ConfirmDialog
      open={campaign !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Are you sure you want to delete this campaign?"
      confirm="Delete campaign"
      busy={isBusy}
      onConfirm={() => campaign && void submit({ intent: "delete", id: campaign.id }, { method: "post" })}
    >
      <p className="wrap-anywhere">
        “<span>{campaign?.title}</span>” is removed from this site for good; the campaign itself continues. To
        hide it for a while, close it instead.
      </p>
    </ConfirmDialog>
  );
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <ErrorPage error={error} failed="Failed to fetch campaigns" />
);
