import { api, ensureOk } from "#site/api.ts";
import { NewCampaign } from "#worker/campaigns/contract.ts";
import { numberOrZero, text, textToChange } from "../../form/read.ts";
import { act, submit } from "../../form/submit.ts";
import { orderSaver } from "../../lists/order.ts";

/** Saves a campaign by `send`. Errors are shown in the form, and a toast reports the failure. */
export const saveCampaign = <Answer>(form: FormData, send: (campaign: NewCampaign) => Promise<Answer>) =>
  submit(form, { fields, schema: NewCampaign, send, words: { toast: () => "Failed to save campaign" } });

const fields = {
  draftKey: textToChange,
  type: text,
  title: text,
  description: text,
  reference: text,
  embedUrl: text,
  status: text,
  category: text,
  sortOrder: numberOrZero,
};

export const deleteCampaign = (form: FormData) =>
  act(
    form,
    async () => {
      await ensureOk(api.campaigns[":id"].$delete({ param: { id: String(form.get("id")) } }));
      return "Campaign deleted successfully";
    },
    { toast: (message) => `Failed to delete campaign. ${message}` },
  );

export const reorderCampaigns = orderSaver({
  noun: "Campaigns",
  send: (ids) => ensureOk(api.campaigns.order.$put({ json: { ids } })),
});
