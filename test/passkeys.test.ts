import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import {
  addPasskey,
  deletePasskey,
  signInByPasskey,
  startPasskey,
  startPasskeySignIn,
} from "#worker/accounts/passkey-commands.ts";
import { changeAddress, changePassword } from "#worker/accounts/account-commands.ts";
import { accountLink } from "#worker/accounts/account-links.ts";
import { resetPassword } from "#worker/accounts/password-commands.ts";
import { listPasskeys } from "#worker/accounts/queries.ts";
import { logIn } from "#worker/accounts/session-commands.ts";
import { passkeys, securityEvents, sessions, users } from "#worker/accounts/table.ts";
import { deleteUser, updateUser } from "#worker/accounts/user-commands.ts";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import type { Passkey, PasskeySignIn } from "#worker/webauthn/contract.ts";
import {
  addUser,
  anAddress,
  CHOSEN,
  elsewhere,
  errorOf,
  isSignedIn,
  mailsTo,
  openSessionOf,
  overtakenBy,
  PASSWORD,
  rejectionOf,
  send,
  signedInAs,
} from "./support/accounts.ts";
import { makeAuthenticator, type Authenticator, type Ceremony } from "./support/authenticator.ts";
import { cookieFor, jobContext, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { forgetRates } from "./support/rates.ts";

const CHROME =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
const MINUTE = 60_000;
const db = jobContext().db;

type Options = { challenge: string; user: { id: string } };
type Person = Awaited<ReturnType<typeof addUser>>;

/** Stores the authenticator's passkey for the user. */
async function add(user: Person, authenticator: Authenticator, ceremony: Ceremony = {}) {
  await openSessionOf(user);
  const ctx = signedInAs(user);
  try {
    return await addPasskey(ctx, await authenticator.create(await startPasskey(ctx), ceremony));
  } finally {
    await db.delete(sessions).where(eq(sessions.id, `session of ${user.id}`));
  }
}

/** Someone with a passkey. */
async function withPasskey(values: Parameters<typeof addUser>[0] = {}, ceremony: Ceremony = {}) {
  const user = await addUser(values);
  const authenticator = await makeAuthenticator();
  const passkey = await add(user, authenticator, ceremony);
  return { user, authenticator, passkey };
}

/** Signs in, each time from another address. */
async function signIn(authenticator: Authenticator, ceremony: Ceremony = {}, ctx = elsewhere()) {
  return signInByPasskey(ctx, await authenticator.get(await startPasskeySignIn(ctx), ceremony));
}

const eventsOf = async (email: string) =>
  (await db.select().from(securityEvents).where(eq(securityEvents.email, email))).map(({ kind, detail }) => [
    kind,
    detail,
  ]);

const storedOf = async ({ id }: Passkey) => (await db.select().from(passkeys).where(eq(passkeys.id, id)))[0];

beforeEach(forgetRates);

describe("options", () => {
  it("of a sign-in name the site and no credential, and require verification of the user", async () => {
    const response = await send("GET", "/session/passkey");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      rpId: "localhost",
      allowCredentials: [],
      userVerification: "required",
    });
  });

  it("of an addition ask for a discoverable credential, and exclude those that are stored", async () => {
    const { user, authenticator } = await withPasskey();
    const options = await startPasskey(signedInAs(user));
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      user: { name: user.email, displayName: user.fullName },
      pubKeyCredParams: [
        { type: "public-key", alg: -7 },
        { type: "public-key", alg: -8 },
        { type: "public-key", alg: -257 },
      ],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ type: "public-key", id: authenticator.id, transports: ["internal"] }],
      attestation: "none",
    });
    // WebAuthn §5.4.3: at most 64 bytes, without personal data.
    expect(atob(options.user.id.replaceAll("-", "+").replaceAll("_", "/"))).toBe(user.id);
  });

  it("have a challenge of at least 16 random bytes, another one each time", async () => {
    const challenges = new Set<string>();
    for (let n = 0; n < 3; n++) challenges.add((await startPasskeySignIn(visitorContext())).challenge);
    expect(challenges.size).toBe(3);
  });
});

describe("adding a passkey", () => {
  it("needs a sign-in, or a proof of who the user is, within the last ten minutes", async () => {
    const user = await addUser();
    const ask = async (ago: number) =>
      send("POST", "/account/passkeys/options", undefined, { Cookie: await cookieFor(user, ago) });
    expect((await ask(9 * MINUTE)).status).toBe(200);
    const refused = await ask(11 * MINUTE);
    expect(refused.status).toBe(403);
    expect(await errorOf(refused)).toMatchObject({ code: "reauthentication_required" });
  });

  it("stores the key under the device’s name, mails a notice, and is logged", async () => {
    const user = await addUser();
    const authenticator = await makeAuthenticator();
    const Cookie = await cookieFor(user);
    const options = await send("POST", "/account/passkeys/options", undefined, { Cookie });
    const answer = await authenticator.create(await options.json<Options>());
    const response = await send("POST", "/account/passkeys", answer, { Cookie, "User-Agent": CHROME });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      credentialId: authenticator.id,
      name: "Chrome on macOS",
      lastUsedAt: null,
    });
    expect(await mailsTo(user.email)).toMatchObject([
      { subject: expect.stringContaining("A passkey was added") },
    ]);
    expect(await eventsOf(user.email)).toEqual([["passkey_added", "Chrome on macOS"]]);
  });

  it.each<[string, Ceremony]>([
    ["another origin", { origin: "https://evil.example" }],
    ["another site’s id", { rpId: "evil.example" }],
    ["a user who was not verified", { isVerified: false }],
    ["the answer to a sign-in", { type: "webauthn.get" }],
  ])("refuses %s", async (_, ceremony) => {
    const user = await addUser();
    const error = await rejectionOf(add(user, await makeAuthenticator(), ceremony));
    expect(error).toMatchObject({
      code: "invalid",
      message: "Your browser’s answer isn’t valid for this site. Please try again.",
    });
    expect((await listPasskeys(signedInAs(user))).items).toEqual([]);
  });

  it("refuses a challenge that was given to another user, has expired, was used, or is of a sign-in", async () => {
    const [user, other] = [await addUser(), await addUser()];
    await openSessionOf(user);
    const authenticator = await makeAuthenticator();
    const options = await startPasskey(signedInAs(user));
    const answer = await authenticator.create(options);
    const late = signedInAs(user, { now: new Date(Date.now() + 11 * MINUTE) });
    expect((await rejectionOf(addPasskey(late, answer))).message).toMatch(/^That took too long/);
    await addPasskey(signedInAs(user), answer);
    expect((await rejectionOf(addPasskey(signedInAs(user), answer))).message).toMatch(/already used/);

    const again = await authenticator.create(await startPasskey(signedInAs(other)));
    expect((await rejectionOf(addPasskey(signedInAs(user), again))).code).toBe("invalid");
    const { challenge } = await startPasskeySignIn(visitorContext());
    const crossed = await authenticator.create({ ...options, challenge });
    expect((await rejectionOf(addPasskey(signedInAs(user), crossed))).code).toBe("invalid");
  });

  it("refuses a credential that is stored, also for another user", async () => {
    const { authenticator } = await withPasskey();
    const error = await rejectionOf(add(await addUser(), authenticator));
    expect(error).toMatchObject({ code: "conflict", message: "This passkey was already added." });
  });

  it("refuses the 21st, also if two are added at the same time", async () => {
    const user = await addUser();
    for (let n = 0; n < 19; n++) await add(user, await makeAuthenticator());
    await openSessionOf(user);
    const ctx = signedInAs(user);
    const answers = [];
    for (let n = 0; n < 2; n++) {
      const options = await startPasskey(ctx);
      answers.push(await (await makeAuthenticator()).create(options));
    }
    const results = await Promise.allSettled(answers.map((answer) => addPasskey(ctx, answer)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const full = await rejectionOf(startPasskey(ctx));
    expect(full).toMatchObject({
      code: "conflict",
      message: "You already have 20 passkeys. Remove one to make room.",
    });
  });
});

describe("adding a passkey while the session ends", () => {
  it.each<[string, (user: Person) => Promise<unknown>]>([
    ["is signed out", ({ id }) => db.delete(sessions).where(eq(sessions.userId, id))],
    ["changes the password", ({ id }) => db.update(users).set({ stamp: "new" }).where(eq(users.id, id))],
    ["is deleted", ({ id }) => db.delete(users).where(eq(users.id, id))],
  ])("is refused if the user %s", async (_, end) => {
    const user = await addUser();
    await openSessionOf(user);
    const answer = await (await makeAuthenticator()).create(await startPasskey(signedInAs(user)));
    const ctx = overtakenBy(signedInAs(user), () => end(user));
    expect(await rejectionOf(addPasskey(ctx, answer))).toMatchObject({
      code: "unauthenticated",
      message: "Your session has ended, so the passkey wasn’t added. Sign in, then add it again.",
    });
    expect(await db.$count(passkeys, eq(passkeys.userId, user.id))).toBe(0);
  });
});

describe("signing in by passkey", () => {
  it("opens a session, ends this browser’s former one, and stores the last use", async () => {
    const { user, authenticator, passkey } = await withPasskey();
    const former = await cookieFor(user);
    const options = (await (await send("GET", "/session/passkey")).json()) as { challenge: string };
    const answer = await authenticator.get(options);
    const response = await send("POST", "/session/passkey", answer, { Cookie: former });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      id: user.id,
      email: user.email,
      fullName: user.fullName,
      role: user.role,
    });
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(new RegExp(`^${sessionCookieOf(SITE).name}=.*HttpOnly; SameSite=Lax`));
    const session = await send("GET", "/session", undefined, { Cookie: cookie!.split(";")[0]! });
    expect(session.status).toBe(200);
    expect(await isSignedIn(former.split("=").slice(1).join("="))).toBe(false);
    expect((await storedOf(passkey))?.lastUsedAt).toBeInstanceOf(Date);
    expect(await eventsOf(user.email)).toContainEqual(["login", `passkey: ${passkey.name}`]);
  });

  it.each<[string, Ceremony]>([
    ["another origin", { origin: "https://evil.example" }],
    ["another site’s id", { rpId: "evil.example" }],
    ["a user who was not verified", { isVerified: false }],
    ["the answer to an addition", { type: "webauthn.create" }],
  ])("refuses %s", async (_, ceremony) => {
    const { user, authenticator, passkey } = await withPasskey();
    const error = await rejectionOf(signIn(authenticator, ceremony));
    expect(error).toMatchObject({
      code: "unauthenticated",
      message: "This passkey can’t sign in. Sign in with your password, or use another passkey.",
    });
    expect(await eventsOf(user.email)).toContainEqual(["login_failed", `passkey: ${passkey.name}`]);
    expect((await eventsOf(user.email)).map(([kind]) => kind)).not.toContain("login");
  });

  it("refuses an answer that was changed", async () => {
    const { authenticator, user } = await withPasskey();
    const other = await withPasskey();
    const change = async (changed: (answer: PasskeySignIn) => Partial<PasskeySignIn>) => {
      const answer = await authenticator.get(await startPasskeySignIn(visitorContext()));
      return (await rejectionOf(signInByPasskey(elsewhere(), { ...answer, ...changed(answer) }))).code;
    };
    const stranger = await (await makeAuthenticator()).get(await startPasskeySignIn(visitorContext()));
    expect(await change(() => ({ signature: stranger.signature }))).toBe("unauthenticated");
    expect(await change(() => ({ id: other.authenticator.id }))).toBe("unauthenticated");
    expect(await change(() => ({ userHandle: "c29tZW9uZQ" }))).toBe("unauthenticated");
    expect(await change(() => ({ clientDataJSON: "e30" }))).toBe("invalid");
    expect(await change(() => ({ clientDataJSON: "_w" }))).toBe("invalid");
    expect((await eventsOf(user.email)).map(([kind]) => kind)).not.toContain("login");
  });

  it("takes a challenge once, within ten minutes", async () => {
    const { authenticator } = await withPasskey();
    const answer = await authenticator.get(await startPasskeySignIn(visitorContext()));
    const late = visitorContext({ now: new Date(Date.now() + 11 * MINUTE) });
    expect((await rejectionOf(signInByPasskey(late, answer))).code).toBe("invalid");
    const results = await Promise.allSettled([1, 2, 3].map(() => signInByPasskey(elsewhere(), answer)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await rejectionOf(signInByPasskey(elsewhere(), answer))).message).toBe(
      "That took too long, or it was already used. Please try again.",
    );
  });

  it("works in two tabs that have opened the login", async () => {
    const { authenticator } = await withPasskey();
    const [first, second] = [
      await startPasskeySignIn(visitorContext()),
      await startPasskeySignIn(visitorContext()),
    ];
    await signInByPasskey(elsewhere(), await authenticator.get(first));
    await signInByPasskey(elsewhere(), await authenticator.get(second));
  });

  it("refuses a counter that goes back or stays, and logs it", async () => {
    const { user, authenticator, passkey } = await withPasskey({}, { counter: 5 });
    await signIn(authenticator, { counter: 7 });
    expect((await storedOf(passkey))?.counter).toBe(7);
    for (const counter of [0, 6, 7]) {
      expect((await rejectionOf(signIn(authenticator, { counter }))).code).toBe("unauthenticated");
    }
    expect((await storedOf(passkey))?.counter).toBe(7);
    const refusals = (await eventsOf(user.email)).filter(([kind]) => kind === "passkey_refused");
    expect(refusals).toHaveLength(3);
    await signIn(authenticator, { counter: 8 });
  });

  it("accepts a counter that is always zero, as of a synced passkey", async () => {
    const { authenticator } = await withPasskey();
    await signIn(authenticator);
    await signIn(authenticator);
  });

  it.each([{ isActive: false }, { emailVerified: false }])(
    "refuses a user who is %j, as a password does",
    async (state) => {
      const { user, authenticator } = await withPasskey();
      await db.update(users).set(state).where(eq(users.id, user.id));
      expect(await rejectionOf(signIn(authenticator))).toMatchObject({
        code: "unauthenticated",
        message: "This account can’t sign in. Ask the site’s admin.",
      });
      const byPassword = logIn(elsewhere(), { email: user.email, password: PASSWORD });
      expect((await rejectionOf(byPassword)).code).toBe("unauthenticated");
    },
  );

  it("answers 404 for a passkey that was removed, by which the browser forgets it", async () => {
    const { user, authenticator, passkey } = await withPasskey();
    await deletePasskey(signedInAs(user), passkey.id);
    const answer = await authenticator.get(await startPasskeySignIn(visitorContext()));
    const response = await send("POST", "/session/passkey", answer);
    expect(response.status).toBe(404);
    expect(await errorOf(response)).toMatchObject({
      message:
        "This passkey doesn’t open an account here. It may have been removed. Sign in with your password.",
    });
  });

  it("refuses a passkey that is removed while it signs in", async () => {
    const { authenticator, passkey, user } = await withPasskey();
    const answer = await authenticator.get(await startPasskeySignIn(visitorContext()));
    const ctx = overtakenBy(elsewhere(), () => db.delete(passkeys).where(eq(passkeys.id, passkey.id)));
    expect(await rejectionOf(signInByPasskey(ctx, answer))).toMatchObject({
      code: "invalid",
      message: "Please try again.",
    });
    expect((await eventsOf(user.email)).map(([kind]) => kind)).not.toContain("login");
  });

  it("waits after five failures as a password does, but not because of guesses at the password", async () => {
    const { user, authenticator } = await withPasskey();
    for (let n = 0; n < 6; n++) {
      await rejectionOf(logIn(elsewhere(), { email: user.email, password: "Not the password 1" }));
    }
    await signIn(authenticator);
    for (let n = 0; n < 5; n++) await rejectionOf(signIn(authenticator, { isVerified: false }));
    expect((await rejectionOf(signIn(authenticator))).code).toBe("too_many");
  });
});

describe("a user’s passkeys", () => {
  it("are listed in the order in which they were added, each with its own name", async () => {
    const { user, passkey } = await withPasskey();
    const second = await add(user, await makeAuthenticator());
    await withPasskey();
    const Cookie = await cookieFor(user);
    const renamed = await send(
      "PATCH",
      `/account/passkeys/${second.id}`,
      { name: " Work phone " },
      { Cookie },
    );
    expect(await renamed.json()).toMatchObject({ id: second.id, name: "Work phone" });
    expect(await eventsOf(user.email)).toContainEqual(["passkey_renamed", `${second.name} → Work phone`]);
    const { items } = await listPasskeys(signedInAs(user));
    expect(items.map(({ id, name }) => [id, name])).toEqual([
      [passkey.id, passkey.name],
      [second.id, "Work phone"],
    ]);
    const empty = await send("PATCH", `/account/passkeys/${second.id}`, { name: " " }, { Cookie });
    expect(await errorOf(empty)).toMatchObject({ field: "name", message: "Name is required" });
  });

  it("and their account get twenty new names an hour, and a name that stays is no entry of the log", async () => {
    const { user, passkey } = await withPasskey();
    const Cookie = await cookieFor(user);
    const rename = async (fullName: string) =>
      (await send("PATCH", "/account", { fullName }, { Cookie })).status;
    const renamesOf = async () =>
      (await eventsOf(user.email)).filter(([kind]) => kind === "user_changed" || kind === "passkey_renamed")
        .length;
    for (let n = 0; n < 30; n++) expect(await rename(user.fullName)).toBe(200);
    expect(await renamesOf()).toBe(0);
    const statuses = [];
    for (let n = 0; n < 25; n++) statuses.push(await rename(`Name ${n}`));
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
    const ofPasskey = await send("PATCH", `/account/passkeys/${passkey.id}`, { name: "New" }, { Cookie });
    expect(ofPasskey.status).toBe(429);
    expect(await renamesOf()).toBe(20);
  });

  it("are removed once, with a notice by email and in the log", async () => {
    const { user, passkey } = await withPasskey();
    const Cookie = await cookieFor(user);
    const remove = () => send("DELETE", `/account/passkeys/${passkey.id}`, undefined, { Cookie });
    const statuses = (await Promise.all([remove(), remove()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 404]);
    const subjects = (await mailsTo(user.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith("A passkey was removed"))).toHaveLength(1);
    expect(await eventsOf(user.email)).toContainEqual(["passkey_removed", passkey.name]);
  });

  it("cannot be renamed or removed by another user", async () => {
    const { passkey } = await withPasskey();
    const Cookie = await cookieFor(await addUser({ role: "super_admin" }));
    const path = `/account/passkeys/${passkey.id}`;
    expect((await send("PATCH", path, { name: "Mine" }, { Cookie })).status).toBe(404);
    expect((await send("DELETE", path, undefined, { Cookie })).status).toBe(404);
    expect(await storedOf(passkey)).toMatchObject({ name: passkey.name });
  });

  it("are deleted by a reset of the password, and its email says so", async () => {
    const { user, passkey, authenticator } = await withPasskey();
    const link = new URL(
      await accountLink(visitorContext(), "reset-password", { ...user, pendingEmail: null }),
    );
    const token = link.searchParams.get("token")!;
    await resetPassword(elsewhere(), { token, password: CHOSEN });
    expect(await storedOf(passkey)).toBeUndefined();
    expect((await rejectionOf(signIn(authenticator))).code).toBe("not_found");
    expect((await mailsTo(user.email)).at(-1)?.text).toContain("Passkeys were removed, too");
  });

  it.each(["password", "email"] as const)(
    "are deleted if an admin sets the %s, and the email says so",
    async (field) => {
      const { user, passkey } = await withPasskey();
      const { passkey: another } = await withPasskey();
      await updateUser(ownerContext(), user.id, {
        ...(field === "password" ? { password: CHOSEN } : { email: anAddress() }),
        basedOn: user.updatedAt.getTime(),
      });
      expect(await storedOf(passkey)).toBeUndefined();
      expect(await storedOf(another)).toBeDefined();
      expect((await mailsTo(user.email)).at(-1)?.text).toContain("Passkeys were removed, too");
    },
  );

  it("stay when an admin changes only the name", async () => {
    const { user, passkey } = await withPasskey();
    const basedOn = user.updatedAt.getTime();
    await updateUser(ownerContext(), user.id, { fullName: "Another Name", basedOn });
    expect(await storedOf(passkey)).toBeDefined();
  });

  it("stay when their user changes the password or the address, which needs the current password", async () => {
    const { user, passkey } = await withPasskey();
    await changeAddress(signedInAs(user), { email: anAddress(), currentPassword: PASSWORD });
    await changePassword(signedInAs(user), { currentPassword: PASSWORD, password: CHOSEN });
    expect(await storedOf(passkey)).toBeDefined();
  });

  it("are deleted with the user", async () => {
    const { user, passkey, authenticator } = await withPasskey();
    await deleteUser(ownerContext(), user.id);
    expect(await storedOf(passkey)).toBeUndefined();
    expect((await rejectionOf(signIn(authenticator))).code).toBe("not_found");
  });
});
