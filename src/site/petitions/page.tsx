import { useSearchParams, type ShouldRevalidateFunctionArgs } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { mayFrame } from "#worker/campaigns/frames.ts";
import { listCampaigns } from "#worker/campaigns/queries.ts";
import { describePage } from "#worker/discovery/metadata.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { CampaignList } from "./campaign-list.tsx";
import { CampaignView } from "./campaign-view.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site }, campaigns] = await Promise.all([readSiteAndShow(ctx), listCampaigns(ctx)]);
  return {
    campaigns: campaigns.map((campaign) => ({
      ...campaign,
      isFramed: mayFrame(campaign.embedUrl, site.frameHosts),
    })),
    meta: describePage(ctx, site, {
      title: "Petitions",
      path: "/petitions",
      description: `Petitions and campaigns that ${site.name} supports. Read what each asks for, and sign it here.`,
    }),
  };
}

/** Choosing a campaign does not run the loader: the page has all of them. */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) => currentUrl.search === nextUrl.search && defaultShouldRevalidate;

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export type ShownCampaign = Awaited<ReturnType<typeof loader>>["campaigns"][number];

export default function Petitions({ loaderData: { campaigns } }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const wanted = params.get("campaign");
  const found = campaigns.find(({ id }) => String(id) === wanted);
  const chosen = found ?? campaigns[0];
  return (
    <div className="page pb-8">
      <PageHead
        title="Petitions"
        standfirst="Campaigns worth a signature or a few dollars. Each form comes from the site that runs it; nothing you enter passes through this site."
      />
      {chosen ? (
        <div className="grid grid-cols-1 gap-x-10 gap-y-10 border-t border-ink pt-6 lg:grid-cols-12">
          <CampaignList campaigns={campaigns} chosen={chosen} />
          <div className="min-w-0 lg:col-span-8">
            {wanted !== null && !found && (
              <p role="status" className="mb-6 border-l-2 border-signal pl-4">
                That campaign is closed. This is the first open one.
              </p>
            )}
            <CampaignView campaign={chosen} />
          </div>
        </div>
      ) : (
        <NoCampaigns />
      )}
    </div>
  );
}

const NoCampaigns = () => (
  <EmptyState
    title="No campaigns at the moment"
    action={<ButtonLink to="/conversations">Read the latest articles</ButtonLink>}
  >
    When a petition opens, you can read and sign it here. Until then, the articles have the background.
  </EmptyState>
);

export const ErrorBoundary = () => <PageError title="Failed to load campaigns. Please try again later." />;
