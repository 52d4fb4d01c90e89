import { api, ensureOk } from "#site/api.ts";
import type { SiteChange } from "#worker/settings/contract.ts";
import type { FormSpec } from "../form/read.ts";
import { basedOnOf, submit } from "../form/submit.ts";
import type { z } from "zod";

/** Saves the part of the settings that a form has; the rest is unchanged. */
export async function saveSettings<S extends z.ZodType<SiteChange>>(request: Request, spec: FormSpec<S>) {
  const form = await request.formData();
  return submit(form, {
    ...spec,
    async send(part) {
      await ensureOk(api.settings.$put({ json: { ...part, basedOn: basedOnOf(form) } }));
      return "Settings saved successfully!";
    },
  });
}
