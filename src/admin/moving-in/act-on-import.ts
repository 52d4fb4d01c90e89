import { api, ensureOk, readJson } from "#site/api.ts";
import { act, intentOf } from "../form/submit.ts";
import { sentence, type QueuedWork } from "./queued.ts";

const one = api.imports[":id"];
const steps = {
  pause: { route: one.pause, done: "paused", undoing: "Undoing paused" },
  resume: { route: one.resume, done: "resumed", undoing: "Undoing resumed" },
  cancel: { route: one.cancel, done: "cancelled", undoing: "Undoing stopped" },
  undo: { route: one.undo, done: "undone", undoing: "Undoing the import" },
};

const isStep = (intent: string): intent is keyof typeof steps => Object.hasOwn(steps, intent);

/** The body of the `clientAction` of a page that shows an import. */
export function actOnImport(form: FormData, id: string, work: QueuedWork = "import") {
  const intent = intentOf(form);
  const param = { id };
  return act(form, async () => {
    if (intent === "start") {
      const query = {
        ...(form.has("asDrafts") && { as: "draft" as const }),
        ...(form.has("joinsArticles") && { articles: "join" as const }),
      };
      await ensureOk(one.start.$post({ param, query }));
      return "Import started";
    }
    if (isStep(intent)) {
      const { route, done, undoing } = steps[intent];
      const { undoneAt } = await readJson(route.$post({ param }));
      return undoneAt === null ? `${sentence(work)} ${done}` : undoing;
    }
    const item = form.has("item") ? Number(form.get("item")) : undefined;
    await readJson(one.retry.$post({ param, json: { item } }));
    return "Trying it again";
  });
}
