import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { PASSWORD_RULES, type UserChange, type UserSummary } from "#worker/accounts/contract.ts";
import { logIn } from "#worker/accounts/session-commands.ts";
import { logOut } from "#worker/accounts/session-commands.ts";
import { actorOf } from "#worker/accounts/sessions.ts";
import { sessions, users } from "#worker/accounts/table.ts";
import { listUsers, readUser } from "#worker/accounts/queries.ts";
import { updateUser, createUser, deleteUser, resendInvitation } from "#worker/accounts/user-commands.ts";
import type { Role } from "#worker/access/contract.ts";
import {
  addUser,
  anAddress,
  at,
  aUser,
  CHOSEN,
  errorOf,
  HOUR,
  household,
  isSignedIn,
  mailsTo,
  overtakenBy,
  PASSWORD,
  people,
  rejectionOf,
  send,
  signedInAs,
  userOf,
} from "./support/accounts.ts";
import { cookieFor, jobContext, openSession, visitorContext } from "./support/client.ts";

const db = jobContext().db;

beforeEach(async () => void (await db.delete(users)));

describe("the user form", () => {
  it.each([
    [{ fullName: "A" }, "email", "Email is required"],
    [{ email: "nonsense", fullName: "A" }, "email", "Email is invalid"],
    [{ email: "a@example.com" }, "fullName", "Full name is required"],
    [{ email: "a@example.com", fullName: "A", role: "king" }, "role", "Choose a role"],
    [{ email: "a@example.com", fullName: "A", password: "short" }, "password", PASSWORD_RULES[0]?.message],
    [
      { email: "a@example.com", fullName: "A", password: "P@ssw0rd1" },
      "password",
      "This password is too easy to guess. Please choose another.",
    ],
  ])("checks %j", async (body, field, message) => {
    const { admin } = await people();
    const response = await send("POST", "/users", body, { Cookie: await cookieFor(admin) });
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toEqual({ code: "invalid", field, message });
    expect(await db.select().from(users)).toHaveLength(2);
  });

  it("refuses keys that it does not know", async () => {
    const { admin } = await people();
    const body = { ...aUser(), emailVerified: true };
    const response = await send("POST", "/users", body, { Cookie: await cookieFor(admin) });
    expect(response.status).toBe(422);
  });

  it("refuses an address that is taken, in upper or lower case, and writes nothing", async () => {
    const { admin, owner } = await people();
    const body = aUser({ email: owner.email.toUpperCase() });
    const response = await send("POST", "/users", body, { Cookie: await cookieFor(admin) });
    expect(response.status).toBe(409);
    expect(await errorOf(response)).toEqual({
      code: "conflict",
      field: "email",
      message: "Another user has this address.",
    });
    expect(await mailsTo(owner.email)).toEqual([]);
    const other = await addUser();
    const error = await rejectionOf(updateUser(signedInAs(admin), other.id, { email: owner.email }));
    expect(error).toMatchObject({ code: "conflict", field: "email" });
  });

  it("answers 201 and 200 with the user, and 204 without one", async () => {
    const { admin } = await people();
    const Cookie = await cookieFor(admin);
    const created = await send("POST", "/users", aUser(), { Cookie });
    expect(created.status).toBe(201);
    const user = (await created.json()) as UserSummary;
    expect(user).toMatchObject({ fullName: "Ada Quill", state: "invited", isYou: false });
    const updated = await send("PATCH", `/users/${user.id}`, { fullName: "B" }, { Cookie });
    expect(updated.status).toBe(200);
    const changed = (await updated.json()) as UserSummary;
    expect(changed).toEqual({ ...user, fullName: "B", updatedAt: changed.updatedAt });
    expect(changed.updatedAt).toBeGreaterThan(user.updatedAt);
    expect((await send("DELETE", `/users/${user.id}`, undefined, { Cookie })).status).toBe(204);
    expect((await send("DELETE", `/users/${user.id}`, undefined, { Cookie })).status).toBe(404);
  });
});

describe("a change that is based on an older version", () => {
  /** What the form of a user sends, with the values from when it was opened. */
  const formOf = ({ email, pendingEmail, fullName, role, updatedAt }: UserSummary) => ({
    email: pendingEmail ?? email,
    fullName,
    role,
    isActive: true,
    basedOn: updatedAt,
  });

  it.each<[string, UserChange]>([
    ["name", { fullName: "Theirs" }],
    ["address", { email: "theirs@example.net" }],
    ["role", { role: "user" }],
    ["state", { isActive: false }],
  ])("is refused, and another user's change of the %s remains", async (_what, theirs) => {
    const { admin, asOwner } = await people();
    const { id } = await addUser();
    const form = formOf(await readUser(asOwner, id));
    await updateUser(asOwner, id, theirs);
    const [before, mails] = [await userOf(id), await mailsTo(form.email)];
    const Cookie = await cookieFor(admin);
    const response = await send("PATCH", `/users/${id}`, { ...form, fullName: "Mine" }, { Cookie });
    expect(response.status).toBe(409);
    expect(await errorOf(response)).toEqual({
      code: "conflict",
      message: "This user was changed elsewhere since you opened their details.",
    });
    expect(await userOf(id)).toEqual(before);
    expect(await mailsTo(form.email)).toEqual(mails);
    const { basedOn: _basedOn, ...whatever } = form;
    expect(await updateUser(asOwner, id, whatever)).toMatchObject({
      fullName: form.fullName,
      role: form.role,
    });
  });

  it("is no conflict if it equals the stored user, and writes nothing", async () => {
    const { asOwner } = await people();
    const { id } = await addUser();
    const form = { ...formOf(await readUser(asOwner, id)), email: anAddress(), role: "user" as const };
    const saved = await updateUser(asOwner, id, form);
    expect(saved).toMatchObject({ pendingEmail: form.email, role: "user" });
    const before = await userOf(id);
    expect(await updateUser(asOwner, id, form)).toEqual(saved);
    expect(await userOf(id)).toEqual(before);
    expect(await mailsTo(form.email)).toHaveLength(1);
    expect((await rejectionOf(updateUser(asOwner, id, { ...form, password: CHOSEN }))).code).toBe("conflict");
  });

  it("is refused if a newer version is saved between its read and its write", async () => {
    const { asOwner } = await people();
    const { id } = await addUser();
    const form = formOf(await readUser(asOwner, id));
    const overtaken = overtakenBy(asOwner, async () => {
      await updateUser(asOwner, id, { fullName: "Theirs" });
    });
    const error = await rejectionOf(updateUser(overtaken, id, { ...form, fullName: "Mine" }));
    expect(error).toMatchObject({ code: "conflict", field: undefined });
    expect(error.message).toMatch(/has changed/);
    expect(await userOf(id)).toMatchObject({ fullName: "Theirs" });
  });
});

describe("sessions end immediately", () => {
  it.each<[string, UserChange]>([
    ["the user is disabled", { isActive: false }],
    ["the role changes", { role: "user" }],
    ["the password changes", { password: CHOSEN }],
  ])("when %s", async (_when, change) => {
    const { asAdmin } = await people();
    const user = await addUser({ role: "editor" });
    const Cookie = await cookieFor(user);
    expect((await send("GET", "/session", undefined, { Cookie })).status).toBe(200);
    await updateUser(asAdmin, user.id, change);
    expect((await send("GET", "/session", undefined, { Cookie })).status).toBe(401);
    expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([]);
  });

  it("when the user is deleted", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const Cookie = await cookieFor(user);
    await deleteUser(asAdmin, user.id);
    expect((await send("GET", "/session", undefined, { Cookie })).status).toBe(401);
  });

  it("but not when only the name changes", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    await updateUser(asAdmin, user.id, { fullName: "Another Name" });
    expect(await isSignedIn(token)).toBe(true);
  });
});

describe("the rights between users", () => {
  const may = { edit: true, disable: true, remove: true };
  const mayNot = { edit: false, disable: false, remove: false };
  const all: Role[] = ["super_admin", "admin", "editor", "user"];

  it.each<[Role, Role, object]>([
    ["super_admin", "super_admin", { ...may, roles: all }],
    ["super_admin", "admin", { ...may, roles: all }],
    ["super_admin", "user", { ...may, roles: all }],
    ["admin", "super_admin", { ...mayNot, roles: ["super_admin"] }],
    ["admin", "admin", { ...mayNot, roles: ["admin"] }],
    ["admin", "editor", { ...may, roles: ["editor", "user"] }],
    ["admin", "user", { ...may, roles: ["editor", "user"] }],
  ])("a %s over a %s", async (actor, role, allowed) => {
    const ctx = signedInAs(await addUser({ role: actor }));
    const { id } = await addUser({ role });
    expect((await readUser(ctx, id)).allowed).toEqual(allowed);
  });

  it.each<[string, UserChange]>([
    ["name", { fullName: "X" }],
    ["address", { email: "x@example.net" }],
    ["password", { password: CHOSEN }],
    ["role", { role: "editor" }],
    ["state", { isActive: false }],
  ])("an admin cannot change another admin's %s", async (_what, change) => {
    const { asAdmin, owner } = await people();
    const other = await addUser({ role: "admin" });
    for (const { id } of [owner, other]) {
      const before = await userOf(id);
      expect((await rejectionOf(updateUser(asAdmin, id, change))).code).toBe("forbidden");
      expect(await userOf(id)).toEqual(before);
    }
  });

  it("an admin cannot grant the role of admin, or delete an admin", async () => {
    const { asAdmin, owner } = await people();
    const editor = await addUser({ role: "editor" });
    for (const role of ["admin", "super_admin"] as const) {
      expect(await rejectionOf(createUser(asAdmin, aUser({ role })))).toMatchObject({ code: "forbidden" });
      expect(await rejectionOf(updateUser(asAdmin, editor.id, { role }))).toMatchObject({ field: "role" });
    }
    expect((await rejectionOf(deleteUser(asAdmin, owner.id))).code).toBe("forbidden");
    expect((await rejectionOf(resendInvitation(asAdmin, owner.id))).code).toBe("forbidden");
  });

  it.each<Role>(["super_admin", "admin"])("a %s cannot lock themselves out", async (role) => {
    const me = await addUser({ role });
    await addUser({ role: "super_admin" });
    const ctx = signedInAs(me);
    const before = await userOf(me.id);
    await rejectionOf(deleteUser(ctx, me.id));
    await rejectionOf(updateUser(ctx, me.id, { isActive: false }));
    await rejectionOf(updateUser(ctx, me.id, { role: "editor" }));
    // Without the current password, which changes to their own account need.
    await rejectionOf(updateUser(ctx, me.id, { password: CHOSEN }));
    expect(await userOf(me.id)).toEqual(before);
    await updateUser(ctx, me.id, { fullName: "My Own Name", role, isActive: true });
    expect(await userOf(me.id)).toMatchObject({ fullName: "My Own Name" });
  });

  it("two super admins who delete each other simultaneously leave one", async () => {
    const [one, two] = [await addUser({ role: "super_admin" }), await addUser({ role: "super_admin" })];
    const both = await Promise.allSettled([
      deleteUser(signedInAs(one), two.id),
      deleteUser(signedInAs(two), one.id),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await db.select().from(users)).toHaveLength(1);
  });

  it.each<[string, UserChange | "delete"]>([
    ["deleted", "delete"],
    ["disabled", { isActive: false }],
    ["given another role", { role: "admin" }],
  ])("the last super admin who can sign in cannot be %s by anyone", async (_how, change) => {
    const last = await addUser({ role: "super_admin" });
    await addUser({ role: "super_admin", isActive: false });
    await addUser({ role: "super_admin", emailVerified: false });
    const work =
      change === "delete" ? deleteUser(jobContext(), last.id) : updateUser(jobContext(), last.id, change);
    expect((await rejectionOf(work)).code).toBe("conflict");
    expect(await userOf(last.id)).toMatchObject({ role: "super_admin", isActive: true, stamp: last.stamp });
  });

  it.each<[string, UserChange, string]>([
    ["disabled", { isActive: false }, "isActive"],
    ["given another role", { role: "admin", isActive: true }, "role"],
  ])(
    "the last super admin, %s, is refused beside the field, without an offer to overwrite",
    async (_how, change, field) => {
      const [one, two] = [await addUser({ role: "super_admin" }), await addUser({ role: "super_admin" })];
      // The other user removes the requester's role at the same moment.
      const asOne = overtakenBy(signedInAs(one), () =>
        db.update(users).set({ role: "editor" }).where(eq(users.id, one.id)),
      );
      const { updatedAt } = await readUser(signedInAs(one), two.id);
      const message = "This is the site’s only super admin who can sign in. Add another one first.";
      const error = await rejectionOf(updateUser(asOne, two.id, { ...change, basedOn: updatedAt }));
      expect(error).toMatchObject({ code: "conflict", field, message });
      expect(await rejectionOf(updateUser(jobContext(), two.id, change))).toMatchObject({ field });
      expect(await rejectionOf(deleteUser(jobContext(), two.id))).toMatchObject({
        code: "conflict",
        message,
      });
      expect(await userOf(two.id)).toMatchObject({ role: "super_admin", isActive: true });
    },
  );

  it("an admin cannot take over an invited user who becomes super admin at the same moment", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser());
    // The promotion happens between the read and the write of the admin's change.
    const promoting = overtakenBy(asAdmin, async () => {
      await db.update(users).set({ role: "super_admin" }).where(eq(users.id, id));
    });
    const error = await rejectionOf(updateUser(promoting, id, { email: "mine@example.net" }));
    expect(error.code).toBe("conflict");
    expect(await userOf(id)).toMatchObject({ email, role: "super_admin" });
    expect(await mailsTo("mine@example.net")).toEqual([]);
  });

  it("a user changed in the meantime is not overwritten", async () => {
    const { asOwner } = await people();
    const user = await addUser();
    const both = await Promise.allSettled([
      updateUser(asOwner, user.id, { role: "user" }),
      updateUser(asOwner, user.id, { isActive: false }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("the list of users", () => {
  it("is sorted by address, in pages, and marks the current user", async () => {
    const owner = await addUser({ role: "super_admin", email: "a@example.com" });
    const now = new Date();
    const many = Array.from({ length: 60 }, (_, n) => ({
      id: `many-${n}`,
      email: `m${String(n).padStart(2, "0")}@example.com`,
      fullName: "M",
      role: "user" as const,
      isActive: true,
      emailVerified: true,
      stamp: "s",
      createdAt: now,
      updatedAt: now,
    }));
    for (let from = 0; from < many.length; from += 8)
      await db.insert(users).values(many.slice(from, from + 8));
    const ctx = signedInAs(owner);
    const first = await listUsers(ctx);
    expect(first.items).toHaveLength(50);
    expect(first.items[0]).toMatchObject({ email: "a@example.com", isYou: true });
    const second = await listUsers(ctx, { after: first.next ?? "" });
    expect(second.next).toBeNull();
    expect([...first.items, ...second.items].map(({ email }) => email)).toEqual([
      "a@example.com",
      ...many.map(({ email }) => email),
    ]);
  });

  it("shows when a user was last seen, and never a hash", async () => {
    const { owner, admin, asOwner } = await people();
    const time = Date.now() + HOUR;
    const from = { address: household(), userAgent: "" };
    const { token } = await logIn(visitorContext({ now: new Date(time), client: from }), {
      email: admin.email,
      password: PASSWORD,
    });
    const lastSeen = async () => {
      const list = await listUsers(asOwner);
      return [admin, owner].map(({ id }) => list.items.find((user) => user.id === id)?.lastSeenAt);
    };
    // The owner is here now.
    const now = asOwner.now.getTime();
    expect(await lastSeen()).toEqual([time, now]);
    const work: Promise<unknown>[] = [];
    await actorOf({ ...at(time + 2 * HOUR), later: (promise) => void work.push(promise) }, token!);
    await Promise.all(work);
    await logOut(visitorContext(), token!);
    expect(await lastSeen()).toEqual([time + 2 * HOUR, now]);
    const list = await listUsers(asOwner);
    expect(JSON.stringify(list)).not.toMatch(/scrypt|stamp/);
  });
});
