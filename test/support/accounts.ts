import { env } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import { UserInput } from "#worker/accounts/contract.ts";
import { hashPassword } from "#worker/accounts/passwords.ts";
import { actorOf } from "#worker/accounts/sessions.ts";
import { sessions, users } from "#worker/accounts/table.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { MAIL_TOPIC, type Mail } from "#worker/mail/message.ts";
import { outbox } from "#worker/platform/table.ts";
import { contextOf, fetchSite, jobContext, visitorContext } from "./client.ts";

export const PASSWORD = "correct horse battery";
/** Another one, which keeps all rules. */
export const CHOSEN = "A quiet verandah 7";
export const SECOND = 1000;
export const HOUR = 3600 * SECOND;
export const DAY = 24 * HOUR;

export const userOf = async (id: string) =>
  (await jobContext().db.select().from(users).where(eq(users.id, id)))[0];

/** A visitor's context at a moment. */
export const at = (time: number) => visitorContext({ now: new Date(time) });
export const later = (milliseconds: number) => at(Date.now() + milliseconds);

/** A visitor's context in a household of its own. */
export const elsewhere = () => visitorContext({ client: { address: household(), userAgent: "" } });

/** A context in which this person is signed in. */
export const signedInAs = ({ id, email, fullName, role }: User, options: Partial<Context> = {}) =>
  contextOf(
    {
      kind: "user",
      id,
      email,
      fullName,
      role,
      sessionId: `session of ${id}`,
      authenticatedAt: options.now ?? new Date(),
    },
    options,
  );

/** Opens the session of `signedInAs`. */
export async function openSessionOf({ id, stamp }: User) {
  const now = new Date();
  const session = { id: `session of ${id}`, userId: id, stamp, createdAt: now, seenAt: now };
  await jobContext()
    .db.insert(sessions)
    .values({ ...session, address: "", userAgent: "" })
    .onConflictDoNothing();
}

/** A context in which something else happens between what is read and each batch of writes. */
export function overtakenBy(ctx: Context, happen: () => Promise<unknown>): Context {
  const withSession = (start?: string) => {
    const session = env.DB.withSession(start);
    const batch = async (statements: D1PreparedStatement[]) => {
      await happen();
      return session.batch(statements);
    };
    return { prepare: (query: string) => session.prepare(query), batch };
  };
  const { db } = createContext({ ...env, DB: { withSession } } as unknown as Env, { actor: ctx.actor });
  return { ...ctx, db };
}

type User = typeof users.$inferInsert;

/** All emails to an address, oldest first. */
export async function mailsTo(address: string) {
  const rows = await jobContext()
    .db.select()
    .from(outbox)
    .where(and(eq(outbox.topic, MAIL_TOPIC), eq(sql`${outbox.payload} ->> '$.to'`, address)))
    .orderBy(outbox.createdAt, sql`rowid`);
  return rows.map(({ payload }) => payload as Mail);
}

/** The token of the latest email's link. */
export async function latestToken(address: string) {
  const link = (await mailsTo(address)).at(-1)?.link;
  return new URL(link ?? "").searchParams.get("token") ?? "";
}

/** Each request in its own household, so that the limits of one test are not those of the next. */
let households = 0;
export const household = () => `2001:db8:${(0xa000 + households++).toString(16)}::1`;

export const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetchSite(`/api/admin${path}`, {
    method,
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": household(), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

export const errorOf = async (response: Response) => ((await response.json()) as { error: unknown }).error;

export const rejectionOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("It was not refused."),
    (error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    },
  );

/** The hash of PASSWORD that all users below share: each takes a tenth of a second of processor time. */
let passwordHash: Promise<string> | undefined;

/** A user who may sign in with PASSWORD. */
export async function addUser(values: Partial<typeof users.$inferInsert> = {}) {
  const id = crypto.randomUUID();
  const now = new Date();
  const user = {
    id,
    email: `${id}@example.com`,
    fullName: "A Person",
    role: "editor",
    passwordHash: await (passwordHash ??= hashPassword(PASSWORD)),
    isActive: true,
    emailVerified: true,
    stamp: id,
    createdAt: now,
    updatedAt: now,
    ...values,
  } satisfies typeof users.$inferInsert;
  await jobContext().db.insert(users).values(user);
  return user;
}

export const anAddress = () => `${crypto.randomUUID()}@example.com`;

/** What an administrator fills in to make a user. */
export const aUser = (values: Partial<UserInput> = {}): UserInput =>
  UserInput.parse({ email: anAddress(), fullName: "Ada Quill", ...values });

export const isSignedIn = async (token: string) => (await actorOf(visitorContext(), token)).kind === "user";

/** A super admin and an admin, and what they do. */
export async function people() {
  const [owner, admin] = [await addUser({ role: "super_admin" }), await addUser({ role: "admin" })];
  return { owner, admin, asOwner: signedInAs(owner), asAdmin: signedInAs(admin) };
}
