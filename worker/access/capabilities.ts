import { can, type Capability, type Role } from "#worker/access/contract.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Somebody who is signed in. */
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

/** The same as an answer, for what somebody sees a part of. */
export const isAllowed = (capability: Capability, { actor }: Context) =>
  actor.kind === "job" || (actor.kind === "user" && can(actor.role, capability));

/**
 * Who is signed in.
 * @throws `unauthenticated`
 */
export function requireUser({ actor }: Pick<Context, "actor">): SignedIn {
  if (actor.kind !== "user") throw new AppError("unauthenticated", "Please sign in.");
  // A session's actor is made from a user's row (accounts/), whose roles are these.
  return actor as SignedIn;
}
