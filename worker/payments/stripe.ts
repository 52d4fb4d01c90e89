import { z } from "zod";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { fetchPublic, readBeginning } from "#worker/platform/http/outgoing.ts";

/** The shapes below are this version's; Stripe answers in it whatever the account's own is (docs.stripe.com/api/versioning). */
const VERSION = "2024-06-20";
/** Characters; a page of events has far less. */
const LONGEST_ANSWER = 4_000_000;
const WAIT_MS = 10_000;

const seconds = z.number().transform((at) => new Date(at * 1000));
const idOf = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);

export const Account = z.object({ id: z.string() });

export const Price = z.object({
  id: z.string(),
  active: z.boolean(),
  currency: z.string(),
  unit_amount: z.number().nullable(),
  recurring: z.object({ interval: z.string(), interval_count: z.number() }).nullable(),
});

const Charge = z.object({ id: z.string(), refunded: z.boolean(), disputed: z.boolean() });

export const Subscription = z.object({
  id: z.string(),
  livemode: z.boolean(),
  customer: z.object({ id: z.string(), email: z.string().nullish() }),
  status: z.string(),
  created: seconds,
  current_period_start: seconds,
  current_period_end: seconds,
  cancel_at_period_end: z.boolean(),
  cancel_at: seconds.nullable(),
  ended_at: seconds.nullable(),
  trial_end: seconds.nullable(),
  items: z.object({ data: z.array(z.object({ price: z.object({ id: z.string(), currency: z.string() }) })) }),
  latest_invoice: z.object({ charge: Charge.nullable() }).nullable(),
});
export type Subscription = z.output<typeof Subscription>;

/** A charge, and the subscription that its invoice is of. */
export const ChargeOfInvoice = z.object({
  id: z.string(),
  invoice: z.object({ subscription: idOf.nullable() }).nullable(),
});

export const Disputes = z.object({ data: z.array(z.object({ status: z.string(), created: seconds })) });

/** An event: only what it is about is used, and read again from the API. */
export const Event = z.object({
  id: z.string().max(255),
  type: z.string().max(255),
  livemode: z.boolean(),
  account: z.string().nullish(),
  data: z.object({
    object: z.object({
      id: z.string().nullish(),
      subscription: idOf.nullish(),
      /** Where an invoice has its subscription since version 2025-03-31. */
      parent: z.object({ subscription_details: z.object({ subscription: idOf }).nullish() }).nullish(),
      charge: idOf.nullish(),
    }),
  }),
});
export type Event = z.output<typeof Event>;

export const Events = z.object({ has_more: z.boolean(), data: z.array(Event) });

/** A page of Stripe's to which a visitor is sent. */
export const StripePage = z.object({ url: z.url({ protocol: /^https?$/ }) });

const Failure = z.object({ error: z.object({ message: z.string(), code: z.string().nullish() }) });

/** A refusal of Stripe. Its message is for the owner. */
export class StripeError extends AppError {
  /** Stripe's HTTP status. */
  readonly answered: number;

  constructor(answered: number, message: string) {
    super(answered === 429 || answered >= 500 ? "unavailable" : "conflict", message);
    this.answered = answered;
  }
}

type Request<T> = {
  key: string;
  path: string;
  query?: [string, string][];
  /** Of a POST, with the names as Stripe writes them: `line_items[0][price]`. */
  form?: Record<string, string>;
  schema: z.ZodType<T>;
};

/**
 * Asks Stripe's API.
 * @throws {StripeError}; `unavailable` if Stripe does not answer
 */
export async function askStripe<T>(
  { config }: Context,
  { key, path, query = [], form, schema }: Request<T>,
): Promise<T> {
  const url = new URL(`${config.stripeUrl}/v1/${path}`);
  for (const [name, value] of query) url.searchParams.append(name, value);
  const init = {
    headers: { Authorization: `Bearer ${key}`, "Stripe-Version": VERSION },
    ...(form && { method: "POST", body: new URLSearchParams(form) }),
    signal: AbortSignal.timeout(WAIT_MS),
  };
  const { status, text } = await fetchPublic(url, init, { loopback: config.loopback, mostRedirects: 0 })
    .then(async ({ response }) => ({
      status: response.status,
      text: await readBeginning(response, LONGEST_ANSWER),
    }))
    .catch(() => {
      throw new AppError("unavailable", "Stripe can’t be reached. Try again in a few minutes.");
    });
  const answer = jsonOf(text);
  if (status !== 200) throw refusal(status, answer);
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new StripeError(502, "Stripe’s answer can’t be read.");
  return parsed.data;
}

function refusal(status: number, answer: unknown) {
  if (status === 401) return new StripeError(status, "Stripe refused the key. Enter another one.");
  if (status === 403)
    return new StripeError(status, "The key may not read this at Stripe. Give it more permissions.");
  const said = Failure.safeParse(answer).data?.error.message.slice(0, 300);
  return new StripeError(status, said ? `Stripe: ${said}` : `Stripe answered with an error (${status}).`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
