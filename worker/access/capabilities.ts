import { can, type Capability, type Role } from "#worker/access/contract.ts";
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
  if (!can(requireUser(ctx).role, capability)) {
    throw new AppError("forbidden", "Your role can’t do this.");
  }
}

const MINUTE = 60_000;
/** Milliseconds for which a proof of who the user is lasts. */
const PROOF_LASTS = 10 * MINUTE;
/** For a page that asks before it sends the request which needs the proof. */
export const PROOF_LASTS_FOR_NEXT = 9 * MINUTE;
/** For the later parts of a work of several requests: a download, an upload, the passkey that a device makes. */
export const PROOF_LASTS_FOR_PARTS = 60 * MINUTE;

/**
 * For what a stolen session must not do: the user has signed in or confirmed their identity within the last ten minutes.
 * Jobs act for the owner.
 * @throws `unauthenticated`, `reauthentication_required`
 */
export function requireRecentProof(ctx: Context, lasts = PROOF_LASTS) {
  if (ctx.actor.kind === "job") return;
  if (ctx.now.getTime() - requireUser(ctx).authenticatedAt.getTime() > lasts)
    throw new AppError("reauthentication_required", "Confirm that it’s you, then try again.");
}

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
