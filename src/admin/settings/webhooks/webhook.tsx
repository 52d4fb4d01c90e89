import { redirect, useNavigation } from "react-router";
import { Link } from "#site/document/link.tsx";
import { api, ensureOk, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { Webhook, WithSecret } from "#worker/webhooks/contract.ts";
import { readWebhook } from "#worker/webhooks/queries.ts";
import { ActionButton, Form, Submit } from "../../form/form.tsx";
import { FormSection } from "../../form/section.tsx";
import { act, basedOnOf, intentOf, saved, submit } from "../../form/submit.ts";
import { ConfirmAction } from "../../lists/confirm-action.tsx";
import { load } from "../../shell/load.server.ts";
import { pageTitle } from "../../shell/page-title.ts";
import { toast } from "../../shell/toast.tsx";
import { madeIn, SecretNotice } from "../secret-notice.tsx";
import { Deliveries } from "./deliveries.tsx";
import { nameOf } from "./event-words.ts";
import { ABOUT_SECRET, WebhookFields, webhookForm } from "./fields.tsx";
import { WebhookState } from "./list.tsx";
import type { Route } from "./+types/webhook";

export const meta = pageTitle("Webhook");

export const loader = ({ context, params: { id } }: Route.LoaderArgs) =>
  load(readWebhook(context.get(siteContext), Number(id)));

const LIST = "/admin/settings/webhooks";
const PAUSE = "pause";
const RESUME = "resume";
const TEST = "test";
const ROTATE = "rotate";
const RESEND = "resend";
const REMOVE = "remove";

export async function clientAction({ request, params: { id } }: Route.ClientActionArgs) {
  const form = await request.formData();
  const param = { id };
  const route = api.webhooks[":id"];
  switch (intentOf(form)) {
    case PAUSE:
    case RESUME:
      return act(form, async () => {
        const isPaused = intentOf(form) === PAUSE;
        await ensureOk(route.$patch({ param, json: { isPaused } }));
        return isPaused ? "Paused" : "Resumed";
      });
    case TEST:
      return act(form, async () => {
        await ensureOk(route.test.$post({ param }));
        return "Test sent. Its result is below";
      });
    case ROTATE:
      return act(form, async () => {
        const made = await readJson(route.secret.$post({ param }));
        return { ...saved(form, "New secret made"), made };
      });
    case RESEND:
      return act(form, async () => {
        const delivery = String(form.get("delivery"));
        await ensureOk(route.deliveries[":delivery"].resend.$post({ param: { id, delivery } }));
        return "Sent again. Its result is below";
      });
    case REMOVE:
      return act(form, async () => {
        await ensureOk(route.$delete({ param }));
        toast.success("Webhook removed");
        return redirect(LIST);
      });
    default:
      return submit(form, {
        ...webhookForm,
        async send(input) {
          const json = { ...input, basedOn: basedOnOf(form) };
          const { updatedAt } = await readJson(route.$patch({ param, json }));
          return saved(form, "Webhook saved", { updatedAt });
        },
      });
  }
}

export default function WebhookPage({ loaderData, actionData }: Route.ComponentProps) {
  const { webhook, deliveries } = loaderData;
  const made = madeIn<WithSecret>(actionData);
  return (
    <>
      <p className="mb-2 text-sm">
        <Link to={LIST} className="link">
          All webhooks
        </Link>
      </p>
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <h2 className="min-w-0 text-lg font-semibold wrap-anywhere">
          <bdi>{nameOf(webhook)}</bdi>
        </h2>
        <WebhookState webhook={webhook} />
      </div>
      <Warning webhook={webhook} />
      <FormSection title="What it is sent">
        <Form key={webhook.id} basedOn={webhook.updatedAt}>
          <WebhookFields webhook={webhook} />
          <ButtonRow>
            <Submit>Save</Submit>
          </ButtonRow>
        </Form>
      </FormSection>
      <Sending webhook={webhook} />
      <FormSection
        title="Secret"
        help="Signs each event (Standard Webhooks). After a change the former one signs as well for 24 hours, so that you have time to enter the new one."
      >
        {made && <SecretNotice key={made.secret} label="Secret" secret={made.secret} about={ABOUT_SECRET} />}
        {webhook.formerUntil !== null && (
          <p className="text-sm text-muted">
            The former secret signs as well until{" "}
            <DateTime at={webhook.formerUntil} format={formatDateTime} />.
          </p>
        )}
        <Confirmed
          intent={ROTATE}
          label="Make a new secret"
          title="Make a new secret?"
          confirm="Make a new secret"
          tone="primary"
        >
          It is shown once. Enter it at the receiver within 24 hours.
        </Confirmed>
      </FormSection>
      <FormSection
        title="Deliveries"
        help="The latest of the last 30 days. One that fails is tried eight times within a day."
      >
        <Deliveries items={deliveries} intent={RESEND} isPaused={webhook.paused !== null} />
      </FormSection>
      <FormSection title="Remove" help="Its secret and its deliveries are deleted, too.">
        <Confirmed
          intent={REMOVE}
          label="Remove this webhook"
          title="Remove this webhook?"
          confirm="Remove webhook"
          dismiss="Keep it"
          tone="danger"
        >
          <bdi>{nameOf(webhook)}</bdi> is informed of nothing any more.
        </Confirmed>
      </FormSection>
    </>
  );
}

function Warning({ webhook: { paused, failedAt, hasSecret } }: { webhook: Webhook }) {
  if (paused === "gone")
    return <Alert>The receiver answered 410 Gone: it wants no more events. So this webhook is paused.</Alert>;
  if (!hasSecret)
    return (
      <Alert>
        This webhook has no secret, since copies of the database contain none. Make a new one below.
      </Alert>
    );
  if (failedAt === null || paused) return null;
  return (
    <Alert>
      <span>A delivery failed for a day and was given up, last on </span>
      <DateTime at={failedAt} format={formatDateTime} />
      <span>. Send a test to see what the receiver answers.</span>
    </Alert>
  );
}

const Alert = ({ children }: { children: React.ReactNode }) => (
  <p className="mb-6 max-w-2xl border-l-4 border-danger pl-3 font-medium">{children}</p>
);

const Sending = ({ webhook: { paused } }: { webhook: Webhook }) => (
  <FormSection
    title="Sending"
    help="While it is paused, events are not recorded for it, and what waits is not sent."
  >
    <ButtonRow>
      {paused ? (
        <ActionButton intent={RESUME}>Resume</ActionButton>
      ) : (
        <>
          <ActionButton intent={TEST}>Send a test</ActionButton>
          <ActionButton intent={PAUSE}>Pause</ActionButton>
        </>
      )}
    </ButtonRow>
  </FormSection>
);

type ConfirmedProps = Omit<React.ComponentProps<typeof ConfirmAction>, "busy">;

const Confirmed = (props: ConfirmedProps) => (
  <ButtonRow>
    <ConfirmAction {...props} busy={useNavigation().formData?.get("intent") === props.intent} />
  </ButtonRow>
);
