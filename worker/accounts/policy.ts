import { sql, type SQL } from "drizzle-orm";
import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import type { Allowed, UserChange } from "#worker/accounts/contract.ts";
import type { User } from "#worker/accounts/account-links.ts";
import { users } from "#worker/accounts/table.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { ROLES, type Role } from "#worker/access/contract.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * What the actor may do with a user. Admins manage editors and users; only super admins manage admins and super admins,
 * and assign those roles. Users cannot disable or delete themselves, or change their own role.
 */
export function allowedOn(actor: Actor, user: Pick<User, "id" | "role">): Allowed {
  if (actor.kind === "user" && actor.id === user.id) {
    return { edit: true, roles: [user.role], disable: false, remove: false };
  }
  const roles = rolesToGive(actor);
  return roles.includes(user.role)
    ? { edit: true, roles, disable: true, remove: true }
    : { edit: false, roles: [user.role], disable: false, remove: false };
}

/** The roles that the actor may assign. */
export function rolesToGive(actor: Actor): Role[] {
  if (actor.kind === "job" || (actor.kind === "user" && actor.role === "super_admin")) return [...ROLES];
  return actor.kind === "user" && actor.role === "admin" ? ["editor", "user"] : [];
}

export function requireAllowed(ctx: Context, user: User, { email, role, isActive, password }: UserChange) {
  const allowed = allowedOn(ctx.actor, user);
  if (!allowed.edit) throw forbiddenUser(ctx, user);
  if (role !== undefined && !allowed.roles.includes(role)) throw forbiddenRole();
  if (isActive === false && !allowed.disable) throw forbiddenUser(ctx, user);
  if (password !== undefined && isActor(ctx, user)) {
    throw new AppError("forbidden", "Change your own password under Your account.", { field: "password" });
  }
  // That page asks for the current password: a stolen session must not take over the account.
  if (email !== undefined && email !== user.email && isActor(ctx, user)) {
    throw new AppError("forbidden", "Change your own address under Your account.", { field: "email" });
  }
}

/** @throws `unauthenticated`, `forbidden` */
export function requireSuperAdmin(ctx: Context) {
  if (ctx.actor.kind === "job") return;
  requireCapability("users", ctx);
  if (requireUser(ctx).role !== "super_admin")
    throw new AppError("forbidden", "Only a super admin can do this.");
}

export const isActor = ({ actor }: Context, { id }: Pick<User, "id">) =>
  actor.kind === "user" && actor.id === id;

export const forbiddenUser = (ctx: Context, user: User) =>
  new AppError(
    "forbidden",
    isActor(ctx, user) ? "You can’t disable or delete yourself." : "Only a super admin can change this user.",
  );

export const forbiddenRole = () => new AppError("forbidden", "You can’t give this role.", { field: "role" });

/** SQL: whether there is a super admin who can sign in once this user is as `after` says; null is deleted. */
export function leavesSuperAdmin(before: User, after: User | null): SQL {
  const isWorking = (user: User) => user.role === "super_admin" && user.isActive && user.emailVerified;
  if (!isWorking(before) || (after !== null && isWorking(after))) return sql`true`;
  return sql`exists (select 1 from ${users} where ${users.id} <> ${before.id}
    and ${users.role} = 'super_admin' and ${users.isActive} and ${users.emailVerified})`;
}
