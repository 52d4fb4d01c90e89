import { eq, inArray, sql } from "drizzle-orm";
import { subscribe, verifySubscriber } from "#worker/newsletter/commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Mail } from "#worker/mail/message.ts";
import { outbox } from "#worker/platform/table.ts";
import { fetchSite, jobContext, SITE, visitorContext as aVisitor } from "./client.ts";
import { unique } from "./factories.ts";
import { deliverAll } from "./outbox.ts";

export const DAY = 86_400_000;

export const db = jobContext().db;

export const metrics = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };

export const address = () => `reader-${unique()}@example.com`;

/** Queues that drop messages: the runner does not end while dozens of queue messages are in progress. */
export const jobs = { send: async () => metrics, sendBatch: async () => metrics };

export const visitorContext = (options: Partial<Context> = {}) => aVisitor({ jobs, ...options });

export const later = (milliseconds: number) => visitorContext({ now: new Date(Date.now() + milliseconds) });

/** Each request in its own household, so that the limits of one test are not those of the next. */
export let households = 0;

export const household = () => `2001:db8:${(0xb000 + households++).toString(16)}::1`;

export const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetchSite(`/api/newsletter/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": household(), ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** As a browser without scripts posts it. */
export const postForm = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  post(path, new URLSearchParams(fields).toString(), {
    "Content-Type": "application/x-www-form-urlencoded",
    "Sec-Fetch-Site": "same-origin",
    Referer: `${SITE}/podcast?page=2`,
    ...headers,
  });

/** Processes the sign-ups so far, like the queue. */
export const deliver = ({ now }: Pick<Context, "now"> = { now: new Date() }) =>
  deliverAll(jobContext({ jobs, now }));

/** Asks for the newsletter and has it answered. */
export async function request(ctx: Context, email: string, source = "footer") {
  await subscribe(ctx, { email, source });
  await deliver(ctx);
}

/** Once all requests are answered. */
export async function rowOf(email: string) {
  await deliver();
  return (await db.select().from(subscribers).where(eq(subscribers.email, email)))[0];
}

/** Once all requests are answered; oldest first. */
export async function mailsTo(...emails: string[]) {
  await deliver();
  const rows = await db
    .select()
    .from(outbox)
    .where(inArray(sql`${outbox.payload} ->> '$.to'`, emails))
    .orderBy(outbox.createdAt);
  return rows.map(({ payload }) => payload as Mail);
}

export const tokenIn = (link: string) => new URL(link).searchParams.get("token") ?? "";

export const latestToken = async (email: string) => tokenIn((await mailsTo(email)).at(-1)?.link ?? "");

export async function waiting(email = address()) {
  await request(visitorContext(), email);
  return { email, token: await latestToken(email) };
}

export async function confirmed(email?: string) {
  const subscriber = await waiting(email);
  await verifySubscriber(visitorContext(), { token: subscriber.token });
  return { ...subscriber, id: (await rowOf(subscriber.email))!.id };
}

export const setStatus = (email: string, status: "bounced" | "complained" | "unsubscribed") =>
  db.update(subscribers).set({ status }).where(eq(subscribers.email, email));

export const messageOf = async (response: Response) =>
  ((await response.json()) as { error: { message: string } }).error.message;
