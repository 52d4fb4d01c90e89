import type { Campaign } from "#worker/campaigns/contract.ts";

const kinds: Record<Campaign["type"], string> = { petition: "Petition", crowdfund: "Crowdfunding" };

/** Kind, subject and number in one line. */
export const CampaignFacts = ({ campaign: { type, category, reference } }: { campaign: Campaign }) => (
  <span className="kicker facts">
    <span>{kinds[type]}</span>
    {category && <span>{category}</span>}
    {reference && <span>{reference}</span>}
  </span>
);
