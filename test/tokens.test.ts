import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { requireRecentProof } from "#worker/access/capabilities.ts";
import { SCOPES, type Scope } from "#worker/access/contract.ts";
import { accountLink } from "#worker/accounts/account-links.ts";
import { MOST_TOKENS } from "#worker/accounts/contract.ts";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { resetPassword } from "#worker/accounts/password-commands.ts";
import { createToken, deleteToken } from "#worker/accounts/token-commands.ts";
import { listTokens } from "#worker/accounts/token-queries.ts";
import { actorOfToken } from "#worker/accounts/tokens.ts";
import { apiTokens, securityEvents, users } from "#worker/accounts/table.ts";
import { updateUser } from "#worker/accounts/user-commands.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { rateLimits } from "#worker/platform/table.ts";
import {
  addUser,
  CHOSEN,
  DAY,
  elsewhere,
  errorOf,
  HOUR,
  mailsTo,
  openSessionOf,
  people,
  rejectionOf,
  signedInAs,
} from "./support/accounts.ts";
import { publishedArticle } from "./support/articles.ts";
import { cookieFor, fetchSite, jobContext, signedIn, SITE, visitorContext } from "./support/client.ts";
import { anEpisode, publishedEpisode } from "./support/factories.ts";
import { savedLetter, setLetter } from "./support/letters.ts";
import { forgetRates } from "./support/rates.ts";
import { byToken, tokenWith } from "./support/tokens.ts";

const { db } = jobContext();
beforeEach(forgetRates);

const eventsOf = (email: string) => db.select().from(securityEvents).where(eq(securityEvents.email, email));
const rowOf = async (id: string) => (await db.select().from(apiTokens).where(eq(apiTokens.id, id)))[0];
const without = (...left: Scope[]) => SCOPES.filter((scope) => !left.includes(scope));

describe("a new token", () => {
  it("is in the answer once, and stored as its SHA-256 alone", async () => {
    const { secret, id, user } = await tokenWith(["drafts:read"], { name: "Zapier", days: 90 });
    expect(secret).toMatch(/^rostrum_[\w-]{43}$/);
    const row = await rowOf(id);
    expect(row).toMatchObject({ hash: await sha256(secret), name: "Zapier", userId: user.id });
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify(await listTokens(signedInAs(user)))).not.toMatch(/rostrum_|hash/);
    expect(await eventsOf(user.email)).toMatchObject([
      { kind: "token_created", detail: "Zapier: drafts:read", by: null },
    ]);
  });

  it("is mailed about to its owner, with a way out", async () => {
    const { user } = await tokenWith(["drafts:read"], { name: "Zapier" });
    const [mail] = await mailsTo(user.email);
    expect(mail!.subject).toMatch(/^An API token was made/);
    expect(mail!.text).toContain("“Zapier”");
    expect(mail!.text).toContain("/admin/not-me?token=");
  });

  it.each([
    [30, 30 * DAY],
    [90, 90 * DAY],
    [365, 365 * DAY],
    [null, null],
  ] as const)("of %s days expires then", async (days, lasts) => {
    const now = new Date();
    const { id } = await tokenWith(["drafts:read"], { days, at: { now } });
    expect((await rowOf(id))!.expiresAt).toEqual(lasts === null ? null : new Date(now.getTime() + lasts));
  });

  it.each([
    ["without a name", { name: " " }, "name"],
    ["without a scope", { scopes: [] }, "scopes"],
    ["with an unknown scope", { scopes: ["users:write"] }, "scopes"],
    ["for a number of days of its own", { days: 3650 }, "days"],
  ])("is refused %s", async (_, input, field) => {
    const user = await addUser({ role: "admin" });
    await openSessionOf(user);
    const given = { name: "A script", scopes: ["drafts:read"], days: 30, ...input };
    const refusal = await rejectionOf(createToken(signedInAs(user), given as never));
    expect(refusal.code).toBe("invalid");
    expect(refusal.field?.split(".")[0]).toBe(field);
  });

  it("is refused to an editor, and beyond fifty of a user", async () => {
    const given = { name: "A script", scopes: ["drafts:read" as const], days: null };
    expect((await rejectionOf(createToken(signedInAs(await addUser()), given))).code).toBe("forbidden");
    const { user, id } = await tokenWith(["drafts:read"]);
    const row = (await rowOf(id))!;
    for (let number = 1; number < MOST_TOKENS; number++)
      await db.insert(apiTokens).values({ ...row, id: `${id} ${number}`, hash: `${id} ${number}` });
    const refusal = await rejectionOf(createToken(signedInAs(user), given));
    expect(refusal).toMatchObject({ code: "conflict", message: expect.stringContaining("50 tokens") });
  });

  it("is refused to a session that has ended", async () => {
    const user = await addUser({ role: "admin" });
    const given = { name: "A script", scopes: ["drafts:read" as const], days: null };
    expect((await rejectionOf(createToken(signedInAs(user), given))).code).toBe("unauthenticated");
    expect(await db.$count(apiTokens, eq(apiTokens.userId, user.id))).toBe(0);
  });
});

describe("the list of tokens", () => {
  it("has an admin’s own, and all for a super admin, who may revoke each", async () => {
    const mine = await tokenWith(["figures"], { role: "admin" });
    const other = await tokenWith(["figures"], { role: "admin" });
    const asMine = signedInAs(mine.user);
    expect((await listTokens(asMine)).items.map(({ id }) => id)).toEqual([mine.id]);
    expect((await rejectionOf(deleteToken(asMine, other.id))).code).toBe("not_found");
    const { owner, asOwner } = await people();
    await openSessionOf(owner);
    const all = (await listTokens(asOwner)).items;
    expect(all.find(({ id }) => id === other.id)).toMatchObject({ owner: other.user.email, isYours: false });
    await deleteToken(asOwner, other.id);
    expect((await byToken(other, "GET", "/admin/analytics")).status).toBe(401);
    expect((await eventsOf(other.user.email)).map(({ kind, by }) => [kind, by])).toContainEqual([
      "token_revoked",
      owner.email,
    ]);
  });
});

describe("a request by token", () => {
  it("writes a draft, which visitors don’t see, and names the token in the audit log once an hour", async () => {
    const token = await tokenWith(["articles:write"], { name: "The mill" });
    const created = await byToken(token, "POST", "/admin/articles", { title: "By a program" });
    expect(created.status).toBe(201);
    const { id, values } = await created.json<{ id: number; values: { status: string } }>();
    expect(values.status).toBe("draft");
    expect((await byToken(token, "POST", "/admin/articles", { title: "Another" })).status).toBe(201);
    expect((await byToken(token, "PATCH", `/admin/articles/${id}`, { excerpt: "More." })).status).toBe(200);
    const wrote = and(eq(securityEvents.email, token.user.email), eq(securityEvents.kind, "token_wrote"));
    await vi.waitFor(async () => expect(await db.$count(securityEvents, wrote)).toBe(2));
    const logged = await db.select().from(securityEvents).where(wrote);
    expect(logged.map(({ detail, by }) => [detail, by]).toSorted()).toEqual([
      ["PATCH /api/admin/articles/:id", "the token “The mill”"],
      ["POST /api/admin/articles", "the token “The mill”"],
    ]);
  });

  it("is in the audit log also if another token of the same name has written before", async () => {
    const token = await tokenWith(["articles:write"], { name: "The mill" });
    const given = { name: "The mill", scopes: ["articles:write" as const], days: null };
    const { secret } = await createToken(signedInAs(token.user), given);
    const other = { headers: { Authorization: `Bearer ${secret}` } };
    for (const each of [token, other, token, other])
      expect((await byToken(each, "POST", "/admin/articles", { title: "By a program" })).status).toBe(201);
    const wrote = and(eq(securityEvents.email, token.user.email), eq(securityEvents.kind, "token_wrote"));
    await vi.waitFor(async () => expect(await db.$count(securityEvents, wrote)).toBe(2));
  });

  it("is refused with the scope that is missing, which the audit log has", async () => {
    const token = await tokenWith(["articles:write", "publish"], { name: "The mill" });
    const refused = await byToken(token, "POST", "/admin/episodes", anEpisode());
    expect(refused.status).toBe(403);
    expect(refused.headers.get("WWW-Authenticate")).toBe(
      'Bearer error="insufficient_scope", scope="episodes:write"',
    );
    expect(await errorOf(refused)).toEqual({
      code: "forbidden",
      message: "This token lacks the scope “episodes:write”.",
    });
    await vi.waitFor(async () =>
      expect(await eventsOf(token.user.email)).toContainEqual(
        expect.objectContaining({
          kind: "access_refused",
          detail: "POST /api/admin/episodes",
          by: "the token “The mill”",
        }),
      ),
    );
  });

  it.each([
    ["an article", "articles:write", "/admin/articles", () => ({ title: "A title" })],
    ["an episode", "episodes:write", "/admin/episodes", () => anEpisode()],
  ] as const)("publishes %s only with the scope for it", async (_, scope, path, item) => {
    const [writer, publisher] = [await tokenWith([scope]), await tokenWith([scope, "publish"])];
    const ask = (token: typeof writer, status: string, more = {}) =>
      byToken(token, "POST", path, { ...item(), status, ...more });
    expect((await ask(writer, "published")).status).toBe(403);
    const scheduledFor = Date.now() + DAY;
    expect((await ask(writer, "scheduled", { scheduledFor })).status).toBe(403);
    const { id } = await (await ask(writer, "draft")).json<{ id: number }>();
    expect((await byToken(writer, "PATCH", `${path}/${id}`, { status: "published" })).status).toBe(403);
    expect((await ask(publisher, "scheduled", { scheduledFor })).status).toBe(201);
  });

  it("changes, withdraws and deletes what is public only with the scope for it", async () => {
    const token = await tokenWith(without("publish"));
    const [article, episode] = [await publishedArticle(), await publishedEpisode()];
    for (const path of [`/admin/articles/${article.id}`, `/admin/episodes/${episode.id}`]) {
      expect((await byToken(token, "PATCH", path, { title: "Defaced" })).status).toBe(403);
      expect((await byToken(token, "PATCH", path, { status: "draft" })).status).toBe(403);
      expect((await byToken(token, "DELETE", path)).status).toBe(403);
    }
  });

  it("changes a letter that will be sent only with the scope to send", async () => {
    const { id } = await savedLetter();
    const token = await tokenWith(without("letters:send"));
    expect((await byToken(token, "PATCH", `/admin/newsletters/${id}`, { subject: "New" })).status).toBe(200);
    await setLetter(id, { status: "scheduled", scheduledFor: new Date(Date.now() + DAY) });
    const refused = await byToken(token, "PATCH", `/admin/newsletters/${id}`, { subject: "Newer" });
    expect(refused.headers.get("WWW-Authenticate")).toContain('scope="letters:send"');
  });

  it("is never combined with a session", async () => {
    const { cookie: Cookie } = await signedIn("super_admin");
    const token = await tokenWith(["drafts:read"]);
    expect((await byToken(token, "GET", "/admin/settings", undefined, { Cookie })).status).toBe(403);
    const invalid = { headers: { Authorization: `Bearer rostrum_${"A".repeat(43)}` } };
    expect((await byToken(invalid, "GET", "/admin/articles", undefined, { Cookie })).status).toBe(401);
    const asCookie = `${sessionCookieOf(SITE).name}=${token.secret}`;
    const session = await fetchSite("/api/admin/articles", { headers: { Cookie: asCookie } });
    expect(session.status).toBe(401);
  });

  it("needs no origin, and opens nothing to scripts of other sites", async () => {
    const token = await tokenWith(["articles:write"]);
    const foreign = { Origin: "https://elsewhere.example", "Sec-Fetch-Site": "cross-site" };
    const created = await byToken(token, "POST", "/admin/articles", { title: "From elsewhere" }, foreign);
    expect(created.status).toBe(201);
    expect([...created.headers.keys()].filter((name) => name.includes("access-control"))).toEqual([]);
    const preflight = await fetchSite("/api/admin/articles", {
      method: "OPTIONS",
      headers: { ...foreign, "Access-Control-Request-Headers": "authorization" },
    });
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBeNull();
    const Cookie = await cookieFor(await addUser({ role: "super_admin" }));
    const session = await byToken(
      { headers: { Cookie } },
      "POST",
      "/admin/articles",
      { title: "A" },
      foreign,
    );
    expect(session.status).toBe(403);
  });

  it("reads what is public with the scope for it", async () => {
    const [reader, other] = [await tokenWith(["public:read"]), await tokenWith(without("public:read"))];
    expect((await byToken(reader, "GET", "/articles")).status).toBe(200);
    expect((await byToken(other, "GET", "/articles")).status).toBe(403);
  });

  it.each([
    ["POST", "/newsletter/subscribe", { email: "a@b.example" }],
    ["GET", "/favorites", undefined],
    ["POST", "/admin/session", { email: "a@b.example", password: "words" }],
  ])("may not %s %s, whatever its scopes", async (method, path, body) => {
    const refused = await byToken(await tokenWith(SCOPES), method, path, body);
    expect(refused.status).toBe(403);
    expect(await errorOf(refused)).toMatchObject({
      message: "A token can’t do this. Sign in to the admin area.",
    });
  });

  it("never proves who uses it", async () => {
    const actor = await actorOfToken(visitorContext(), (await tokenWith(SCOPES)).secret);
    expect(() => requireRecentProof(jobContext({ actor }))).toThrow("A token can’t do this.");
  });

  it("answers unknown addresses and methods as for anyone", async () => {
    const token = await tokenWith(["drafts:read"]);
    expect((await byToken(token, "GET", "/admin/nothing-here")).status).toBe(404);
    expect((await byToken(token, "PUT", "/admin/articles")).status).toBe(405);
  });
});

describe("a token", () => {
  const refusedWith = async (token: { headers: Record<string, string> }) => {
    const response = await byToken(token, "GET", "/admin/articles");
    expect(response.status).toBe(401);
    expect(response.headers.get("WWW-Authenticate")).toBe('Bearer error="invalid_token"');
    return (await errorOf(response)) as { code: string; message: string };
  };

  it.each([
    ["is an editor now", { role: "editor" }],
    ["is a user now", { role: "user" }],
    ["is disabled", { isActive: false }],
    ["has an unconfirmed address", { emailVerified: false }],
  ] as const)("is refused once its owner %s", async (_, change) => {
    const token = await tokenWith(SCOPES);
    expect((await byToken(token, "GET", "/admin/articles")).status).toBe(200);
    await db.update(users).set(change).where(eq(users.id, token.user.id));
    expect((await refusedWith(token)).message).toBe("The owner of this token can’t use tokens any more.");
  });

  it("is refused once its owner is deleted, and once it is revoked", async () => {
    const [orphan, revoked] = [await tokenWith(SCOPES), await tokenWith(SCOPES)];
    await db.delete(users).where(eq(users.id, orphan.user.id));
    await deleteToken(signedInAs(revoked.user), revoked.id);
    for (const token of [orphan, revoked])
      expect((await refusedWith(token)).message).toBe("This token is not valid. It may have been revoked.");
    expect(await rowOf(orphan.id)).toBeUndefined();
  });

  it("is revoked when its owner’s account is recovered by mail, or by an admin’s new password", async () => {
    const [byMail, byAdmin] = [await tokenWith(SCOPES), await tokenWith(SCOPES, { role: "admin" })];
    const account = { ...byMail.user, pendingEmail: null };
    const link = new URL(await accountLink(visitorContext(), "reset-password", account));
    await resetPassword(elsewhere(), { token: link.searchParams.get("token")!, password: CHOSEN });
    const { asOwner } = await people();
    await updateUser(asOwner, byAdmin.user.id, { password: CHOSEN });
    for (const { id } of [byMail, byAdmin]) expect(await rowOf(id)).toBeUndefined();
  });

  it("is refused from the moment at which it expires", async () => {
    const now = new Date();
    const { secret } = await tokenWith(SCOPES, { days: 30, at: { now } });
    const at = (time: number) => visitorContext({ now: new Date(now.getTime() + time) });
    expect((await actorOfToken(at(30 * DAY - 1), secret)).kind).toBe("user");
    expect((await rejectionOf(actorOfToken(at(30 * DAY), secret))).code).toBe("unauthenticated");
  });

  it.each(["rostrum_", "words", `rostrum_${"a".repeat(44)}`, `rostrum_${"!".repeat(43)}`])(
    "in the wrong form is refused without a look: %s",
    async (secret) => {
      const ctx = visitorContext();
      expect((await rejectionOf(actorOfToken(ctx, secret))).code).toBe("unauthenticated");
      expect(ctx.d1.statements).toBe(0);
    },
  );

  it("has the role that its owner has now", async () => {
    const token = await tokenWith(SCOPES, { role: "super_admin" });
    await db.update(users).set({ role: "admin" }).where(eq(users.id, token.user.id));
    expect(await actorOfToken(visitorContext(), token.secret)).toMatchObject({ role: "admin" });
  });

  it("is limited to two thousand requests an hour, apart from others", async () => {
    const [busy, other] = [await tokenWith(SCOPES), await tokenWith(SCOPES)];
    await db.insert(rateLimits).values({
      subject: await sha256(`token:${busy.id}`),
      count: 1999,
      expiresAt: new Date(Date.now() + HOUR),
    });
    expect((await byToken(busy, "GET", "/admin/articles")).status).toBe(200);
    const refused = await byToken(busy, "GET", "/admin/articles");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3000);
    expect((await byToken(other, "GET", "/admin/articles")).status).toBe(200);
  });

  it("stores its last use after the answer, at most once a minute", async () => {
    const { secret, id } = await tokenWith(SCOPES);
    const start = Date.now();
    const use = async (time: number) => {
      const works: Promise<unknown>[] = [];
      await actorOfToken(
        visitorContext({ now: new Date(start + time), later: (work) => void works.push(work) }),
        secret,
      );
      await Promise.all(works);
      return [works.length, (await rowOf(id))!.lastUsedAt?.getTime()];
    };
    expect(await use(0)).toEqual([1, start]);
    expect(await use(59_000)).toEqual([0, start]);
    expect(await use(60_000)).toEqual([1, start + 60_000]);
  });
});
