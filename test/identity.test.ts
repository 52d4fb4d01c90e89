import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Role } from "#worker/access/contract.ts";
import type { Proof } from "#worker/accounts/contract.ts";
import type { ArchiveOutline } from "#worker/exports/contract.ts";
import { confirmIdentity } from "#worker/accounts/identity-commands.ts";
import { addPasskey, startPasskey, startPasskeySignIn } from "#worker/accounts/passkey-commands.ts";
import { securityEvents, users } from "#worker/accounts/table.ts";
import {
  addUser,
  anAddress,
  CHOSEN,
  errorOf,
  openSessionOf,
  PASSWORD,
  rejectionOf,
  send,
  signedInAs,
} from "./support/accounts.ts";
import { createSubscriber } from "#worker/newsletter/owner-commands.ts";
import { readSite } from "#worker/settings/queries.ts";
import { makeAuthenticator } from "./support/authenticator.ts";
import { cookieFor, jobContext } from "./support/client.ts";
import { aMember } from "./support/members.ts";
import { forgetRates } from "./support/rates.ts";
import { aShow } from "./support/factories.ts";

const MINUTE = 60_000;
const db = jobContext().db;

beforeEach(forgetRates);

/** A super admin who signed in so long ago. */
async function signedIn(ago: number) {
  const user = await addUser({ role: "super_admin" });
  return { user, Cookie: await cookieFor(user, ago) };
}

type Asked = { method: string; path: string; body?: unknown };

const change = async (body: object, role: Role = "editor") => ({
  method: "PATCH",
  path: `/users/${(await addUser({ role })).id}`,
  body,
});

/** What needs a recent proof, each with what it is asked for. */
const guarded: Record<string, () => Promise<Asked>> = {
  "the export": async () => ({ method: "GET", path: "/export" }),
  "the export in pieces": async () => ({ method: "GET", path: "/export/outline" }),
  "the list of files to download": async () => ({ method: "GET", path: "/export/files" }),
  "the export of subscribers": async () => ({ method: "GET", path: "/subscribers/export" }),
  "the export of applications": async () => ({ method: "GET", path: "/guest-applications/export" }),
  "the export of messages": async () => ({ method: "GET", path: "/contact-messages/export" }),
  "the export of bookings": async () => ({ method: "GET", path: "/speaking-bookings/export" }),
  "the export of a person": async () => ({
    method: "GET",
    path: "/people/export?email=someone@example.com&format=json",
  }),
  "a new user, whose sign-in would be a proof": async () => ({
    method: "POST",
    path: "/users",
    body: { email: anAddress(), fullName: "Another Editor", role: "editor" },
  }),
  "another role": async () => change({ role: "admin" }),
  "another address": async () => change({ email: anAddress() }),
  "another password": async () => change({ password: CHOSEN }),
  "another state": async () => change({ isActive: false }),
  "a super admin’s name": async () => change({ fullName: "Another Name" }, "super_admin"),
  "the deletion of a user": async () => ({ method: "DELETE", path: `/users/${(await addUser()).id}` }),
  "the deletion of a subscriber": async () => ({
    method: "DELETE",
    path: `/subscribers/${(await createSubscriber(jobContext(), { email: anAddress(), consent: "At the fair", ask: false })).id}`,
  }),
  "the deletion of a member": async () => ({ method: "DELETE", path: `/members/${(await aMember()).id}` }),
  "a new passkey": async () => ({ method: "POST", path: "/account/passkeys/options" }),
  "a new API token": async () => ({
    method: "POST",
    path: "/tokens",
    body: { name: "A script", scopes: ["drafts:read"], days: 30 },
  }),
  "the preload list of browsers": async () => ({
    method: "PUT",
    path: "/settings",
    body: { transport: { preload: true } },
  }),
  "the events that the owner gets emails about": async () => ({
    method: "PUT",
    path: "/settings",
    body: { alerts: { kinds: ["login"] } },
  }),
  "the service of leaked passwords": async () => ({
    method: "PUT",
    path: "/settings",
    body: { passwords: { breachService: "https://api.example.org" } },
  }),
  "the address that enquiries go to": async () => ({
    method: "PUT",
    path: "/settings",
    body: { contactEmail: anAddress() },
  }),
  "the address that answers go to": async () => ({
    method: "PUT",
    path: "/settings",
    body: { email: { fromName: "", fromEmail: "", replyTo: anAddress() } },
  }),
  "a shorter retention": async () => ({
    method: "PUT",
    path: "/settings",
    body: { retention: { enquiries: 24, comments: 11 } },
  }),
  "another company’s script": async () => ({
    method: "PUT",
    path: "/settings",
    body: { tagManager: { id: "GTM-AB12CD3", needsConsent: false } },
  }),
  "a new address of the feed": async () => ({
    method: "PUT",
    path: "/show",
    body: aShow({ newFeedUrl: "https://feeds.example/show.xml" }),
  }),
};

describe("a proof of who the user is", () => {
  it.each(Object.entries(guarded))("is needed for %s within the last ten minutes", async (_, ask) => {
    const { user, Cookie } = await signedIn(11 * MINUTE);
    const { method, path, body } = await ask();
    const refused = await send(method, path, body, { Cookie });
    expect(refused.status).toBe(403);
    expect(await errorOf(refused)).toEqual({
      code: "reauthentication_required",
      message: "Confirm that it’s you, then try again.",
    });
    expect((await send("GET", "/session/proof", undefined, { Cookie })).status).toBe(403);

    const proof: Proof = { currentPassword: PASSWORD };
    const given = await send("POST", "/session/proof", proof, { Cookie });
    expect(given.status).toBe(204);
    const proved = { Cookie: given.headers.getSetCookie()[0]!.split(";")[0]! };
    expect((await send("GET", "/session/proof", undefined, proved)).status).toBe(204);
    const response = await send(method, path, body, proved);
    expect([200, 201, 204]).toContain(response.status);
    // Not cancelled: Vitest would never finish loading the module that a cancelled request has begun to import.
    await response.arrayBuffer();

    // It is asked for, not refused.
    const kinds = await db.select().from(securityEvents).where(eq(securityEvents.email, user.email));
    expect(kinds.map(({ kind }) => kind)).not.toContain("access_refused");
    expect(kinds.map(({ kind, detail }) => [kind, detail])).toContainEqual([
      "identity_confirmed",
      "password",
    ]);
  });

  it.each([
    ["the deletion of a person", "DELETE", "/people", { email: "nobody@example.com" }],
    ["a deletion for good", "DELETE", "/bin/article:1", undefined],
    ["the undoing of an import", "POST", "/imports/1/undo", undefined],
    ["a restore", "POST", "/restores", {}],
    ["the start of a restore", "POST", "/restores/1/start", undefined],
    ["the removal of a passkey", "DELETE", "/account/passkeys/some", undefined],
    ["the revocation of a token", "DELETE", "/tokens/some", undefined],
    ["the end of another device’s session", "DELETE", "/sessions/some", undefined],
    ["the end of all other sessions", "DELETE", "/sessions", undefined],
  ])("is asked for before %s is looked at", async (_, method, path, body) => {
    const { Cookie } = await signedIn(11 * MINUTE);
    const response = await send(method, path, body, { Cookie });
    expect(await errorOf(response)).toMatchObject({ code: "reauthentication_required" });
  });

  it("begins an export, whose parts are of the session that began it and end with it", async () => {
    const { user, Cookie } = await signedIn(9 * MINUTE);
    const begun = await send("GET", "/export/outline", undefined, { Cookie });
    const { permit } = (await begun.json()) as ArchiveOutline;
    const query = (given: string) => new URLSearchParams({ file: "data/ventures.ndjson", permit: given });
    const piece = (cookie: string, given = permit) =>
      send("GET", `/export/pieces?${query(given)}`, undefined, { Cookie: cookie });
    expect((await piece(Cookie)).status).toBe(200);
    expect((await piece(await cookieFor(user, 2 * MINUTE))).status).toBe(409);
    expect((await piece(await cookieFor(user), "none")).status).toBe(409);
    await send("DELETE", "/session", undefined, { Cookie });
    expect((await piece(Cookie)).status).toBe(401);
  });

  it("is not needed for another name, in a form that sends the rest as it is", async () => {
    const { Cookie } = await signedIn(11 * MINUTE);
    const { id, email, role, isActive } = await addUser();
    const body = { email, role, isActive, fullName: "Another Name" };
    expect((await send("PATCH", `/users/${id}`, body, { Cookie })).status).toBe(200);
  });

  it("is not needed for other settings, in a form that sends the guarded ones as they are", async () => {
    const { Cookie } = await signedIn(11 * MINUTE);
    const stored = await readSite(jobContext());
    const { transport, alerts, passwords, contactEmail, email, retention, tagManager } = stored;
    const guardedParts = { transport, alerts, passwords, contactEmail, email, retention, tagManager };
    const body = { ...guardedParts, name: "Another Name" };
    expect((await send("PUT", "/settings", body, { Cookie })).status).toBe(200);
  });

  it("is not needed for a longer retention", async () => {
    const { Cookie } = await signedIn(11 * MINUTE);
    for (const retention of [
      { enquiries: 36, comments: null },
      { enquiries: null, comments: null },
    ])
      expect((await send("PUT", "/settings", { retention }, { Cookie })).status).toBe(200);
    const shorter = { retention: { enquiries: 120, comments: null } };
    expect((await send("PUT", "/settings", shorter, { Cookie })).status).toBe(403);
  });

  it("counts a minute less where it is asked for before a download", async () => {
    const { Cookie } = await signedIn(9.5 * MINUTE);
    expect((await send("GET", "/session/proof", undefined, { Cookie })).status).toBe(403);
    expect((await send("POST", "/account/passkeys/options", undefined, { Cookie })).status).toBe(200);
  });

  it("is of one session: another device of the user has to give its own", async () => {
    const { user, Cookie } = await signedIn(11 * MINUTE);
    const other = await cookieFor(user, 11 * MINUTE);
    await send("POST", "/session/proof", { currentPassword: PASSWORD }, { Cookie: other });
    expect((await send("GET", "/session/proof", undefined, { Cookie })).status).toBe(403);
  });

  it("is the user’s own password: a wrong one is counted as at the login", async () => {
    const { user, Cookie } = await signedIn(11 * MINUTE);
    const guess = () => send("POST", "/session/proof", { currentPassword: "Not the password 1" }, { Cookie });
    expect(await errorOf(await guess())).toMatchObject({
      code: "invalid",
      field: "currentPassword",
      message: "This isn’t your current password.",
    });
    for (let n = 0; n < 4; n++) await guess();
    expect((await guess()).status).toBe(429);
    expect((await send("GET", "/session/proof", undefined, { Cookie })).status).toBe(403);
    const refusals = and(eq(securityEvents.email, user.email), eq(securityEvents.kind, "password_refused"));
    expect(await db.$count(securityEvents, refusals)).toBe(5);
  });

  it("is not given by a visitor", async () => {
    expect((await send("POST", "/session/proof", { currentPassword: PASSWORD })).status).toBe(401);
  });
});

describe("a passkey as the proof", () => {
  async function withPasskey() {
    const user = await addUser();
    const authenticator = await makeAuthenticator();
    await openSessionOf(user);
    const ctx = signedInAs(user);
    await addPasskey(ctx, await authenticator.create(await startPasskey(ctx)));
    return { user, authenticator };
  }

  it("counts, is logged by its name, and works once", async () => {
    const { user, authenticator } = await withPasskey();
    const Cookie = await cookieFor(user, 11 * MINUTE);
    const options = await (await send("GET", "/session/passkey")).json<{ challenge: string }>();
    const passkey = await authenticator.get(options);
    const proof = await send("POST", "/session/proof", { passkey }, { Cookie });
    expect(proof.status).toBe(204);
    const proved = proof.headers.getSetCookie()[0]!.split(";")[0]!;
    expect((await send("GET", "/session/proof", undefined, { Cookie: proved })).status).toBe(204);
    expect((await send("POST", "/session/proof", { passkey }, { Cookie })).status).toBe(422);
    const events = await db.select().from(securityEvents).where(eq(securityEvents.email, user.email));
    expect(events.map(({ kind, detail }) => [kind, detail])).toContainEqual([
      "identity_confirmed",
      expect.stringMatching(/^passkey: /),
    ]);
  });

  it("must be the user’s own", async () => {
    const { authenticator } = await withPasskey();
    const other = await addUser();
    await openSessionOf(other);
    const ctx = signedInAs(other);
    const passkey = await authenticator.get(await startPasskeySignIn(ctx));
    expect(await rejectionOf(confirmIdentity(ctx, { passkey }))).toMatchObject({
      code: "invalid",
      message: "This passkey is another user’s. Use one of yours, or your password.",
    });
    const refusals = and(eq(securityEvents.email, other.email), eq(securityEvents.kind, "passkey_refused"));
    expect(await db.$count(securityEvents, refusals)).toBe(1);
    const Cookie = await cookieFor(other, 11 * MINUTE);
    expect((await send("GET", "/session/proof", undefined, { Cookie })).status).toBe(403);
  });

  it("is refused for a disabled account", async () => {
    const { user, authenticator } = await withPasskey();
    await db.update(users).set({ isActive: false }).where(eq(users.id, user.id));
    const ctx = signedInAs(user);
    const passkey = await authenticator.get(await startPasskeySignIn(ctx));
    expect((await rejectionOf(confirmIdentity(ctx, { passkey }))).code).toBe("unauthenticated");
  });
});
