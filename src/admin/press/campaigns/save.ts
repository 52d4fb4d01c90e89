import { api, ensureOk } from "#site/api.ts";
import { NewCampaign } from "#worker/campaigns/contract.ts";
import { itemActions } from "../../form/item-actions.ts";
import { numberOrZero, text, textToChange } from "../../form/read.ts";
import { orderSaver } from "../../lists/ordered-list.tsx";

export const campaignActions = itemActions({
  noun: "campaign",
  api: api.campaigns,
  list: "/admin/media/campaigns",
  schema: NewCampaign,
  fields: {
    draftKey: textToChange,
    type: text,
    title: text,
    description: text,
    reference: text,
    embedUrl: text,
    status: text,
    category: text,
    sortOrder: numberOrZero,
  },
});

export const reorderCampaigns = orderSaver({
  noun: "Campaigns",
  send: (ids) => ensureOk(api.campaigns.order.$put({ json: { ids } })),
});
