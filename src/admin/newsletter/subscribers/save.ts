import { replace } from "react-router";
import { api, ensureOk, readJson } from "#site/api.ts";
import { NewSubscriber } from "#worker/newsletter/contract.ts";
import { text } from "../../form/read.ts";
import { act, intentOf, submit } from "../../form/submit.ts";
import { toast } from "../../shell/toast.tsx";
import { LIST } from "./subscriber-states.ts";

/** Handles the forms of the list and of a subscriber's page. */
export async function saveSubscriber(request: Request) {
  const form = await request.formData();
  switch (intentOf(form)) {
    case "add":
      return submit(form, {
        fields: { email: text, consent: text, ask: isYes },
        schema: NewSubscriber,
        async send(json) {
          await readJson(api.subscribers.$post({ json }));
          toast.success(json.ask ? "Added. We emailed them to confirm." : "Added as verified.");
          return replace(LIST);
        },
      });
    case "unsubscribe":
      return act(form, async () => {
        await ensureOk(
          api.subscribers[":id"].$patch({ param: { id: idOf(form) }, json: { status: "unsubscribed" } }),
        );
        return "Subscriber unsubscribed";
      });
    default:
      return act(
        form,
        async () => {
          await ensureOk(api.subscribers[":id"].$delete({ param: { id: idOf(form) } }));
          if (form.get("goesTo") !== "list") return "Subscriber deleted successfully";
          toast.success("Subscriber deleted successfully");
          return replace(LIST);
        },
        { toast: () => "Failed to delete subscriber" },
      );
  }
}

/** Of a pair of radio buttons. */
const isYes = (form: FormData, name: string) => form.get(name) === "yes";

const idOf = (form: FormData) => String(form.get("id"));
