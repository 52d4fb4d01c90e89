import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { memberCookieOf, sessionCookieOf } from "#worker/accounts/cookie.ts";
import {
  addPasskey,
  signInByPasskey,
  startPasskey,
  startPasskeySignIn,
} from "#worker/accounts/passkey-commands.ts";
import { passkeys } from "#worker/accounts/table.ts";
import type { Mail } from "#worker/mail/message.ts";
import { deleteAccount, signInMember, signOutEverywhere } from "#worker/members/account/commands.ts";
import {
  addMemberPasskey,
  deleteMemberPasskey,
  renameMemberPasskey,
  signInMemberByPasskey,
  startMemberPasskey,
  startMemberPasskeySignIn,
} from "#worker/members/account/passkey-commands.ts";
import { readAccount } from "#worker/members/account/queries.ts";
import { deleteMember, endMember } from "#worker/members/owner-commands.ts";
import { MOST_DEVICES } from "#worker/members/sessions.ts";
import { memberPasskeys, memberSessions } from "#worker/members/table.ts";
import { deletePerson } from "#worker/people/commands.ts";
import { outbox } from "#worker/platform/table.ts";
import type { Passkey, PasskeySignIn } from "#worker/webauthn/contract.ts";
import {
  addUser,
  elsewhere,
  errorOf,
  openSessionOf,
  overtakenBy,
  rejectionOf,
  signedInAs,
} from "./support/accounts.ts";
import { makeAuthenticator, type Authenticator, type Ceremony } from "./support/authenticator.ts";
import { fetchSite, jobContext, ownerContext, SITE } from "./support/client.ts";
import { aSignedInMember, linkFor, setAccounts } from "./support/members.ts";
import { household, jobs, visitorContext } from "./support/newsletter.ts";
import { forgetRates } from "./support/rates.ts";

const { db } = jobContext();
const MINUTE = 60_000;
const later = (milliseconds: number) => visitorContext({ jobs, now: new Date(Date.now() + milliseconds) });
const CHROME =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

beforeAll(() => setAccounts(true));
beforeEach(forgetRates);

const send = (
  method: string,
  path: string,
  { cookie = "", body, ...headers }: { cookie?: string; body?: unknown; "User-Agent"?: string } = {},
) =>
  fetchSite(`/api/member${path}`, {
    method,
    headers: {
      ...headers,
      ...(cookie && { Cookie: cookie }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      "CF-Connecting-IP": household(),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Adds the authenticator's passkey to the account of the session. */
async function add(token: string, authenticator: Authenticator, ceremony: Ceremony = {}) {
  const ctx = visitorContext({ jobs });
  return addMemberPasskey(
    ctx,
    token,
    await authenticator.create(await startMemberPasskey(ctx, token), ceremony),
  );
}

/** A signed-in member with a passkey. */
async function withPasskey(ceremony: Ceremony = {}) {
  const member = await aSignedInMember();
  const authenticator = await makeAuthenticator();
  const passkey = await add(member.token, authenticator, ceremony);
  return { ...member, authenticator, passkey };
}

/** Signs in, each time from another address. */
async function signIn(authenticator: Authenticator, ceremony: Ceremony = {}, ctx = elsewhere()) {
  return signInMemberByPasskey(ctx, await authenticator.get(await startMemberPasskeySignIn(ctx), ceremony));
}

/** A user of the admin area with a passkey. */
async function aUserWithPasskey() {
  const user = await addUser({ role: "super_admin" });
  await openSessionOf(user);
  const authenticator = await makeAuthenticator();
  const ctx = signedInAs(user);
  await addPasskey(ctx, await authenticator.create(await startPasskey(ctx)));
  return { user, authenticator };
}

const storedOf = async ({ id }: Passkey) =>
  (await db.select().from(memberPasskeys).where(eq(memberPasskeys.id, id)))[0];

/** The notices about passkeys that a member gets. */
async function noticesTo(email: string) {
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(
      sql`${outbox.payload} ->> '$.to' = ${email} and ${outbox.payload} ->> '$.subject' like '%passkey%'`,
    )
    .orderBy(sql`rowid`);
  return rows.map(({ payload }) => payload as Mail);
}

const signsIn = async (token: string | undefined) => (await readAccount(visitorContext(), token)) !== null;

describe("adding a passkey to a member's account", () => {
  it("stores the key under the device's name, and mails a notice that says how to undo it", async () => {
    const { cookie, email } = await aSignedInMember();
    const options = await send("POST", "/passkeys/options", { cookie });
    expect(options.status).toBe(200);
    const asked = await options.json<{ challenge: string; user: { id: string } }>();
    expect(asked).toMatchObject({
      rp: { id: "localhost" },
      user: { name: email },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [],
      attestation: "none",
    });
    const authenticator = await makeAuthenticator();
    const body = await authenticator.create(asked);
    const added = await send("POST", "/passkeys", { cookie, body, "User-Agent": CHROME });
    expect([added.status, await added.json()]).toMatchObject([
      201,
      { credentialId: authenticator.id, name: "Chrome on macOS", lastUsedAt: null },
    ]);
    const [notice, ...others] = await noticesTo(email);
    expect(others).toEqual([]);
    expect(notice!.subject).toMatch(/^A passkey was added to your account at /);
    expect(notice!.text).toContain("The passkey “Chrome on macOS” can now sign in");
    expect(notice!.text).toContain("Chrome on macOS, ");
    expect(notice!.text).toContain(
      "sign in with a link by email, remove this passkey, and sign out everywhere",
    );
    expect(notice!.link).toMatch(/\/account$/);
  });

  it("needs a sign-in within the last ten minutes, and a new one is enough", async () => {
    const { token, email } = await aSignedInMember();
    expect((await startMemberPasskey(later(9 * MINUTE), token)).challenge).toBeTruthy();
    const late = later(11 * MINUTE);
    expect((await readAccount(late, token))!.passkeys.mayChange).toBe(false);
    expect((await rejectionOf(startMemberPasskey(late, token))).code).toBe("reauthentication_required");
    const next = await signInMember(late, { token: await linkFor(email, late.now) }, token);
    expect((await readAccount(late, next))!.passkeys.mayChange).toBe(true);
    expect((await startMemberPasskey(late, next)).challenge).toBeTruthy();
  });

  it("is answered with 403 where the sign-in is older", async () => {
    const { id, cookie } = await aSignedInMember();
    const before = new Date(Date.now() - 11 * MINUTE);
    await db.update(memberSessions).set({ createdAt: before }).where(eq(memberSessions.memberId, id));
    for (const [method, path] of [
      ["POST", "/passkeys/options"],
      ["DELETE", "/passkeys/some"],
    ] as const) {
      const refused = await send(method, path, { cookie });
      expect([refused.status, await errorOf(refused)]).toMatchObject([
        403,
        { code: "reauthentication_required" },
      ]);
    }
  });

  it.each<[string, Ceremony]>([
    ["another origin", { origin: "https://evil.example" }],
    ["another site’s id", { rpId: "evil.example" }],
    ["a member who was not verified", { isVerified: false }],
    ["the answer to a sign-in", { type: "webauthn.get" }],
  ])("refuses %s", async (_, ceremony) => {
    const { token, email } = await aSignedInMember();
    expect(await rejectionOf(add(token, await makeAuthenticator(), ceremony))).toMatchObject({
      code: "invalid",
      message: "Your browser’s answer isn’t valid for this site. Please try again.",
    });
    expect((await readAccount(visitorContext(), token))!.passkeys.items).toEqual([]);
    expect(await noticesTo(email)).toEqual([]);
  });

  it("refuses a challenge that has expired, was used, is of a sign-in, or was given to another session", async () => {
    const { token, email } = await aSignedInMember();
    const authenticator = await makeAuthenticator();
    const ctx = visitorContext({ jobs });
    const options = await startMemberPasskey(ctx, token);
    const answer = await authenticator.create(options);
    const late = await rejectionOf(addMemberPasskey(later(11 * MINUTE), token, answer));
    expect(late.message).toMatch(/^That took too long/);
    const second = await signInMember(ctx, { token: await linkFor(email) });
    const other = await aSignedInMember();
    for (const foreign of [second, other.token]) {
      const given = await authenticator.create(await startMemberPasskey(ctx, token));
      expect((await rejectionOf(addMemberPasskey(ctx, foreign, given))).code).toBe("invalid");
    }
    const { challenge } = await startMemberPasskeySignIn(ctx);
    const crossed = await authenticator.create({ ...options, challenge });
    expect((await rejectionOf(addMemberPasskey(ctx, token, crossed))).code).toBe("invalid");
    await addMemberPasskey(ctx, token, answer);
    expect((await rejectionOf(addMemberPasskey(ctx, token, answer))).message).toMatch(/already used/);
  });

  it("refuses a credential that is stored, also for another member", async () => {
    const { authenticator } = await withPasskey();
    const { token, email } = await aSignedInMember();
    expect(await rejectionOf(add(token, authenticator))).toMatchObject({
      code: "conflict",
      message: "This passkey was already added.",
    });
    expect(await noticesTo(email)).toEqual([]);
  });

  it("refuses the 21st, also if two are added at the same time", async () => {
    const { token, email } = await aSignedInMember();
    for (let n = 0; n < 19; n++) {
      await forgetRates();
      await add(token, await makeAuthenticator());
    }
    await forgetRates();
    const ctx = visitorContext({ jobs });
    const answers = [];
    for (let n = 0; n < 2; n++)
      answers.push(await (await makeAuthenticator()).create(await startMemberPasskey(ctx, token)));
    const results = await Promise.allSettled(answers.map((answer) => addMemberPasskey(ctx, token, answer)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await rejectionOf(startMemberPasskey(ctx, token))).toMatchObject({
      code: "conflict",
      message: "You already have 20 passkeys. Remove one to make room.",
    });
    expect(await noticesTo(email)).toHaveLength(20);
  });

  it("is refused if the session ends while it runs", async () => {
    const { token, id } = await aSignedInMember();
    const answer = await (
      await makeAuthenticator()
    ).create(await startMemberPasskey(visitorContext(), token));
    const ctx = overtakenBy(visitorContext({ jobs }), () =>
      db.delete(memberSessions).where(eq(memberSessions.memberId, id)),
    );
    expect((await rejectionOf(addMemberPasskey(ctx, token, answer))).code).toBe("unauthenticated");
    expect(await db.$count(memberPasskeys, eq(memberPasskeys.memberId, id))).toBe(0);
  });

  it("and removing it, again and again, mails five notices of each an hour", async () => {
    const { token, email } = await aSignedInMember();
    for (let n = 0; n < 5; n++) {
      const { id } = await add(token, await makeAuthenticator());
      await deleteMemberPasskey(visitorContext({ jobs }), token, id);
    }
    expect(await rejectionOf(add(token, await makeAuthenticator()))).toMatchObject({
      code: "too_many",
      message: "You have added several passkeys. Wait an hour, then add another one.",
    });
    expect(await noticesTo(email)).toHaveLength(10);
  });
});

describe("a member who signs in by a passkey", () => {
  it("gets a session as by the link, which replaces this browser's former one, and the account shows the use", async () => {
    const { cookie, token, email, authenticator, id } = await withPasskey();
    const options = await send("GET", "/session/passkey");
    const asked = await options.json<{ challenge: string }>();
    expect(asked).toMatchObject({ rpId: "localhost", allowCredentials: [], userVerification: "required" });
    expect(JSON.stringify(asked)).not.toContain(email);
    const answer = await send("POST", "/session/passkey", { cookie, body: await authenticator.get(asked) });
    expect(answer.status).toBe(204);
    const [set] = answer.headers.getSetCookie();
    expect(set).toMatch(
      new RegExp(
        `^${memberCookieOf(SITE).name}=[\\w-]{43}; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax$`,
      ),
    );
    expect(await signsIn(token)).toBe(false);
    const account = await (
      await send("GET", "", { cookie: set!.split(";")[0]! })
    ).json<{
      account: { email: string; passkeys: { items: Passkey[]; mayChange: boolean } };
    }>();
    expect(account).toMatchObject({
      account: { email, passkeys: { mayChange: true, items: [{ lastUsedAt: expect.any(Number) }] } },
    });
    expect(await db.$count(memberSessions, eq(memberSessions.memberId, id))).toBe(1);
  });

  it("has as many sessions as by the link", async () => {
    const { authenticator, id } = await withPasskey();
    for (let device = 0; device < MOST_DEVICES + 2; device++) await signIn(authenticator);
    expect(await db.$count(memberSessions, eq(memberSessions.memberId, id))).toBe(MOST_DEVICES);
  });

  it("may sign in after the membership has ended, as by the link", async () => {
    const { authenticator, id } = await withPasskey();
    await endMember(ownerContext(), id);
    expect(await signsIn(await signIn(authenticator))).toBe(true);
  });

  it.each<[string, Ceremony]>([
    ["another origin", { origin: "https://evil.example" }],
    ["another site’s id", { rpId: "evil.example" }],
    ["a member who was not verified", { isVerified: false }],
    ["the answer to an addition", { type: "webauthn.create" }],
  ])("is refused for %s", async (_, ceremony) => {
    const { authenticator, id } = await withPasskey();
    expect(await rejectionOf(signIn(authenticator, ceremony))).toMatchObject({
      code: "unauthenticated",
      message: "This passkey can’t sign in. Ask for a link by email, or use another passkey.",
    });
    expect(await db.$count(memberSessions, eq(memberSessions.memberId, id))).toBe(1);
  });

  it("is refused for an answer that was changed", async () => {
    const { authenticator } = await withPasskey();
    const other = await withPasskey();
    const change = async (changed: (answer: PasskeySignIn) => Partial<PasskeySignIn>) => {
      const answer = await authenticator.get(await startMemberPasskeySignIn(visitorContext()));
      return (await rejectionOf(signInMemberByPasskey(elsewhere(), { ...answer, ...changed(answer) }))).code;
    };
    const stranger = await (await makeAuthenticator()).get(await startMemberPasskeySignIn(visitorContext()));
    expect(await change(() => ({ signature: stranger.signature }))).toBe("unauthenticated");
    expect(await change(() => ({ id: other.authenticator.id }))).toBe("unauthenticated");
    expect(await change(() => ({ userHandle: "bWVtYmVyOjA" }))).toBe("unauthenticated");
    expect(await change(() => ({ clientDataJSON: "e30" }))).toBe("invalid");
  });

  it("uses a challenge once, within ten minutes", async () => {
    const { authenticator } = await withPasskey();
    const answer = await authenticator.get(await startMemberPasskeySignIn(visitorContext()));
    expect((await rejectionOf(signInMemberByPasskey(later(11 * MINUTE), answer))).code).toBe("invalid");
    const results = await Promise.allSettled([1, 2, 3].map(() => signInMemberByPasskey(elsewhere(), answer)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("is refused for a counter that goes back or stays, and stays signed out", async () => {
    const { authenticator, passkey, id } = await withPasskey({ counter: 5 });
    await signIn(authenticator, { counter: 7 });
    for (const counter of [0, 6, 7])
      expect((await rejectionOf(signIn(authenticator, { counter }))).code).toBe("unauthenticated");
    expect((await storedOf(passkey))?.counter).toBe(7);
    expect(await db.$count(memberSessions, eq(memberSessions.memberId, id))).toBe(2);
    await signIn(authenticator, { counter: 8 });
  });

  it("may use a key whose counter is always zero, as a synced one's", async () => {
    const { authenticator } = await withPasskey();
    await signIn(authenticator);
    await signIn(authenticator);
  });

  it("is answered alike whether or not a removed passkey's member exists", async () => {
    const [removed, erased] = [await withPasskey(), await withPasskey()];
    await deleteMemberPasskey(visitorContext({ jobs }), removed.token, removed.passkey.id);
    await deleteAccount(visitorContext(), erased.token);
    const stranger = await makeAuthenticator();
    const answers = [];
    for (const [authenticator, user] of [
      [removed.authenticator],
      [erased.authenticator],
      [stranger, "bWVtYmVyOjE"],
    ] as const) {
      const asked = await (await send("GET", "/session/passkey")).json<{ challenge: string }>();
      const body = await authenticator.get(asked, user ? { user } : {});
      const answer = await send("POST", "/session/passkey", { body });
      answers.push([answer.status, await errorOf(answer)]);
    }
    const unknown = [
      404,
      {
        code: "not_found",
        message:
          "This passkey doesn’t open an account here. It may have been removed. Ask for a link by email.",
      },
    ];
    expect(answers).toEqual([unknown, unknown, unknown]);
  });

  it("is refused if the passkey is removed while it signs in, and the former session stays", async () => {
    const { authenticator, passkey, token, id } = await withPasskey();
    const answer = await authenticator.get(await startMemberPasskeySignIn(visitorContext()));
    const ctx = overtakenBy(elsewhere(), () =>
      db.delete(memberPasskeys).where(eq(memberPasskeys.id, passkey.id)),
    );
    expect(await rejectionOf(signInMemberByPasskey(ctx, answer, token))).toMatchObject({
      code: "invalid",
      message: "Please try again.",
    });
    expect(await signsIn(token)).toBe(true);
    expect(await db.$count(memberSessions, eq(memberSessions.memberId, id))).toBe(1);
  });

  it("waits after five failures", async () => {
    const { authenticator } = await withPasskey();
    for (let n = 0; n < 5; n++) await rejectionOf(signIn(authenticator, { isVerified: false }));
    expect((await rejectionOf(signIn(authenticator))).code).toBe("too_many");
  });

  it("takes ten statements in six round trips, which do not grow with passkeys and sessions", async () => {
    const { authenticator, token } = await withPasskey();
    await signIn(authenticator);
    const cost = async () => {
      const ctx = elsewhere();
      const answer = await authenticator.get(await startMemberPasskeySignIn(visitorContext()));
      await signInMemberByPasskey(ctx, answer);
      return [ctx.d1.statements, ctx.d1.roundTrips];
    };
    const before = await cost();
    for (let n = 0; n < 4; n++) await add(token, await makeAuthenticator());
    expect(await cost()).toEqual(before);
    expect(before).toEqual([10, 6]);
  });
});

describe("the passkeys of members and of users", () => {
  it("do not open the other area, and the browser is not asked to forget them", async () => {
    const member = await withPasskey();
    const admin = await aUserWithPasskey();
    const atAccount = await admin.authenticator.get(await startMemberPasskeySignIn(visitorContext()));
    expect(await rejectionOf(signInMemberByPasskey(elsewhere(), atAccount))).toMatchObject({
      code: "unauthenticated",
      message:
        "This passkey opens the admin area, not an account here. Ask for a link by email, or use another passkey.",
    });
    const atLogin = await member.authenticator.get(await startPasskeySignIn(visitorContext()));
    expect(await rejectionOf(signInByPasskey(elsewhere(), atLogin))).toMatchObject({
      code: "unauthenticated",
      message:
        "This passkey opens a member’s account, not the admin area. Sign in with your password, or use another passkey.",
    });
  });

  it("do not open it with the other area's user handle either", async () => {
    const member = await withPasskey();
    const admin = await aUserWithPasskey();
    const atAccount = await admin.authenticator.get(await startMemberPasskeySignIn(visitorContext()), {
      user: "bWVtYmVyOjE",
    });
    expect((await rejectionOf(signInMemberByPasskey(elsewhere(), atAccount))).code).toBe("not_found");
    const atLogin = await member.authenticator.get(await startPasskeySignIn(visitorContext()), {
      user: (await startPasskey(signedInAs(admin.user))).user.id,
    });
    expect((await rejectionOf(signInByPasskey(elsewhere(), atLogin))).code).toBe("not_found");
  });

  it("are no proof for the challenge of the other area", async () => {
    const member = await withPasskey();
    const admin = await aUserWithPasskey();
    const ofUser = await member.authenticator.get(await startPasskeySignIn(visitorContext()));
    expect((await rejectionOf(signInMemberByPasskey(elsewhere(), ofUser))).message).toMatch(
      /^That took too long/,
    );
    const ofMember = await admin.authenticator.get(await startMemberPasskeySignIn(visitorContext()));
    expect((await rejectionOf(signInByPasskey(elsewhere(), ofMember))).message).toMatch(
      /^That took too long/,
    );
  });

  it("are not added by an answer to the other area's options", async () => {
    const { token } = await aSignedInMember();
    const { user } = await aUserWithPasskey();
    const authenticator = await makeAuthenticator();
    const ofUser = await authenticator.create(await startPasskey(signedInAs(user)));
    expect((await rejectionOf(addMemberPasskey(visitorContext({ jobs }), token, ofUser))).code).toBe(
      "invalid",
    );
    const ofMember = await authenticator.create(await startMemberPasskey(visitorContext(), token));
    expect((await rejectionOf(addPasskey(signedInAs(user), ofMember))).code).toBe("invalid");
  });

  it("of one key open each its own area: the cookie of a member opens no page of the other", async () => {
    const { authenticator } = await withPasskey();
    const token = await signIn(authenticator);
    for (const name of [memberCookieOf(SITE).name, sessionCookieOf(SITE).name]) {
      const answer = await fetchSite("/api/admin/session", {
        headers: { Cookie: `${name}=${token}`, "CF-Connecting-IP": household() },
      });
      expect(answer.status).toBe(401);
    }
  });

  it("fail apart: guesses with a member's passkey do not delay a user's with the same id", async () => {
    const admin = await aUserWithPasskey();
    for (let n = 0; n < 6; n++) {
      const asked = await startMemberPasskeySignIn(visitorContext());
      await rejectionOf(signInMemberByPasskey(elsewhere(), await admin.authenticator.get(asked)));
    }
    const ctx = elsewhere();
    await signInByPasskey(ctx, await admin.authenticator.get(await startPasskeySignIn(ctx)));
  });
});

describe("a member's passkeys", () => {
  it("are listed in the account in the order in which they were added, each with its own name", async () => {
    const { token, cookie, passkey } = await withPasskey();
    const second = await add(token, await makeAuthenticator());
    await withPasskey();
    const body = { name: " Work phone " };
    const renamed = await send("PATCH", `/passkeys/${second.id}`, { cookie, body });
    expect(await renamed.json()).toMatchObject({ id: second.id, name: "Work phone" });
    const account = await readAccount(visitorContext(), token);
    expect(account!.passkeys).toMatchObject({ rpId: "localhost", mayChange: true });
    expect(account!.passkeys.items.map(({ id, name }) => [id, name])).toEqual([
      [passkey.id, passkey.name],
      [second.id, "Work phone"],
    ]);
    const empty = await send("PATCH", `/passkeys/${second.id}`, { cookie, body: { name: " " } });
    expect(await errorOf(empty)).toMatchObject({ field: "name", message: "Name is required" });
  });

  it("are removed once, with a notice, and their sessions stay open", async () => {
    const { cookie, email, authenticator, passkey } = await withPasskey();
    const session = await signIn(authenticator);
    const remove = () => send("DELETE", `/passkeys/${passkey.id}`, { cookie });
    const statuses = (await Promise.all([remove(), remove()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 404]);
    const notices = await noticesTo(email);
    expect(notices.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^A passkey was added/),
      expect.stringMatching(/^A passkey was removed/),
    ]);
    expect(notices[1]!.text).toContain("sign out everywhere, and add the passkey again");
    expect(await signsIn(session)).toBe(true);
  });

  it("cannot be renamed or removed by another member", async () => {
    const { passkey } = await withPasskey();
    const { token } = await aSignedInMember();
    const ctx = visitorContext({ jobs });
    expect((await rejectionOf(renameMemberPasskey(ctx, token, passkey.id, { name: "Mine" }))).code).toBe(
      "not_found",
    );
    expect((await rejectionOf(deleteMemberPasskey(ctx, token, passkey.id))).code).toBe("not_found");
    expect(await storedOf(passkey)).toMatchObject({ name: passkey.name });
  });

  it("stay when the member signs out everywhere", async () => {
    const { token, authenticator } = await withPasskey();
    await signOutEverywhere(visitorContext(), token);
    expect(await signsIn(await signIn(authenticator))).toBe(true);
  });

  it.each<[string, (member: { id: number; email: string; token: string }) => Promise<unknown>]>([
    ["deletes the account", ({ token }) => deleteAccount(visitorContext(), token)],
    ["is deleted by the owner", ({ id }) => deleteMember(ownerContext(), id)],
    ["is erased as a person", ({ email }) => deletePerson(ownerContext(), { email })],
  ])("are deleted if the member %s", async (_, end) => {
    const member = await withPasskey();
    const other = await withPasskey();
    await end(member);
    expect(await storedOf(member.passkey)).toBeUndefined();
    expect(await storedOf(other.passkey)).toBeDefined();
    expect((await rejectionOf(signIn(member.authenticator))).code).toBe("not_found");
  });

  it("sign in nowhere while members' accounts are switched off", async () => {
    const { authenticator, cookie, passkey } = await withPasskey();
    const answer = await authenticator.get(await startMemberPasskeySignIn(visitorContext()));
    await setAccounts(false);
    const asked = [
      send("GET", "/session/passkey"),
      send("POST", "/session/passkey", { body: answer }),
      send("POST", "/passkeys/options", { cookie }),
      send("PATCH", `/passkeys/${passkey.id}`, { cookie, body: { name: "Another" } }),
      send("DELETE", `/passkeys/${passkey.id}`, { cookie }),
    ];
    for (const refused of await Promise.all(asked)) {
      expect(refused.status).toBe(404);
      expect(await errorOf(refused)).toMatchObject({ message: "There are no accounts here." });
    }
    await setAccounts(true);
    expect(await storedOf(passkey)).toBeDefined();
  });
});

it("the passkeys of users stay in a table of their own", async () => {
  const { authenticator } = await withPasskey();
  expect(await db.$count(passkeys, eq(passkeys.credentialId, authenticator.id))).toBe(0);
});
