import { eq, sql } from "drizzle-orm";
import { decodeProtectedHeader, SignJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { replaceSigningKey } from "#worker/accounts/key-commands.ts";
import { securityEvents } from "#worker/accounts/table.ts";
import { readUnsubscribe, signUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import type { Context } from "#worker/platform/context.ts";
import { SHORTEST_KEY_SECRET } from "#worker/platform/data/sealed.ts";
import { readLink, signLink } from "#worker/platform/http/signed.ts";
import { resealSecrets } from "#worker/nouns/sealed-secrets.ts";
import { currentKey, KEY_LASTS, renewKeys, replacementOfKey } from "#worker/platform/http/signing-keys.ts";
import { signingKeys } from "#worker/platform/table.ts";
import { readSystem } from "#worker/system/queries.ts";
import { DAY, send } from "./support/accounts.ts";
import { jobContext, ownerContext, signedIn } from "./support/client.ts";

const NOW = Date.parse("2026-03-01T03:17:00Z");
const { db } = jobContext();

type Options = { days?: number; secrets?: string[] };

const at = ({ days = 0, secrets = [] }: Options = {}): Context => {
  const ctx = jobContext({ now: new Date(NOW + days * DAY) });
  return { ...ctx, config: { ...ctx.config, keySecrets: secrets } };
};

const CLAIMS = { purpose: "test", subject: "subject", stamp: "stamp" };
const DAY_SECONDS = 86_400;
const signAt = (ctx: Context, days = 60) => signLink(ctx, CLAIMS, days * DAY_SECONDS);
const reads = async (ctx: Context, token: string) => (await readLink(ctx, "test", token)).ok;
const keys = () => db.select().from(signingKeys).orderBy(signingKeys.id);
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const replaceNow = async (ctx: Context) => void (await (await replacementOfKey(ctx, 0)).statement);

beforeEach(async () => void (await db.delete(signingKeys)));

describe("a signed token", () => {
  it("names its key, one for tokens that expire and another for those that never do", async () => {
    const expiring = await signAt(at());
    const lasting = await signUnsubscribe(at(), { id: "one" });
    const rows = await keys();
    expect(rows.map(({ use }) => use)).toEqual(["lasting", "expiring"]);
    expect([kidOf(lasting), kidOf(expiring)]).toEqual(rows.map(({ kid }) => kid));
  });

  it("is not read by a key that its header does not name", async () => {
    const [one, other] = [await signAt(at()), at()];
    await replaceNow(other);
    const [, payload, signature] = one.split(".");
    const newest = (await currentKey(at(), "expiring")).kid;
    const header = btoa(JSON.stringify({ alg: "HS256", kid: newest })).replaceAll("=", "");
    expect(await reads(at(), one)).toBe(true);
    expect(await reads(at(), `${header}.${payload}.${signature}`)).toBe(false);
  });

  it.each([
    ["an unknown key", "unknown"],
    ["a key that is not a text", 5],
  ])("of %s is invalid", async (_, kid) => {
    await currentKey(at(), "expiring");
    const token = await new SignJWT({ stamp: "stamp" })
      .setProtectedHeader({ alg: "HS256", kid: kid as string })
      .setAudience("test")
      .setSubject("subject")
      .setExpirationTime("1h")
      .sign(new Uint8Array(32));
    expect(await readLink(at(), "test", token)).toEqual({ ok: false, reason: "invalid" });
  });

  it("that expires is not accepted from the key of tokens that never do", async () => {
    const { kid, secret } = await currentKey(at(), "lasting");
    const token = await new SignJWT({ stamp: "stamp" })
      .setProtectedHeader({ alg: "HS256", kid })
      .setAudience("test")
      .setSubject("subject")
      .setExpirationTime(NOW / 1000 + 60)
      .sign(secret);
    expect(await reads(at(), token)).toBe(false);
  });

  it("costs one statement to sign and one to read", async () => {
    await currentKey(at(), "expiring");
    const ctx = at();
    const token = await signAt(ctx);
    expect(ctx.d1.statements).toBe(1);
    expect(await reads(ctx, token)).toBe(true);
    expect(ctx.d1.statements).toBe(2);
  });

  it("has the same key when two sign first at the same time", async () => {
    const tokens = await Promise.all([signAt(at()), signAt(at()), signAt(at())]);
    expect(new Set(tokens.map(kidOf)).size).toBe(1);
    expect(await keys()).toHaveLength(2);
  });
});

describe("a token without a key's id", () => {
  const SECRET = "of a site from before keys had ids";
  const sign = (lasts?: number) => {
    const token = new SignJWT({ stamp: "" })
      .setProtectedHeader({ alg: "HS256" })
      .setAudience(lasts ? "test" : "unsubscribe")
      .setSubject("subject");
    if (lasts) token.setExpirationTime(NOW / 1000 + lasts * DAY_SECONDS);
    return token.sign(new TextEncoder().encode(SECRET));
  };
  // As the migration leaves it.
  beforeEach(async () => {
    await db.run(sql`insert into signing_keys (id, secret) values (1, ${SECRET})`);
    await db.run(sql`update signing_keys set created_at = ${NOW}`);
  });

  it("unsubscribes for ever, and new links to unsubscribe have the same key", async () => {
    const old = await sign();
    const years = at({ days: 1000 });
    await renewKeys(years);
    expect(await readUnsubscribe(years, old)).toMatchObject({ subscriberId: "subject" });
    expect(kidOf(await signUnsubscribe(years, { id: "one" }))).toBe("legacy");
  });

  it("that expires works for the seven days that such a link could last", async () => {
    const token = await sign(30);
    expect(await reads(at({ days: 6 }), token)).toBe(true);
    expect(await reads(at({ days: 7 }), token)).toBe(false);
  });
});

describe("the key of tokens that expire", () => {
  it("is replaced after 90 days, once by two concurrent runs, and its tokens stay valid", async () => {
    const token = await signAt(at(), 150);
    await renewKeys(at({ days: 89 }));
    expect(await keys()).toHaveLength(2);
    await Promise.all([renewKeys(at({ days: 90 })), renewKeys(at({ days: 90 }))]);
    expect(await keys()).toHaveLength(3);
    const later = at({ days: 90 });
    expect(kidOf(await signAt(later))).not.toBe(kidOf(token));
    expect(await reads(later, token)).toBe(true);
  });

  it("is deleted once the last token that it signed has expired, and not before", async () => {
    await signAt(at());
    const last = await signAt(at({ days: 90 }));
    await renewKeys(at({ days: 90 }));
    await renewKeys(at({ days: 149 }));
    expect(await reads(at({ days: 149 }), last)).toBe(true);
    await renewKeys(at({ days: 151 }));
    const left = await keys();
    expect(left.map(({ kid }) => kid)).not.toContain(kidOf(last));
    expect(left.map(({ use }) => use)).toEqual(["lasting", "expiring"]);
  });

  it("is not created by the night of a site that has signed nothing", async () => {
    await renewKeys(at());
    expect(await keys()).toEqual([]);
  });
});

describe("a replacement by a super admin", () => {
  const replace = (Cookie: string) => send("POST", "/signing-key", undefined, { Cookie });

  it("makes a new key and is logged, and sessions stay open", async () => {
    const token = await signLink(jobContext({ now: new Date(Date.now() - DAY) }), CLAIMS, 2 * DAY_SECONDS);
    const { cookie } = await signedIn("super_admin");
    const events = await db.$count(securityEvents, eq(securityEvents.kind, "signing_key_replaced"));
    expect((await replace(cookie)).status).toBe(204);
    expect(kidOf(await signAt(jobContext()))).not.toBe(kidOf(token));
    expect(await reads(jobContext(), token)).toBe(true);
    // A second press, or a repeated request, replaces nothing.
    expect((await replace(cookie)).status).toBe(204);
    expect(await keys()).toHaveLength(3);
    expect(await db.$count(securityEvents, eq(securityEvents.kind, "signing_key_replaced"))).toBe(events + 1);
    expect((await send("GET", "/session", undefined, { Cookie: cookie })).status).toBe(200);
  });

  it("is forbidden to an admin, and needs a recent proof", async () => {
    const { cookie } = await signedIn("admin");
    expect((await replace(cookie)).status).toBe(403);
    const ctx = ownerContext();
    const now = new Date(ctx.now.getTime() + 11 * 60_000);
    await expect(replaceSigningKey({ ...ctx, now })).rejects.toMatchObject({
      code: "reauthentication_required",
    });
  });
});

describe("keys with a KEY_SECRET", () => {
  const ONE = "1".repeat(SHORTEST_KEY_SECRET);
  const TWO = "2".repeat(SHORTEST_KEY_SECRET);
  const systemOf = (secrets: string[]) => readSystem({ ...ownerContext(), config: at({ secrets }).config });

  it("are encrypted when they are made, and plain ones in the night", async () => {
    const plain = await signAt(at());
    const secrets = [ONE];
    expect((await keys()).some(({ secret }) => secret.startsWith("sealed:"))).toBe(false);
    await resealSecrets(at({ secrets }));
    expect((await keys()).every(({ secret }) => secret.startsWith("sealed:"))).toBe(true);
    expect(await reads(at({ secrets }), plain)).toBe(true);
    await replaceNow(at({ secrets, days: 1 }));
    expect((await keys()).every(({ secret }) => secret.startsWith("sealed:"))).toBe(true);
  });

  it("move to a new secret in the night, while the former one is named after it", async () => {
    const token = await signAt(at({ secrets: [ONE] }));
    await resealSecrets(at({ secrets: [TWO, ONE] }));
    expect(await reads(at({ secrets: [TWO] }), token)).toBe(true);
    expect(await reads(at({ secrets: [ONE] }), token)).toBe(false);
  });

  it.each([
    ["missing", []],
    ["another one", [TWO]],
  ])("do not fail if it is %s: others sign until it is back", async (_, secrets) => {
    const before = await signAt(at({ secrets: [ONE] }));
    const leaving = await signUnsubscribe(at({ secrets: [ONE] }), { id: "one" });
    expect(await reads(at({ secrets }), before)).toBe(false);
    const during = await signAt(at({ secrets }));
    expect(await reads(at({ secrets }), during)).toBe(true);
    await renewKeys(at({ secrets, days: 100 }));
    expect(await reads(at({ secrets: [ONE] }), before)).toBe(true);
    expect(await readUnsubscribe(at({ secrets: [ONE] }), leaving)).toMatchObject({ subscriberId: "one" });
  });

  it("are counted in Settings ▸ System if they cannot be read", async () => {
    await signAt(at({ secrets: [ONE] }));
    expect((await systemOf([ONE])).state.keys).toEqual({
      isEncrypted: true,
      isTooShort: false,
      unreadable: 0,
    });
    expect((await systemOf([])).state.keys).toEqual({ isEncrypted: false, isTooShort: false, unreadable: 2 });
  });

  it("that are damaged answer with an error that says what to do", async () => {
    await signAt(at({ secrets: [ONE] }));
    const [{ kid, secret }] = (await db
      .select()
      .from(signingKeys)
      .where(eq(signingKeys.use, "expiring"))) as [typeof signingKeys.$inferSelect];
    await db
      .update(signingKeys)
      .set({ secret: secret.slice(0, -4) })
      .where(eq(signingKeys.kid, kid));
    await expect(signAt(at({ secrets: [ONE] }))).rejects.toMatchObject({ code: "unavailable" });
  });

  it("are replaced after 90 days by their own age, though a key of another secret is newer", async () => {
    await signAt(at({ secrets: [ONE] }));
    await signAt(at({ secrets: [TWO], days: 60 }));
    await renewKeys(at({ secrets: [ONE], days: Math.ceil(KEY_LASTS / DAY) }));
    const token = await signAt(at({ secrets: [ONE], days: 90 }));
    expect((await keys()).find(({ kid }) => kid === kidOf(token))?.createdAt.getTime()).toBe(NOW + 90 * DAY);
  });
});
