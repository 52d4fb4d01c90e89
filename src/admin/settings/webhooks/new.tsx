import { api, readJson } from "#site/api.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import type { WithSecret } from "#worker/webhooks/contract.ts";
import { Form, Submit } from "../../form/form.tsx";
import { saved, submit } from "../../form/submit.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { madeIn, SecretNotice } from "../secret-notice.tsx";
import { ABOUT_SECRET, WebhookFields, webhookForm } from "./fields.tsx";
import type { Route } from "./+types/new";

export const meta = pageTitle("Add a webhook");

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  return submit(form, {
    ...webhookForm,
    async send(json) {
      const made = await readJson(api.webhooks.$post({ json }));
      return { ...saved(form, "Webhook added"), made };
    },
  });
}

export default function NewWebhook({ actionData }: Route.ComponentProps) {
  const made = madeIn<WithSecret>(actionData);
  return (
    <div className="grid gap-6">
      <h2 className="text-lg font-semibold">Add a webhook</h2>
      {made ? (
        <SecretNotice label="Secret" secret={made.secret} about={ABOUT_SECRET}>
          <ButtonRow>
            <ButtonLink to={`/admin/settings/webhooks/${made.webhook.id}`} tone="primary">
              I have copied it
            </ButtonLink>
          </ButtonRow>
        </SecretNotice>
      ) : (
        <Form className="grid max-w-2xl gap-5">
          <WebhookFields />
          <ButtonRow>
            <Submit>Add webhook</Submit>
            <ButtonLink to="/admin/settings/webhooks">Cancel</ButtonLink>
          </ButtonRow>
        </Form>
      )}
    </div>
  );
}
