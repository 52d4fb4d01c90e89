import { replace } from "react-router";
import { api, ensureOk } from "#site/api.ts";
import { NewEngagement } from "#worker/speaking/contract.ts";
import { numberOrNull, text, textOrNull, textToChange } from "../form/read.ts";
import { act, basedOnOf, intentOf, submit } from "../form/submit.ts";
import { toast } from "../shell/toast.tsx";
import { engagementPaths } from "./addresses.ts";

/** Engagements are created and edited in dialogs; the query string has the engagement's id. */
export async function saveEngagement(request: Request) {
  const form = await request.formData();
  const { searchParams } = new URL(request.url);
  const list = engagementPaths.listPath(searchParams);
  switch (intentOf(form)) {
    case "add":
      return save(form, list, "created", (json) => api.engagements.$post({ json }));
    case "edit":
      return save(form, list, "updated", (engagement) =>
        api.engagements[":id"].$patch({
          param: { id: searchParams.get("edit") ?? "" },
          json: { ...engagement, basedOn: basedOnOf(form) },
        }),
      );
    default:
      return remove(form);
  }
}

type Send = (engagement: NewEngagement) => Parameters<typeof ensureOk>[0];

/** Errors are shown in the dialog, and a toast says that saving failed. */
const save = (form: FormData, list: string, done: "created" | "updated", send: Send) =>
  submit(form, {
    fields,
    schema: NewEngagement,
    words: { toast: () => "Failed to save speaking engagement" },
    async send(engagement) {
      await ensureOk(send(engagement));
      toast.success(`Speaking engagement ${done} successfully`);
      return replace(list);
    },
  });

const fields = {
  draftKey: textToChange,
  title: text,
  description: text,
  date: textOrNull,
  venue: text,
  location: text,
  audienceSize: numberOrNull,
  status: text,
  contactEmail: text,
  contactPhone: text,
  fee: numberOrNull,
  notes: text,
};

const remove = (form: FormData) =>
  act(
    form,
    async () => {
      await ensureOk(api.engagements[":id"].$delete({ param: { id: String(form.get("id")) } }));
      return "Speaking engagement deleted successfully";
    },
    { toast: (message) => `Failed to delete speaking engagement. ${message}` },
  );
