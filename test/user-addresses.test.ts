import { beforeEach, describe, expect, it } from "vitest";
import { changeAddress } from "#worker/accounts/account-commands.ts";
import type { Role } from "#worker/access/contract.ts";
import type { UserChange } from "#worker/accounts/contract.ts";
import { logIn } from "#worker/accounts/session-commands.ts";
import { requestReset, requestVerification } from "#worker/accounts/request-commands.ts";
import { resetPassword } from "#worker/accounts/password-commands.ts";
import { readVerification } from "#worker/accounts/link-queries.ts";
import { confirmVerification } from "#worker/accounts/setup-commands.ts";
import { users } from "#worker/accounts/table.ts";
import { readUser } from "#worker/accounts/queries.ts";
import { updateUser, resendInvitation } from "#worker/accounts/user-commands.ts";
import {
  addUser,
  anAddress,
  CHOSEN,
  elsewhere,
  errorOf,
  isSignedIn,
  latestToken,
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
import { deliverAll } from "./support/outbox.ts";

const db = jobContext().db;

beforeEach(async () => void (await db.delete(users)));

describe("a confirmed address", () => {
  it("is not replaced until the new one is confirmed by the link sent there", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const moved = anAddress();
    const session = await openSession(visitorContext(), user);
    await updateUser(asAdmin, user.id, { email: moved });
    expect(await readUser(asAdmin, user.id)).toMatchObject({ email: user.email, pendingEmail: moved });
    expect(await isSignedIn(session)).toBe(true);
    expect((await mailsTo(user.email)).at(-1)?.text).toContain(moved);
    const token = await latestToken(moved);
    expect(await readVerification(visitorContext(), token)).toEqual({
      state: "ready",
      kind: "address",
      email: moved,
      fullName: user.fullName,
      needsPassword: false,
    });
    expect(await userOf(user.id)).toMatchObject({ email: user.email });
    await confirmVerification(visitorContext(), { token });
    expect(await readUser(asAdmin, user.id)).toMatchObject({ email: moved, pendingEmail: null });
    expect(await isSignedIn(session)).toBe(false);
    expect(await readVerification(visitorContext(), token)).toMatchObject({ state: "used" });
    await logIn(elsewhere(), { email: moved, password: PASSWORD });
  });

  it("is only confirmed by the latest link", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const [first, second] = [anAddress(), anAddress()];
    await updateUser(asAdmin, user.id, { email: first });
    const stale = await latestToken(first);
    await updateUser(asAdmin, user.id, { email: second });
    expect(await readVerification(visitorContext(), stale)).toMatchObject({ state: "invalid" });
    await updateUser(asAdmin, user.id, { email: user.email });
    expect(await readUser(asAdmin, user.id)).toMatchObject({ pendingEmail: null });
    await rejectionOf(confirmVerification(visitorContext(), { token: await latestToken(second) }));
  });

  it("of the current user is only changed with the current password, and not in the list of users", async () => {
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
    expect(await account.json()).toMatchObject({ email: admin.email, pendingEmail: moved });
    const body = { email: admin.email, currentPassword: PASSWORD };
    const kept = await send("POST", "/account/email", body, { Cookie });
    expect(await kept.json()).toMatchObject({ email: admin.email, pendingEmail: null });
    await rejectionOf(confirmVerification(visitorContext(), { token: await latestToken(moved) }));
    expect((await change(PASSWORD)).status).toBe(200);
    await confirmVerification(visitorContext(), { token: await latestToken(moved) });
    await logIn(elsewhere(), { email: moved, password: PASSWORD });
  });

  it("that waits gets another link on request, and is dropped when the password is reset", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const moved = anAddress();
    await updateUser(asAdmin, user.id, { email: moved });
    await resendInvitation(asAdmin, user.id);
    await requestVerification(elsewhere(), { email: moved });
    await deliverAll();
    expect(await mailsTo(moved)).toHaveLength(3);
    await requestReset(elsewhere(), { email: user.email });
    await deliverAll();
    await resetPassword(elsewhere(), { token: await latestToken(user.email), password: CHOSEN });
    expect(await userOf(user.id)).toMatchObject({ pendingEmail: null });
  });

  it.each<[string, UserChange]>([
    ["another password", { password: CHOSEN }],
    ["another role", { role: "user" }],
    ["disabling the account", { isActive: false }],
  ])("that waits is dropped by %s, and gets no further link", async (_what, change) => {
    const { asAdmin } = await people();
    const user = await addUser();
    const moved = anAddress();
    await changeAddress(signedInAs(user), { email: moved, currentPassword: PASSWORD });
    // The form sends the address that it shows.
    await updateUser(asAdmin, user.id, { email: moved, ...change });
    await requestVerification(elsewhere(), { email: moved });
    await deliverAll();
    expect(await mailsTo(moved)).toHaveLength(1);
    expect(await userOf(user.id)).toMatchObject({ email: user.email, pendingEmail: null });
  });

  it("may be changed together with a new password, and is then confirmed by its own link", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const [first, second] = [anAddress(), anAddress()];
    await updateUser(asAdmin, user.id, { email: first });
    await updateUser(asAdmin, user.id, { email: second, password: CHOSEN });
    expect(await userOf(user.id)).toMatchObject({ email: user.email, pendingEmail: second });
    await confirmVerification(visitorContext(), { token: await latestToken(second) });
    await logIn(elsewhere(), { email: second, password: CHOSEN });
  });

  it("is not confirmed if the change is dropped at the same moment", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const moved = anAddress();
    await updateUser(asAdmin, user.id, { email: moved });
    const late = overtakenBy(visitorContext(), () => updateUser(asAdmin, user.id, { email: user.email }));
    const error = await rejectionOf(confirmVerification(late, { token: await latestToken(moved) }));
    expect(error.code).toBe("invalid");
    expect(await userOf(user.id)).toMatchObject({ email: user.email, pendingEmail: null });
  });

  it("is refused if another user has taken it in the meantime", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const wanted = anAddress();
    await updateUser(asAdmin, user.id, { email: wanted });
    await addUser({ email: wanted });
    const error = await rejectionOf(
      confirmVerification(visitorContext(), { token: await latestToken(wanted) }),
    );
    expect(error).toMatchObject({ code: "conflict", field: "email" });
    expect(await userOf(user.id)).toMatchObject({ email: user.email, pendingEmail: wanted });
  });
});

describe("a user's new address that another user has", () => {
  const change = async (user: Awaited<ReturnType<typeof addUser>>, email: string) => {
    const body = { email, currentPassword: PASSWORD };
    return send("POST", "/account/email", body, { Cookie: await cookieFor(user) });
  };

  it.each<Role>(["user", "editor"])(
    "gets the same response as a free one for the role %s, and its mailbox is notified",
    async (role) => {
      const [me, other] = [await addUser({ role }), await addUser()];
      const free = anAddress();
      const answerOf = async (email: string) => {
        const same = (text = "") => text.replace(email, "the new one").replace(/token=\S+/, "token=");
        const response = await change(me, email);
        return [response.status, same(await response.text()), same((await mailsTo(me.email)).at(-1)?.text)];
      };
      expect(await answerOf(other.email)).toEqual(await answerOf(free));
      const [notice, ...more] = await mailsTo(other.email);
      expect(more).toEqual([]);
      expect(notice?.text).toContain("nothing changes");
      expect(notice?.text).not.toContain("token=");
      expect(await mailsTo(free)).toHaveLength(1);
      expect(await userOf(other.id)).toMatchObject({ email: other.email, stamp: other.stamp });
      await logIn(elsewhere(), { email: other.email, password: PASSWORD });
      await logIn(elsewhere(), { email: me.email, password: PASSWORD });
    },
  );

  it("is refused to admins, who see the list of users anyway", async () => {
    const { admin } = await people();
    const other = await addUser();
    const response = await change(admin, other.email);
    expect(response.status).toBe(409);
    expect(await errorOf(response)).toMatchObject({
      field: "email",
      message: "Another user has this address.",
    });
    expect(await mailsTo(other.email)).toEqual([]);
  });

  it("is accepted in the form of an admin who changes another field", async () => {
    const { asAdmin } = await people();
    const [me, other] = [await addUser(), await addUser()];
    await change(me, other.email);
    await updateUser(asAdmin, me.id, { email: other.email, fullName: "Renamed" });
    expect(await userOf(me.id)).toMatchObject({ fullName: "Renamed", pendingEmail: other.email });
  });

  it("does not prevent the confirmation email of the other user's account", async () => {
    await people();
    const me = await addUser();
    const other = await addUser({ emailVerified: false });
    await change(me, other.email);
    await requestVerification(elsewhere(), { email: other.email });
    await deliverAll();
    const token = await latestToken(other.email);
    expect(await readVerification(visitorContext(), token)).toMatchObject({ kind: "user" });
    await confirmVerification(visitorContext(), { token });
    expect(await userOf(other.id)).toMatchObject({ emailVerified: true });
  });
});
