import { api, ensureOk, readJson } from "#site/api.ts";
import { act, intentOf } from "../form/submit.ts";

const steps = {
  start: "The import has begun",
  pause: "The import is paused",
  resume: "The import goes on",
  cancel: "The import is cancelled",
} as const;

const isStep = (intent: string): intent is keyof typeof steps => Object.hasOwn(steps, intent);

/** The body of the `clientAction` of a page that shows an import. */
export function actOnImport(form: FormData, id: string) {
  const intent = intentOf(form);
  const param = { id };
  return act(form, async () => {
    if (isStep(intent)) {
      await ensureOk(api.imports[":id"][intent].$post({ param }));
      return steps[intent];
    }
    const item = form.has("item") ? Number(form.get("item")) : undefined;
    await readJson(api.imports[":id"].retry.$post({ param, json: { item } }));
    return "It is being tried again";
  });
}
