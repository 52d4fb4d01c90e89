import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { PASSWORD_RULES, UserInput, type UserChange } from "#worker/accounts/contract.ts";
import { logIn } from "#worker/accounts/login.ts";
import { requestReset, requestVerification } from "#worker/accounts/requests.ts";
import { acceptInvitation, readInvitation, resetPassword } from "#worker/accounts/reset.ts";
import { actorOf, closeSession } from "#worker/accounts/sessions.ts";
import { confirmVerification, readVerification } from "#worker/accounts/setup.ts";
import { sessions, users } from "#worker/accounts/table.ts";
import {
  changeUser,
  createUser,
  deleteUser,
  inviteAgain,
  listUsers,
  readUser,
} from "#worker/accounts/users.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Role } from "#worker/platform/contract.ts";
import {
  addUser,
  at,
  CHOSEN,
  elsewhere,
  errorOf,
  HOUR,
  household,
  later,
  latestToken,
  mailsTo,
  PASSWORD,
  refusalOf,
  send,
  signedInAs,
  userOf,
} from "./support/accounts.ts";
import { cookieFor, jobContext, openSession, visitorContext } from "./support/client.ts";
import { deliverAll } from "./support/outbox.ts";

const db = jobContext().db;

const anAddress = () => `${crypto.randomUUID()}@example.com`;
const aUser = (values: Partial<UserInput> = {}): UserInput =>
  UserInput.parse({ email: anAddress(), fullName: "Ada Quill", ...values });
const isSignedIn = async (token: string) => (await actorOf(visitorContext(), token)).kind === "user";

beforeEach(async () => void (await db.delete(users)));

async function people() {
  const [owner, admin] = [await addUser({ role: "super_admin" }), await addUser({ role: "admin" })];
  return { owner, admin, asOwner: signedInAs(owner), asAdmin: signedInAs(admin) };
}

describe("an invitation", () => {
  it("lets a new user choose a password, and sign in with it", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser());
    expect(await readUser(asAdmin, id)).toMatchObject({ role: "user", state: "invited", lastSeenAt: null });
    const token = await latestToken(email);
    expect(await readInvitation(visitorContext(), token)).toEqual({
      state: "ready",
      email,
      fullName: "Ada Quill",
    });
    const response = await send("POST", "/invitation/confirm", { token, password: CHOSEN });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ success: true, email });
    expect(await readUser(asAdmin, id)).toMatchObject({ state: "active" });
    const { admin } = await logIn(elsewhere(), { email, password: CHOSEN });
    expect(admin).toMatchObject({ id, role: "user" });
  });

  it("works once, for 24 hours, and not after another was needed for a new address", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser());
    const first = await latestToken(email);
    expect(await readInvitation(later(24 * HOUR + 5000), first)).toMatchObject({ state: "expired" });
    const moved = anAddress();
    await changeUser(asAdmin, id, { email: moved });
    expect(await readInvitation(visitorContext(), first)).toMatchObject({ state: "invalid" });
    const second = await latestToken(moved);
    await acceptInvitation(visitorContext(), { token: second, password: CHOSEN });
    const used = "A password was chosen with this invitation already. Please sign in.";
    expect(await readInvitation(visitorContext(), second)).toEqual({ state: "used", message: used });
    const again = acceptInvitation(visitorContext(), { token: second, password: "Another Choice 9" });
    expect((await refusalOf(again)).message).toBe(used);
    await logIn(elsewhere(), { email: moved, password: CHOSEN });
  });

  it("goes on working when the role is changed, and can be sent again", async () => {
    const { asOwner } = await people();
    const { id, email } = await createUser(asOwner, aUser());
    const first = await latestToken(email);
    await changeUser(asOwner, id, { role: "editor" });
    await inviteAgain(asOwner, id);
    expect(await mailsTo(email)).toHaveLength(2);
    await acceptInvitation(visitorContext(), { token: first, password: CHOSEN });
    expect(await readUser(asOwner, id)).toMatchObject({ state: "active", role: "editor" });
    expect(await refusalOf(inviteAgain(asOwner, id))).toMatchObject({ code: "conflict" });
  });

  it("lets in nobody who was disabled meanwhile", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser());
    const token = await latestToken(email);
    await changeUser(asAdmin, id, { isActive: false });
    expect(await readInvitation(visitorContext(), token)).toMatchObject({ state: "invalid" });
  });

  it("is not taken for a link of another kind", async () => {
    const { asAdmin } = await people();
    const { email } = await createUser(asAdmin, aUser());
    expect(await readVerification(visitorContext(), await latestToken(email))).toMatchObject({
      state: "invalid",
    });
  });
});

describe("a user who is given a password", () => {
  it("confirms the address by the mail, and then signs in", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser({ password: CHOSEN, role: "editor" }));
    expect(await readUser(asAdmin, id)).toMatchObject({ state: "unverified", role: "editor" });
    await refusalOf(logIn(elsewhere(), { email, password: CHOSEN }));
    const token = await latestToken(email);
    expect(await readVerification(visitorContext(), token)).toMatchObject({ state: "ready", kind: "user" });
    await confirmVerification(visitorContext(), { token });
    await logIn(elsewhere(), { email, password: CHOSEN });
  });

  it("stays disabled when the address is confirmed", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser({ password: CHOSEN }));
    await changeUser(asAdmin, id, { isActive: false });
    await inviteAgain(asAdmin, id);
    await confirmVerification(visitorContext(), { token: await latestToken(email) });
    expect(await userOf(id)).toMatchObject({ emailVerified: true, isActive: false });
  });

  it("changed by an administrator, the old one and every session end", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    await changeUser(asAdmin, user.id, { password: CHOSEN });
    expect(await isSignedIn(token)).toBe(false);
    await refusalOf(logIn(elsewhere(), { email: user.email, password: PASSWORD }));
    await logIn(elsewhere(), { email: user.email, password: CHOSEN });
    expect((await mailsTo(user.email)).at(-1)?.subject).toContain("was changed");
  });
});

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
      "This password is among the first that anybody would try. Please choose another.",
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

  it("refuses an address that somebody has, in any case, and writes nothing", async () => {
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
    const refusal = await refusalOf(changeUser(signedInAs(admin), other.id, { email: owner.email }));
    expect(refusal).toMatchObject({ code: "conflict", field: "email" });
  });

  it("answers in the catalogue's words", async () => {
    const { admin } = await people();
    const Cookie = await cookieFor(admin);
    const created = await send("POST", "/users", aUser(), { Cookie });
    expect(created.status).toBe(201);
    const { message, user } = (await created.json()) as { message: string; user: { id: string } };
    expect(message).toBe("User created successfully!");
    const updated = await send("PATCH", `/users/${user.id}`, { fullName: "B" }, { Cookie });
    expect(await updated.json()).toMatchObject({ success: true, message: "User updated successfully!" });
    expect((await send("DELETE", `/users/${user.id}`, undefined, { Cookie })).status).toBe(204);
    expect((await send("DELETE", `/users/${user.id}`, undefined, { Cookie })).status).toBe(404);
  });
});

describe("a confirmed address", () => {
  it("stays until the new one is confirmed by the link that went there", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const moved = anAddress();
    const session = await openSession(visitorContext(), user);
    await changeUser(asAdmin, user.id, { email: moved });
    expect(await readUser(asAdmin, user.id)).toMatchObject({ email: user.email, pendingEmail: moved });
    expect(await isSignedIn(session)).toBe(true);
    expect((await mailsTo(user.email)).at(-1)?.text).toContain(moved);
    const token = await latestToken(moved);
    expect(await readVerification(visitorContext(), token)).toEqual({
      state: "ready",
      kind: "address",
      email: moved,
      fullName: user.fullName,
    });
    expect(await userOf(user.id)).toMatchObject({ email: user.email });
    await confirmVerification(visitorContext(), { token });
    expect(await readUser(asAdmin, user.id)).toMatchObject({ email: moved, pendingEmail: null });
    expect(await isSignedIn(session)).toBe(false);
    expect(await readVerification(visitorContext(), token)).toMatchObject({ state: "used" });
    await logIn(elsewhere(), { email: moved, password: PASSWORD });
  });

  it("is confirmed by the latest link alone", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const [first, second] = [anAddress(), anAddress()];
    await changeUser(asAdmin, user.id, { email: first });
    const stale = await latestToken(first);
    await changeUser(asAdmin, user.id, { email: second });
    expect(await readVerification(visitorContext(), stale)).toMatchObject({ state: "invalid" });
    await changeUser(asAdmin, user.id, { email: user.email });
    expect(await readUser(asAdmin, user.id)).toMatchObject({ pendingEmail: null });
    await refusalOf(confirmVerification(visitorContext(), { token: await latestToken(second) }));
  });

  it("one's own is changed with the present password only, and not among the users", async () => {
    const { admin } = await people();
    const Cookie = await cookieFor(admin);
    const moved = anAddress();
    const among = await send("PATCH", `/users/${admin.id}`, { email: moved }, { Cookie });
    expect(among.status).toBe(403);
    expect(await errorOf(among)).toMatchObject({ field: "email" });
    const change = (currentPassword: string) =>
      send("POST", "/account/email", { email: moved, currentPassword }, { Cookie });
    expect(await errorOf(await change("wrong"))).toMatchObject({ field: "currentPassword" });
    expect(await mailsTo(moved)).toEqual([]);
    expect((await change(PASSWORD)).status).toBe(200);
    const account = await send("GET", "/account", undefined, { Cookie });
    expect(await account.json()).toMatchObject({ account: { email: admin.email, pendingEmail: moved } });
    const body = { email: admin.email, currentPassword: PASSWORD };
    const kept = await send("POST", "/account/email", body, { Cookie });
    expect(await kept.json()).toEqual({ success: true, message: "Your address stays as it is." });
    await refusalOf(confirmVerification(visitorContext(), { token: await latestToken(moved) }));
    expect((await change(PASSWORD)).status).toBe(200);
    await confirmVerification(visitorContext(), { token: await latestToken(moved) });
    await logIn(elsewhere(), { email: moved, password: PASSWORD });
  });

  it("that waits is written to again when asked for, and given up when the password is reset", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const moved = anAddress();
    await changeUser(asAdmin, user.id, { email: moved });
    await inviteAgain(asAdmin, user.id);
    await requestVerification(elsewhere(), { email: moved });
    await deliverAll();
    expect(await mailsTo(moved)).toHaveLength(3);
    await requestReset(elsewhere(), { email: user.email });
    await deliverAll();
    await resetPassword(elsewhere(), { token: await latestToken(user.email), password: CHOSEN });
    expect(await userOf(user.id)).toMatchObject({ pendingEmail: null });
  });

  it("is refused where somebody else has it by then", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const wanted = anAddress();
    await changeUser(asAdmin, user.id, { email: wanted });
    await addUser({ email: wanted });
    const refusal = await refusalOf(
      confirmVerification(visitorContext(), { token: await latestToken(wanted) }),
    );
    expect(refusal).toMatchObject({ code: "conflict", field: "email" });
    expect(await userOf(user.id)).toMatchObject({ email: user.email, pendingEmail: wanted });
  });
});

describe("sessions end at once", () => {
  it.each<[string, UserChange]>([
    ["the user is disabled", { isActive: false }],
    ["the role changes", { role: "user" }],
    ["the password changes", { password: CHOSEN }],
  ])("when %s", async (_when, change) => {
    const { asAdmin } = await people();
    const user = await addUser({ role: "editor" });
    const Cookie = await cookieFor(user);
    expect((await send("GET", "/session", undefined, { Cookie })).status).toBe(200);
    await changeUser(asAdmin, user.id, change);
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
    await changeUser(asAdmin, user.id, { fullName: "Another Name" });
    expect(await isSignedIn(token)).toBe(true);
  });
});

describe("who may look after whom", () => {
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
  ])("an admin changes no other admin's %s", async (_what, change) => {
    const { asAdmin, owner } = await people();
    const other = await addUser({ role: "admin" });
    for (const { id } of [owner, other]) {
      const before = await userOf(id);
      expect((await refusalOf(changeUser(asAdmin, id, change))).code).toBe("forbidden");
      expect(await userOf(id)).toEqual(before);
    }
  });

  it("an admin gives nobody the role of an admin, and deletes none", async () => {
    const { asAdmin, owner } = await people();
    const editor = await addUser({ role: "editor" });
    for (const role of ["admin", "super_admin"] as const) {
      expect(await refusalOf(createUser(asAdmin, aUser({ role })))).toMatchObject({ code: "forbidden" });
      expect(await refusalOf(changeUser(asAdmin, editor.id, { role }))).toMatchObject({ field: "role" });
    }
    expect((await refusalOf(deleteUser(asAdmin, owner.id))).code).toBe("forbidden");
    expect((await refusalOf(inviteAgain(asAdmin, owner.id))).code).toBe("forbidden");
  });

  it.each<Role>(["super_admin", "admin"])("a %s cannot lock themselves out", async (role) => {
    const me = await addUser({ role });
    await addUser({ role: "super_admin" });
    const ctx = signedInAs(me);
    const before = await userOf(me.id);
    await refusalOf(deleteUser(ctx, me.id));
    await refusalOf(changeUser(ctx, me.id, { isActive: false }));
    await refusalOf(changeUser(ctx, me.id, { role: "editor" }));
    // Without the present password, which their own account asks for.
    await refusalOf(changeUser(ctx, me.id, { password: CHOSEN }));
    expect(await userOf(me.id)).toEqual(before);
    await changeUser(ctx, me.id, { fullName: "My Own Name", role, isActive: true });
    expect(await userOf(me.id)).toMatchObject({ fullName: "My Own Name" });
  });

  it("two super admins who delete each other at the same moment leave one", async () => {
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
  ])("the last super admin who can sign in is not %s, whoever asks", async (_how, change) => {
    const last = await addUser({ role: "super_admin" });
    await addUser({ role: "super_admin", isActive: false });
    await addUser({ role: "super_admin", emailVerified: false });
    const work =
      change === "delete" ? deleteUser(jobContext(), last.id) : changeUser(jobContext(), last.id, change);
    expect((await refusalOf(work)).code).toBe("conflict");
    expect(await userOf(last.id)).toMatchObject({ role: "super_admin", isActive: true, stamp: last.stamp });
  });

  it("an admin does not take over somebody invited who is made super admin at the same moment", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser());
    // The promotion lands between what the admin's change has read and what it writes.
    const promoting: Context = { ...asAdmin, kv: { ...asAdmin.kv } as KVNamespace };
    promoting.kv.get = (async () => {
      await db.update(users).set({ role: "super_admin" }).where(eq(users.id, id));
      return null;
    }) as unknown as KVNamespace["get"];
    promoting.kv.put = async () => {};
    const refusal = await refusalOf(changeUser(promoting, id, { email: "mine@example.net" }));
    expect(refusal.code).toBe("conflict");
    expect(await userOf(id)).toMatchObject({ email, role: "super_admin" });
    expect(await mailsTo("mine@example.net")).toEqual([]);
  });

  it("a user who was changed meanwhile is not overwritten", async () => {
    const { asOwner } = await people();
    const user = await addUser();
    const both = await Promise.allSettled([
      changeUser(asOwner, user.id, { role: "user" }),
      changeUser(asOwner, user.id, { isActive: false }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("the list of users", () => {
  it("goes by address, in pages, and marks who asks", async () => {
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
    expect(first.users).toHaveLength(50);
    expect(first.users[0]).toMatchObject({ email: "a@example.com", isYou: true });
    const second = await listUsers(ctx, { after: first.next ?? "" });
    expect(second.next).toBeNull();
    expect([...first.users, ...second.users].map(({ email }) => email)).toEqual([
      "a@example.com",
      ...many.map(({ email }) => email),
    ]);
  });

  it("says when somebody was last seen, and never tells a hash", async () => {
    const { owner, admin, asOwner } = await people();
    const time = Date.now() + HOUR;
    const from = { address: household(), userAgent: "" };
    const { token } = await logIn(visitorContext({ now: new Date(time), client: from }), {
      email: admin.email,
      password: PASSWORD,
    });
    const lastSeen = async () => {
      const list = await listUsers(asOwner);
      return [admin, owner].map(({ id }) => list.users.find((user) => user.id === id)?.lastSeenAt);
    };
    expect(await lastSeen()).toEqual([time, null]);
    const work: Promise<unknown>[] = [];
    await actorOf({ ...at(time + 2 * HOUR), later: (promise) => void work.push(promise) }, token);
    await Promise.all(work);
    await closeSession(visitorContext(), token);
    expect(await lastSeen()).toEqual([time + 2 * HOUR, null]);
    const list = await listUsers(asOwner);
    expect(JSON.stringify(list)).not.toMatch(/scrypt|stamp/);
  });
});
