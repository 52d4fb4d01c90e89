import { env } from "cloudflare:workers";
import { eq, isNull } from "drizzle-orm";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { handlers } from "#worker/jobs.ts";
import { pages } from "#worker/addresses.ts";
import { CONSENT } from "#worker/newsletter/contract.ts";
import { subscribe, unsubscribe, verifySubscriber } from "#worker/newsletter/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { createContext } from "#worker/platform/context.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { fetchSite, jobContext, ownerContext, SITE } from "./support/client.ts";
import { forgetRates, MORE_THAN_A_BURST } from "./support/rates.ts";
import {
  DAY,
  address,
  db,
  deliver,
  jobs,
  visitorContext,
  later,
  household,
  post,
  postForm,
  request,
  rowOf,
  mailsTo,
  tokenIn,
  waiting,
  confirmed,
  setStatus,
  messageOf,
} from "./support/newsletter.ts";

beforeEach(forgetRates);

/** A visitor's context with an address of its own, and the statements that it runs on D1. */
function measured() {
  const usage = { statements: 0, rowsWritten: 0, rowsRead: 0 };
  const add = ({ meta }: D1Result) => {
    usage.rowsWritten += meta.rows_written;
    usage.rowsRead += meta.rows_read;
  };
  const counted = <T extends object>(target: T, replaced: Partial<T>) =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(replaced, name) ?? Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  const statement = (prepared: D1PreparedStatement): D1PreparedStatement => {
    const run = async () => {
      usage.statements++;
      const result = await prepared.run();
      add(result);
      return result;
    };
    return counted(prepared, {
      bind: (...values) => statement(prepared.bind(...values)),
      run: run as D1PreparedStatement["run"],
      all: run as D1PreparedStatement["all"],
      raw: (async () => (await run()).results.map((row) => Object.values(row as object))) as never,
    });
  };
  const DB = counted(env.DB, {
    withSession: (start) => {
      const session = env.DB.withSession(start);
      return counted(session, { prepare: (query) => statement(session.prepare(query)) });
    },
  });
  const client = { address: household(), userAgent: "" };
  const ctx = createContext({ ...env, DB }, { actor: { kind: "visitor" }, client });
  return { ctx: { ...ctx, jobs }, usage };
}

/** The number of rows of each table. */
async function countRows() {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like '%search%' and name not glob '[_s][cq]*'",
  ).all<{ name: string }>();
  const counts = await env.DB.batch<{ n: number }>(
    results.map(({ name }) => env.DB.prepare(`select count(*) as n from ${name}`)),
  );
  return Object.fromEntries(results.map(({ name }, index) => [name, counts[index]!.results[0]!.n]));
}

const SUCCESS = "Successfully subscribed! Check your email.";

describe("subscribing", () => {
  it("stores an unconfirmed row with source and consent, and sends the link", async () => {
    const email = address();
    const response = await post("subscribe", { email, source: "inline" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ success: true, message: SUCCESS });
    expect(await rowOf(email)).toMatchObject({
      status: "active",
      source: "inline",
      consent: CONSENT,
      verifiedAt: null,
      unsubscribedAt: null,
    });
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail?.link).toMatch(/^http:\/\/localhost:8787\/verify-email\?token=/);
    expect(mail?.text).toContain("7 days");
    expect(mail?.from).toEqual({ address: env.MAIL_FROM, name: siteDefaults.name });
  });

  it("lowercases the address and needs no source", async () => {
    const email = address();
    expect((await post("subscribe", { email: ` ${email.toUpperCase()} ` })).status).toBe(200);
    expect(await rowOf(email)).toMatchObject({ source: "site" });
  });

  it("has a link in the email that unsubscribes", async () => {
    const { email } = await waiting();
    const [mail] = await mailsTo(email);
    const link = /http:\/\/localhost:8787\/unsubscribe\?token=\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    expect(mail?.html).toContain(link.replaceAll("&", "&#38;"));
    await unsubscribe(visitorContext(), { token: tokenIn(link) });
    expect(await rowOf(email)).toMatchObject({ status: "unsubscribed" });
  });

  it("has an accurate email footer: a person who left may be asked again", async () => {
    const { email, token } = await waiting();
    await setStatus(email, "unsubscribed");
    await waiting(email);
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(2);
    for (const { text } of mails) {
      expect(text).toContain("To stop the letters at any time:");
      expect(text).not.toMatch(/ask for this address again|no more mails/);
    }
    await verifySubscriber(visitorContext(), { token });
  });

  it.each([
    [{}, "Email is required"],
    [{ email: "" }, "Email is required"],
    [{ email: "not an address" }, "Email is invalid"],
    [{ email: `${"a".repeat(250)}@example.com` }, "Email is invalid"],
  ])("refuses %j beside the field", async (body, message) => {
    const response = await post("subscribe", body);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ error: { code: "invalid", message, field: "email" } });
  });

  it.each([{ source: "Footer!" }, { source: "a".repeat(41) }, { status: "active" }, { verifiedAt: 1 }])(
    "refuses %j",
    async (extra) => {
      const email = address();
      expect((await post("subscribe", { email, ...extra })).status).toBe(422);
      expect(await rowOf(email)).toBeUndefined();
    },
  );

  it.each(["{", "[]", "null", '"a@example.com"'])("refuses the body %s", async (body) => {
    expect([400, 422]).toContain((await post("subscribe", body)).status);
  });

  it("refuses a body that is neither JSON nor a form", async () => {
    const response = await post("subscribe", "email=a@example.com", { "Content-Type": "text/plain" });
    expect(response.status).toBe(400);
    expect(await messageOf(response)).toBe("Send JSON, with the content type application/json.");
  });

  it("refuses a body that is too large, sent as JSON or as a form", async () => {
    const email = "a".repeat(70_000);
    expect((await post("subscribe", { email })).status).toBe(413);
    const form = await postForm("subscribe", { email });
    expect(form.status).toBe(303);
    expect(form.headers.get("Location")).toBe("/podcast?page=2#form-failed");
  });

  it("refuses a form on another site", async () => {
    const email = address();
    expect((await post("subscribe", { email }, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect(await rowOf(email)).toBeUndefined();
  });
});

describe("a sign-up reveals no subscriber", () => {
  const states = {
    new: async () => address(),
    waiting: async () => (await waiting()).email,
    confirmed: async () => (await confirmed()).email,
    async unsubscribed() {
      const { email } = await confirmed();
      await setStatus(email, "unsubscribed");
      return email;
    },
    async bounced() {
      const { email } = await confirmed();
      await setStatus(email, "bounced");
      return email;
    },
    async complained() {
      const { email } = await confirmed();
      await setStatus(email, "complained");
      return email;
    },
  };

  it.each(Object.entries(states))("the answer is the same for an address that is %s", async (_, make) => {
    const response = await post("subscribe", { email: await make() });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ success: true, message: SUCCESS });
  });

  it("the request writes one outbox row, with the same statements and rows for every kind of address", async () => {
    const costs = new Map<string, unknown>();
    for (const [state, make] of Object.entries(states)) {
      const email = await make();
      await forgetRates();
      const before = await countRows();
      const { ctx, usage } = measured();
      await subscribe(ctx, { email, source: "footer" });
      const after = await countRows();
      const added = Object.entries(after).filter(([table, rows]) => rows !== before[table]);
      expect(Object.fromEntries(added)).toEqual({
        outbox: before["outbox"]! + 1,
        rate_limits: before["rate_limits"]! + 2,
      });
      costs.set(state, usage);
    }
    expect(new Set([...costs.values()].map((cost) => JSON.stringify(cost))).size).toBe(1);
    expect(costs.get("new")).toMatchObject({ statements: 3 });
  });

  it("the subscriber is looked up only after the response", async () => {
    const email = address();
    await subscribe(visitorContext(), { email, source: "footer" });
    expect(await db.select().from(subscribers).where(eq(subscribers.email, email))).toEqual([]);
    expect(await rowOf(email)).toBeDefined();
  });

  it("the consent and its time are those of the request, however late it is answered", async () => {
    const email = address();
    const ctx = visitorContext();
    await subscribe(ctx, { email, source: "footer" });
    await deliver(later(DAY));
    expect(await rowOf(email)).toMatchObject({ consent: CONSENT, subscribedAt: ctx.now });
  });

  it("two concurrent requests send the same link twice", async () => {
    const email = address();
    for (let asked = 0; asked < 2; asked++) await subscribe(visitorContext(), { email, source: "footer" });
    const open = await db.select().from(outbox).where(isNull(outbox.doneAt));
    await Promise.all(open.map(({ id }) => deliverOutbox(jobContext({ jobs }), id, handlers)));
    const { stamp } = (await rowOf(email))!;
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(2);
    for (const { link } of mails) expect(decodeJwt(tokenIn(link))).toMatchObject({ stamp });
  });

  it("a pending request has no effect once the newsletter is off", async () => {
    const email = address();
    await subscribe(visitorContext(), { email, source: "footer" });
    await updateSite(ownerContext(), { features: { ...siteDefaults.features, newsletter: false } });
    try {
      expect(await rowOf(email)).toBeUndefined();
      expect(await mailsTo(email)).toEqual([]);
    } finally {
      await updateSite(ownerContext(), { features: siteDefaults.features });
    }
  });

  it.each([
    ["waiting", 1],
    ["unsubscribed", 1],
    ["bounced", 1],
    ["confirmed", 0],
    ["complained", 0],
  ] as const)("an address that is %s gets %i new emails", async (state, count) => {
    const email = await states[state]();
    const before = (await mailsTo(email)).length;
    await request(visitorContext(), email, "popup");
    expect((await mailsTo(email)).length - before).toBe(count);
  });

  it("a confirmed subscriber keeps the original consent", async () => {
    const { email } = await confirmed();
    const before = await rowOf(email);
    await request(later(DAY), email, "popup");
    expect(await rowOf(email)).toEqual(before);
  });

  it("no address gets more than three emails an hour, and every requester gets the same response", async () => {
    for (const email of [address(), (await confirmed()).email]) {
      await forgetRates();
      for (let asked = 0; asked < 3; asked++) expect((await post("subscribe", { email })).status).toBe(200);
      const refused = await post("subscribe", { email });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect((await mailsTo(email)).length).toBeLessThanOrEqual(3);
    }
  });

  it("an address requested 30 times concurrently gets exactly three emails", async () => {
    const email = address();
    const answers = await Promise.all(Array.from({ length: 30 }, () => post("subscribe", { email })));
    expect(await mailsTo(email)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(27);
    expect(Number(refused[0]?.headers.get("Retry-After"))).toBeGreaterThan(0);
  });

  it("one IP address that requests 80 addresses concurrently causes exactly 30 emails", async () => {
    const emails = Array.from({ length: 80 }, address);
    const ctx = visitorContext({ client: { address: household(), userAgent: "" } });
    await Promise.allSettled(emails.map((email) => subscribe(ctx, { email, source: "footer" })));
    expect(await mailsTo(...emails)).toHaveLength(30);
  });

  it("requests for a mailbox at its limit do not count towards the household's limit", async () => {
    const ctx = visitorContext({ client: { address: household(), userAgent: "" } });
    const full = address();
    for (let asked = 0; asked < 40; asked++) {
      await subscribe(ctx, { email: full, source: "footer" }).catch(() => {});
    }
    for (let asked = 0; asked < 27; asked++) await subscribe(ctx, { email: address(), source: "footer" });
    await expect(subscribe(ctx, { email: address(), source: "footer" })).rejects.toMatchObject({
      code: "too_many",
    });
  });
});

describe("a sign-up that looks like spam", () => {
  it.each([
    { leaveEmpty: "x" },
    { website: "https://ada.example" },
    { shownAt: Date.now() + DAY },
    { shownAt: "soon" },
  ])("with %j is confirmed by email, like any other", async (traits) => {
    const email = address();
    const response = await post("subscribe", { email, ...traits });
    expect(await response.json()).toEqual({ success: true, message: SUCCESS });
    expect(await rowOf(email)).toMatchObject({ state: "pending" });
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it("is accepted if its form was open for a while", async () => {
    const fields = { email: address(), shownAt: String(Date.now() - 2100), leaveEmpty: "", form: "footer" };
    expect((await post("subscribe", fields)).status).toBe(200);
    expect(await rowOf(fields.email)).toBeDefined();
  });
});

describe("a form without scripts", () => {
  const fields = () => ({
    email: address(),
    source: "footer",
    form: "footer",
    leaveEmpty: "",
    shownAt: String(Date.now() - 5000),
  });

  it("is accepted, and redirects to the message on the page that it came from", async () => {
    const sent = fields();
    const response = await postForm("subscribe", sent);
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/podcast?page=2#footer-sent");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await rowOf(sent.email)).toMatchObject({ source: "footer" });
  });

  it("that is refused redirects to the error message", async () => {
    const response = await postForm("subscribe", { ...fields(), email: "nonsense" });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/podcast?page=2#footer-failed");
  });

  it("that does not state when it was shown is accepted", async () => {
    const { shownAt: _, ...sent } = fields();
    const response = await postForm("subscribe", sent);
    expect(response.headers.get("Location")).toBe("/podcast?page=2#footer-sent");
    expect(await rowOf(sent.email)).toBeDefined();
  });

  it.each([
    ["subscribe", "/podcast?page=2"],
    ["verify", "/verify-email?token=x"],
    ["unsubscribe", "/unsubscribe?token=x"],
  ])("that %s sends too often redirects, too", async (path, page) => {
    const from = { "CF-Connecting-IP": household() };
    const burst = () =>
      Promise.all(
        Array.from({ length: MORE_THAN_A_BURST }, () => post(path, { token: "x", website: "x" }, from)),
      );
    // The ten-second window may change between the burst and the form.
    const isRefused = async () => {
      expect((await burst()).map(({ status }) => status)).toContain(429);
      const response = await postForm(path, { ...fields(), token: "x", form: "early" }, from);
      expect(response.status).toBe(303);
      expect(response.headers.get("Location")).toBe(`${page}#early-failed`);
    };
    await vi.waitFor(isRefused, { timeout: 60_000 });
  });

  it("whose hidden field is filled in is accepted, and redirects", async () => {
    const sent = { ...fields(), leaveEmpty: "x" };
    const response = await postForm("subscribe", sent);
    expect(response.headers.get("Location")).toBe("/podcast?page=2#footer-sent");
    expect(await mailsTo(sent.email)).toHaveLength(1);
  });

  it.each([
    ["https://evil.example/page", "/#footer-sent"],
    [`${SITE}//evil.example/`, "/evil.example/#footer-sent"],
    [`${SITE}/\\evil.example/`, "/evil.example/#footer-sent"],
    ["nonsense", "/#footer-sent"],
  ])("that claims to come from %s redirects nowhere else: %s", async (Referer, location) => {
    const response = await postForm("subscribe", fields(), { Referer });
    expect(response.headers.get("Location")).toBe(location);
  });

  it.each(["Footer", "a b", "x#y", ""])("cannot choose %j for a fragment", async (form) => {
    const response = await postForm("subscribe", { ...fields(), form });
    expect(response.headers.get("Location")).toBe("/podcast?page=2#form-sent");
  });

  it("is in the footer, with both result messages at the fragments of its redirects", async () => {
    const html = await (await fetchSite("/podcast")).text();
    const form = /<form[^>]*action="\/api\/newsletter\/subscribe".*?<\/form>/s.exec(html)?.[0] ?? "";
    expect(form).toContain('method="post"');
    expect(form).toContain('name="form" value="footer"');
    expect(form).toContain('name="source" value="footer"');
    expect(form).toMatch(/name="shownAt" value="\d{13}"/);
    expect(form).toMatch(/<input[^>]*name="leaveEmpty"/);
    expect(form).toContain("Subscribe Now");
    expect(form).toContain(CONSENT);
    expect(form).toMatch(new RegExp(`id="footer-sent"[^>]*>${SUCCESS}<`));
    expect(form).toMatch(/id="footer-failed"[^>]*>Failed to subscribe\. Please try again\.</);
  });

  it("is on each public page once, with the id of its redirect's fragment", async () => {
    await updateSite(ownerContext(), { newsletter: { ...siteDefaults.newsletter, archive: true } });
    const paths = Object.keys(pages).filter((path) => !path.includes(":"));
    const counts: Record<string, number[]> = {};
    for (const path of [...paths, "/letters/99", "/nothing/here"]) {
      const html = await (await fetchSite(path)).text();
      const count = (of: RegExp) => html.match(of)?.length ?? 0;
      counts[path] = [count(/<form[^>]*action="\/api\/newsletter\/subscribe"/g), count(/ id="newsletter"/g)];
    }
    expect(counts).toEqual(Object.fromEntries(Object.keys(counts).map((path) => [path, [1, 1]])));
  });

  it("is refused by routes that only accept JSON", async () => {
    const response = await fetchSite("/api/admin/session", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "email=a",
    });
    expect(response.status).toBe(400);
  });
});
