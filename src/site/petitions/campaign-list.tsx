import { Link } from "#site/document/link.tsx";
import type { ShownCampaign } from "./page.tsx";
import { CampaignFacts } from "./campaign-facts.tsx";

type ListProps = { campaigns: ShownCampaign[]; chosen: ShownCampaign };

/** Links: they work without scripts, with the keyboard and in a new tab. */
export const CampaignList = ({ campaigns, chosen }: ListProps) => (
  <nav
    aria-label="Campaigns"
    className="lg:sticky lg:top-[calc(var(--header-height)+1.5rem)] lg:col-span-4 lg:self-start"
  >
    <ol>
      {campaigns.map((campaign) => (
        <li key={campaign.id} className="border-t border-rule first:border-t-0">
          <Link
            to={{ search: `?campaign=${campaign.id}`, hash: "campaign" }}
            aria-current={campaign.id === chosen.id ? "true" : undefined}
            className={
              "group/campaign grid gap-1 border-l-2 border-transparent py-4 pl-4 " +
              "transition-colors hover:bg-tint aria-[current]:border-signal"
            }
          >
            <CampaignFacts campaign={campaign} />
            <span className="headline text-xl text-muted group-hover/campaign:text-ink group-aria-[current]/campaign:text-ink">
              {campaign.title}
            </span>
          </Link>
        </li>
      ))}
    </ol>
  </nav>
);
