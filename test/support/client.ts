import { env, exports } from "cloudflare:workers";
import { hc } from "hono/client";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { authenticateSession, newSession } from "#worker/accounts/sessions.ts";
import type { AdminApi } from "#worker/api.ts";
import { users } from "#worker/accounts/table.ts";
import { createContext, type Actor, type Context } from "#worker/platform/context.ts";
import type { Role } from "#worker/access/contract.ts";

export const SITE = "http://localhost:8787";

/** A request to the running Worker, by path. */
export const fetchSite = (path: string, init?: RequestInit): Promise<Response> =>
  exports.default.fetch(new Request(`${SITE}${path}`, { redirect: "manual", ...init }));

/** A context with a fixed time, unless it is given a clock. */
export const contextOf = (actor: Actor, options: Partial<Context> = {}): Context => ({
  ...createContext(env, { actor }),
  ...(options.now && { clock: () => options.now! }),
  ...options,
});
export const visitorContext = (options?: Partial<Context>) => contextOf({ kind: "visitor" }, options);
export const jobContext = (options?: Partial<Context>) => contextOf({ kind: "job", name: "test" }, options);
/** The owner's context for calling use cases directly, without a row in `users`. */
export const ownerContext = (options?: Partial<Context>) =>
  contextOf(userOf("owner", "The Owner", "super_admin", options), options);
/** The same for another role. */
export const contextAs = (role: Role, options?: Partial<Context>) =>
  contextOf(userOf(role, `A ${role}`, role, options), options);

/** Who has just signed in. */
const userOf = (
  id: string,
  fullName: string,
  role: Role,
  { now = new Date() }: Partial<Context> = {},
): Actor => ({
  kind: "user",
  id,
  email: `${id}@example.com`,
  fullName,
  role,
  sessionId: "s",
  authenticatedAt: now,
});

/** The typed admin API for a user with this role; undefined is a visitor without a session. */
export async function signedIn(role?: Role) {
  const cookie = role ? await cookieOf(role) : "";
  return {
    cookie,
    api: hc<AdminApi>(`${SITE}/api/admin`, {
      headers: { cookie },
      fetch: exports.default.fetch.bind(exports.default),
    }),
  };
}

/** Opens a session for an existing user, as by a passkey, and returns its token. */
export function openSession(ctx: Context, user: { id: string; stamp: string }) {
  return newSession(ctx, { ...user, provedFactor: true });
}

/** `ago`: milliseconds since the user proved who they are. */
export async function cookieFor(user: { id: string; stamp: string }, ago = 0) {
  const ctx = jobContext();
  const token = await openSession(ctx, user);
  const at = new Date(ctx.now.getTime() - ago);
  return `${sessionCookieOf(SITE).name}=${ago > 0 ? await authenticateSession(ctx, token, { at }) : token}`;
}

/** The cookie of a session that the password alone has opened. */
export const cookieByPassword = async (user: { id: string; stamp: string }) =>
  `${sessionCookieOf(SITE).name}=${await newSession(jobContext(), { ...user, provedFactor: false })}`;

async function cookieOf(role: Role) {
  const ctx = jobContext();
  const id = crypto.randomUUID();
  const user = {
    id,
    email: `${id}@example.com`,
    fullName: `A ${role}`,
    role,
    isActive: true,
    emailVerified: true,
    stamp: id,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  await ctx.db.insert(users).values(user);
  return cookieFor(user);
}
