import { can, NEEDS_SECOND_FACTOR, type Capability, type Role, type Scope } from "#worker/access/contract.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** A signed-in user. */
export type SignedIn = Extract<Actor, { kind: "user" }> & { role: Role };

/**
 * Whether the actor may do this; jobs act for the owner and may do everything.
 * @throws `unauthenticated`, `forbidden`
 */
export function requireCapability(capability: Capability, ctx: Context) {
  if (ctx.actor.kind === "job") return;
  const { role, token, missingFactor } = requireUser(ctx);
  if (!can(role, capability)) {
    const message = missingFactor?.isDue ? NEEDS_SECOND_FACTOR : "Your role can’t do this.";
    throw new AppError("forbidden", message);
  }
  if (token && FOR_PEOPLE.includes(capability)) throw forPeople();
}

/** No scope gives these: a program that could would make itself a user, or another token. */
const FOR_PEOPLE: Capability[] = ["settings", "users", "restore"];

const forPeople = (message = "A token can’t do this. Sign in to the admin area.") =>
  new AppError("forbidden", message);

/**
 * For what a program must not do, although its token may do the rest of the command.
 * @throws `forbidden`, with this message
 */
export function requirePerson({ actor }: Pick<Context, "actor">, message: string) {
  if (actor.kind === "user" && actor.token) throw forPeople(message);
}

/** The answer names the scopes, also in its `WWW-Authenticate` (RFC 6750 §3.1). */
export class MissingScope extends AppError {
  readonly scopes: readonly Scope[];

  constructor(scopes: readonly Scope[]) {
    const names = scopes.map((scope) => `“${scope}”`).join(" and ");
    super("forbidden", `This token lacks the ${scopes.length === 1 ? "scope" : "scopes"} ${names}.`);
    this.scopes = scopes;
  }
}

/**
 * Whether the token of the request has these scopes; a session has all that its user's role has. No scopes: not for tokens.
 * @throws `forbidden`
 */
export function requireScopes({ actor }: Pick<Context, "actor">, scopes: readonly Scope[]) {
  if (actor.kind !== "user" || !actor.token) return;
  const { scopes: granted } = actor.token;
  const missing = scopes.filter((scope) => !granted.includes(scope));
  if (missing.length > 0) throw new MissingScope(missing);
  if (scopes.length === 0) throw forPeople();
}

/**
 * For a write of an item whose status, before or after it, is one of these: what visitors see or will see needs its own scope.
 * @throws `forbidden`
 */
export function requirePublishing(ctx: Context, ...statuses: string[]) {
  if (statuses.some((status) => status === "published" || status === "scheduled"))
    requireScopes(ctx, ["publish"]);
}

/** Whether a write may change what is public: always, but for a token without the scope to publish. */
export const mayPublish = ({ actor }: Pick<Context, "actor">) =>
  actor.kind !== "user" || !actor.token || actor.token.scopes.includes("publish");

const MINUTE = 60_000;
/** Milliseconds for which a proof of who the user is lasts. */
const PROOF_LASTS = 10 * MINUTE;
/** For a page that asks before it sends the request which needs the proof. */
export const PROOF_LASTS_FOR_NEXT = 9 * MINUTE;
/** For the later parts of a work of several requests: an upload, the passkey that a device makes. */
export const PROOF_LASTS_FOR_PARTS = 60 * MINUTE;

/**
 * For what a stolen session must not do: the user has signed in or confirmed their identity within the last ten minutes.
 * Jobs act for the owner; a token cannot prove who uses it.
 * @throws `unauthenticated`, `reauthentication_required`; `forbidden` for a token
 */
export function requireRecentProof(ctx: Context, lasts = PROOF_LASTS) {
  if (ctx.actor.kind === "job") return;
  if (requireUser(ctx).token) throw forPeople();
  if (!hasRecentProof(ctx, lasts))
    throw new AppError("reauthentication_required", "Confirm that it’s you, then try again.");
}

/**
 * Whether it is so, for a page that leaves something out until the user has confirmed their identity.
 * @throws `unauthenticated`
 */
export const hasRecentProof = (ctx: Context, lasts = PROOF_LASTS) =>
  ctx.now.getTime() - requireUser(ctx).authenticatedAt.getTime() <= lasts;

/** Whether the actor may do this, for answers that vary by capability. */
export const isAllowed = (capability: Capability, { actor }: Context) =>
  actor.kind === "job" || (actor.kind === "user" && can(actor.role, capability));

/**
 * The signed-in user.
 * @throws `unauthenticated`
 */
export function requireUser({ actor }: Pick<Context, "actor">): SignedIn {
  if (actor.kind !== "user") throw new AppError("unauthenticated", "Please sign in.");
  // A session's actor comes from a user's row (accounts/), so its role is one of these.
  return actor as SignedIn;
}
