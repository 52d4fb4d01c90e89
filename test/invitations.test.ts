import { beforeEach, describe, expect, it } from "vitest";
import { logIn } from "#worker/accounts/session-commands.ts";
import { readInvitation } from "#worker/accounts/link-queries.ts";
import { acceptInvitation } from "#worker/accounts/password-commands.ts";
import { readVerification } from "#worker/accounts/link-queries.ts";
import { confirmVerification } from "#worker/accounts/setup-commands.ts";
import { users } from "#worker/accounts/table.ts";
import { readUser } from "#worker/accounts/queries.ts";
import { updateUser, createUser, resendInvitation } from "#worker/accounts/user-commands.ts";
import {
  addUser,
  anAddress,
  aUser,
  CHOSEN,
  elsewhere,
  HOUR,
  isSignedIn,
  later,
  latestToken,
  mailsTo,
  PASSWORD,
  people,
  rejectionOf,
  send,
  userOf,
} from "./support/accounts.ts";
import { jobContext, openSession, visitorContext } from "./support/client.ts";

const db = jobContext().db;

beforeEach(async () => void (await db.delete(users)));

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
    expect(await response.json()).toMatchObject({ success: true, email, isSignedIn: true });
    expect(await readUser(asAdmin, id)).toMatchObject({ state: "active" });
    const [cookie = ""] = response.headers.getSetCookie();
    const session = await send("GET", "/session", undefined, { Cookie: cookie.split(";")[0]! });
    expect(await session.json()).toMatchObject({ id, role: "user" });
    const { answer } = await logIn(elsewhere(), { email, password: CHOSEN });
    expect(answer).toMatchObject({ id, role: "user" });
  });

  it("works once, for 24 hours, and not after another was needed for a new address", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser());
    const first = await latestToken(email);
    expect(await readInvitation(later(23 * HOUR), first)).toMatchObject({ state: "ready" });
    expect(await readInvitation(later(24 * HOUR + 5000), first)).toMatchObject({ state: "expired" });
    const moved = anAddress();
    await updateUser(asAdmin, id, { email: moved });
    expect(await readInvitation(visitorContext(), first)).toMatchObject({ state: "invalid" });
    const second = await latestToken(moved);
    await acceptInvitation(visitorContext(), { token: second, password: CHOSEN });
    const used = "This invitation has already been used to choose a password. Please sign in.";
    expect(await readInvitation(visitorContext(), second)).toEqual({ state: "used", message: used });
    const again = acceptInvitation(visitorContext(), { token: second, password: "Another Choice 9" });
    expect((await rejectionOf(again)).message).toBe(used);
    await logIn(elsewhere(), { email: moved, password: CHOSEN });
  });

  it("still works after a change of role, and can be sent again", async () => {
    const { asOwner } = await people();
    const { id, email } = await createUser(asOwner, aUser());
    const first = await latestToken(email);
    await updateUser(asOwner, id, { role: "editor" });
    await resendInvitation(asOwner, id);
    expect(await mailsTo(email)).toHaveLength(2);
    await acceptInvitation(visitorContext(), { token: first, password: CHOSEN });
    expect(await readUser(asOwner, id)).toMatchObject({ state: "active", role: "editor" });
    expect(await rejectionOf(resendInvitation(asOwner, id))).toMatchObject({ code: "conflict" });
  });

  it("does not sign in a user disabled since", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser());
    const token = await latestToken(email);
    await updateUser(asAdmin, id, { isActive: false });
    expect(await readInvitation(visitorContext(), token)).toMatchObject({ state: "invalid" });
  });

  it("is not accepted as a link of another kind", async () => {
    const { asAdmin } = await people();
    const { email } = await createUser(asAdmin, aUser());
    expect(await readVerification(visitorContext(), await latestToken(email))).toMatchObject({
      state: "invalid",
    });
  });
});

describe("a user created with a password", () => {
  it("confirms the address by the email, and then signs in", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser({ password: CHOSEN, role: "editor" }));
    expect(await readUser(asAdmin, id)).toMatchObject({ state: "unverified", role: "editor" });
    await rejectionOf(logIn(elsewhere(), { email, password: CHOSEN }));
    const token = await latestToken(email);
    expect(await readVerification(visitorContext(), token)).toMatchObject({ state: "ready", kind: "user" });
    await confirmVerification(visitorContext(), { token });
    await logIn(elsewhere(), { email, password: CHOSEN });
  });

  it("stays disabled when the address is confirmed", async () => {
    const { asAdmin } = await people();
    const { id, email } = await createUser(asAdmin, aUser({ password: CHOSEN }));
    await updateUser(asAdmin, id, { isActive: false });
    await resendInvitation(asAdmin, id);
    await confirmVerification(visitorContext(), { token: await latestToken(email) });
    expect(await userOf(id)).toMatchObject({ emailVerified: true, isActive: false });
  });

  it("changed by an administrator, the old one and every session end", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    const token = await openSession(visitorContext(), user);
    await updateUser(asAdmin, user.id, { password: CHOSEN });
    expect(await isSignedIn(token)).toBe(false);
    await rejectionOf(logIn(elsewhere(), { email: user.email, password: PASSWORD }));
    await logIn(elsewhere(), { email: user.email, password: CHOSEN });
    expect((await mailsTo(user.email)).at(-1)?.subject).toContain("was changed");
  });
});
