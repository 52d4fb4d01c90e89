import { redirect, replace } from "react-router";
import { api, ensureOk } from "#site/api.ts";
import { MemberChange, NewMember, NewTier } from "#worker/members/contract.ts";
import { itemActions } from "../../form/item-actions.ts";
import { dateTime, number, numberOrZero, text, textToChange } from "../../form/read.ts";
import { act, basedOnOf, submit } from "../../form/submit.ts";
import { orderSaver } from "../../lists/ordered-list.tsx";
import { toast } from "../../shell/toast.tsx";
import { LIST, TIERS } from "./member-words.ts";

export const tierActions = itemActions({
  noun: "tier",
  api: api.tiers,
  list: TIERS,
  schema: NewTier,
  fields: {
    draftKey: textToChange,
    name: text,
    description: text,
    price: text,
    sortOrder: numberOrZero,
  },
});

export const reorderTiers = orderSaver({
  noun: "Tiers",
  send: (ids) => ensureOk(api.tiers.order.$put({ json: { ids } })),
});

const membership = { tierId: number, source: text, since: dateTime, until: dateTime };
const words = { toast: () => "Failed to save member" };

export const addMember = (form: FormData) =>
  submit(form, {
    fields: { email: text, ...membership },
    schema: NewMember,
    words,
    async send(json) {
      await ensureOk(api.members.$post({ json }));
      toast.success("Member added successfully");
      return redirect(LIST);
    },
  });

export const updateMember = (form: FormData, id: string) =>
  submit(form, {
    fields: membership,
    schema: MemberChange,
    words,
    async send(change) {
      const json = { ...change, basedOn: basedOnOf(form) };
      await ensureOk(api.members[":id"].$patch({ param: { id }, json }));
      toast.success("Member updated successfully");
      return redirect(LIST);
    },
  });

export const END = "end";

export const endMember = (form: FormData, id: string) =>
  act(form, async () => {
    await ensureOk(api.members[":id"].end.$post({ param: { id } }));
    return "Membership ended";
  });

export const REVOKE_FEED = "revoke-feed";

export const revokeMemberFeed = (form: FormData, id: string) =>
  act(form, async () => {
    await ensureOk(api.members[":id"].feed.$delete({ param: { id } }));
    return "Private feed revoked";
  });

export const deleteMember = (form: FormData) =>
  act(
    form,
    async () => {
      await ensureOk(api.members[":id"].$delete({ param: { id: String(form.get("id")) } }));
      if (form.get("goesTo") !== "list") return "Member deleted successfully";
      toast.success("Member deleted successfully");
      return replace(LIST);
    },
    { toast: () => "Failed to delete member" },
  );
