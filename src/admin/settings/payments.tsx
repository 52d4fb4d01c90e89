import { useNavigation } from "react-router";
import { api, ensureOk, readJson } from "#site/api.ts";
import { siteContext } from "#site/context.ts";
import { Badge } from "#site/ui/badge.tsx";
import { ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { listTiers } from "#worker/members/tier-queries.ts";
import { NewTierPrice, PaymentKeys, type PaymentSetup, type TierPrice } from "#worker/payments/contract.ts";
import { readPaymentSetup } from "#worker/payments/queries.ts";
import { Options, SelectField, TextField } from "../form/fields.tsx";
import { ActionButton, Form, Submit } from "../form/form.tsx";
import { text } from "../form/read.ts";
import { FormSection } from "../form/section.tsx";
import { act, intentOf, submit } from "../form/submit.ts";
import { ConfirmAction } from "../lists/confirm-action.tsx";
import { RemovableRows } from "../lists/removable-rows.tsx";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import type { Route } from "./+types/payments";

export const meta = pageTitle("Payments");

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [setup, tiers] = await load(Promise.all([readPaymentSetup(ctx), listTiers(ctx)]));
  return { setup, tiers: tiers.items };
}

const TEST = "test";
const REMOVE_KEYS = "remove-keys";
const ADD_PRICE = "add-price";
const REMOVE_PRICE = "remove-price";
const COMPARE = "compare";

const routes = api.payments;

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  switch (intentOf(form)) {
    case TEST:
      return act(form, async () => {
        const { account } = await readJson(routes.test.$post());
        return `Stripe answers. The key is of the account ${account}`;
      });
    case REMOVE_KEYS:
      return act(form, async () => {
        await ensureOk(routes.keys.$delete());
        return "Keys removed";
      });
    case ADD_PRICE:
      return submit(form, {
        schema: NewTierPrice,
        fields: { tierId: text, price: text },
        async send(json) {
          await ensureOk(routes.prices.$post({ json }));
          return "Price added";
        },
      });
    case REMOVE_PRICE:
      return act(form, async () => {
        await ensureOk(routes.prices[":id"].$delete({ param: { id: String(form.get("id")) } }));
        return "Price removed";
      });
    case COMPARE:
      return act(form, async () => {
        await ensureOk(routes.comparison.$post());
        return "Comparison started";
      });
    default:
      return submit(form, {
        schema: PaymentKeys,
        fields: { apiKey: text, webhookSecret: text },
        async send(json) {
          await ensureOk(routes.keys.$put({ json }));
          return "Keys saved";
        },
      });
  }
}

export default function Payments({ loaderData: { setup, tiers } }: Route.ComponentProps) {
  return (
    <>
      <Account setup={setup} />
      <Webhook setup={setup} />
      {setup.account && (
        <>
          <Prices prices={setup.prices} tiers={tiers} />
          <Comparison setup={setup} />
        </>
      )}
    </>
  );
}

function Account({ setup: { account, paying } }: { setup: PaymentSetup }) {
  const { formData } = useNavigation();
  return (
    <FormSection
      title="Stripe"
      help="A person who pays a subscription at your account becomes a member of its price’s tier, until it ends. Visitors join in their account, at Stripe: no card data reaches this site. A member by hand stays as you entered them, and letters need their own consent."
    >
      {account ? (
        <>
          <p className="flex flex-wrap items-baseline gap-3">
            <span className="wrap-anywhere">{account.id}</span>
            <Badge tone={account.isLive ? "accent" : "info"}>
              {account.isLive ? "Real payments" : "Test mode"}
            </Badge>
          </p>
          <p className="text-muted">
            {paying === 1 ? "1 membership is paid now." : `${paying} memberships are paid now.`}
          </p>
          <ButtonRow>
            <ActionButton intent={TEST}>Test the key</ActionButton>
            <ConfirmAction
              intent={REMOVE_KEYS}
              label="Remove keys"
              title="Remove the keys of Stripe?"
              confirm="Remove keys"
              busy={formData?.get("intent") === REMOVE_KEYS}
            >
              Memberships stay as they are, and no longer follow their payments.
            </ConfirmAction>
          </ButtonRow>
        </>
      ) : (
        <p>No keys are stored.</p>
      )}
      <Form intent="keys" clearWhenSaved>
        <TextField
          label={account ? "New key" : "Key"}
          name="apiKey"
          type="password"
          autoComplete="off"
          required
          maxLength={300}
          help="A restricted key is enough. It may write Checkout sessions and customer portal sessions, and read accounts, charges, customers, disputes, events, invoices, prices and subscriptions."
        />
        <TextField
          label={account ? "New signing secret" : "Signing secret of the webhook"}
          name="webhookSecret"
          type="password"
          autoComplete="off"
          required
          maxLength={300}
          help="Both are stored encrypted where the deployment has a KEY_SECRET, and never shown again."
        />
        <ButtonRow>
          <Submit>Save keys</Submit>
        </ButtonRow>
      </Form>
    </FormSection>
  );
}

const Webhook = ({ setup: { webhookUrl, events } }: { setup: PaymentSetup }) => (
  <FormSection title="Webhook" help="Add it at Stripe, under Developers ▸ Webhooks, with these events.">
    <p>
      <code className="wrap-anywhere">{webhookUrl}</code>
    </p>
    <ul className="text-sm text-muted">
      {events.map((event) => (
        <li key={event}>
          <code>{event}</code>
        </li>
      ))}
    </ul>
  </FormSection>
);

function amountOf({ amount, currency, interval }: TierPrice) {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(amount / 10 ** digits)} a ${interval}`;
}

type PricesProps = { prices: TierPrice[]; tiers: { id: number; name: string }[] };

const Prices = ({ prices, tiers }: PricesProps) => (
  <FormSection
    title="Prices"
    help="A tier may have several: monthly and yearly, and in each currency. If no tier has the price that a person pays, they don’t become a member, and the payment is listed below."
  >
    <RemovableRows label="Prices" empty="No tier has a price yet.">
      {prices.map((price) => (
        <li key={price.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
          <span className="min-w-0">
            <bdi className="font-medium wrap-anywhere">{price.tier}</bdi> <span>{amountOf(price)}</span>
            <span className="block text-sm text-muted wrap-anywhere">{price.price}</span>
          </span>
          <ActionButton
            intent={REMOVE_PRICE}
            values={{ id: String(price.id) }}
            aria-label={`Remove ${price.price}`}
          >
            Remove
          </ActionButton>
        </li>
      ))}
    </RemovableRows>
    {tiers.length === 0 ? (
      <p className="text-muted">Add a tier first, under Newsletter ▸ Members.</p>
    ) : (
      <Form intent={ADD_PRICE} clearWhenSaved>
        <SelectField label="Tier" name="tierId">
          <Options of={tiers.map(({ id, name }) => [id, name] as const)} />
        </SelectField>
        <TextField
          label="Price at Stripe"
          name="price"
          required
          maxLength={255}
          placeholder="price_…"
          autoComplete="off"
          help="Its id. Amount, currency and interval come from Stripe."
        />
        <ButtonRow>
          <Submit>Add price</Submit>
        </ButtonRow>
      </Form>
    )}
  </FormSection>
);

const Comparison = ({ setup: { comparedAt, isComparing, problem, notices } }: { setup: PaymentSetup }) => (
  <FormSection
    title="Notices"
    help="Each night, and when you press the button, the site asks Stripe for the events of the last days, and processes those whose notices were lost or refused."
  >
    <p>
      {comparedAt === null ? (
        "Not compared yet."
      ) : (
        <>
          <span>Last compared on </span>
          <DateTime at={comparedAt} format={formatDateTime} />
        </>
      )}
    </p>
    {isComparing && <p>A comparison is under way.</p>}
    {problem !== null && <p role="alert">{problem}</p>}
    <ButtonRow>
      <ActionButton intent={COMPARE}>Compare now</ActionButton>
    </ButtonRow>
    {notices.length > 0 && (
      <ul aria-label="Notices that changed nothing" className="divide-y divide-rule">
        {notices.map(({ id, type, message, receivedAt }) => (
          <li key={id} className="py-3">
            <p className="wrap-anywhere">{message}</p>
            <p className="text-sm text-muted">
              <code>{type}</code> <DateTime at={receivedAt} format={formatDateTime} />
            </p>
          </li>
        ))}
      </ul>
    )}
  </FormSection>
);
