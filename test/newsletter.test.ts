import { eq } from "drizzle-orm";
import { SignJWT, UnsecuredJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { CONSENT } from "#worker/newsletter/contract.ts";
import {
  readVerification,
  signUnsubscribe,
  subscribe,
  unsubscribe,
  verifySubscriber,
} from "#worker/newsletter/subscribers.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { AppError } from "#worker/platform/errors.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Mail } from "#worker/platform/mail.ts";
import { signLink } from "#worker/platform/signed.ts";
import { outbox, signingKeys } from "#worker/platform/table.ts";
import { saveSite } from "#worker/settings/settings.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { fetchSite, jobContext, ownerContext, SITE, visitorContext as aVisitor } from "./support/client.ts";
import { unique } from "./support/factories.ts";
import { forgetRates } from "./support/rates.ts";

const SUCCESS = "Successfully subscribed! Check your email.";
const DAY = 86_400_000;
const db = jobContext().db;
const metrics = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };

const address = () => `reader-${unique()}@example.com`;
/** Its mails stay in the outbox: the runner does not end while dozens of queue messages are under way. */
const jobs = { send: async () => metrics, sendBatch: async () => metrics };
const visitorContext = (options: Partial<Context> = {}) => aVisitor({ jobs, ...options });
const later = (milliseconds: number) => visitorContext({ now: new Date(Date.now() + milliseconds) });

/** Each request in its own household, so that the limits of one test are not those of the next. */
let households = 0;
const household = () => `2001:db8:1:${(households++).toString(16)}::1`;

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetchSite(`/api/newsletter/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": household(), ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** As a browser without scripts posts it. */
const postForm = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  post(path, new URLSearchParams(fields).toString(), {
    "Content-Type": "application/x-www-form-urlencoded",
    "Sec-Fetch-Site": "same-origin",
    Referer: `${SITE}/podcast?page=2`,
    ...headers,
  });

const rowOf = async (email: string) =>
  (await db.select().from(subscribers).where(eq(subscribers.email, email)))[0];

async function mailsTo(email: string) {
  const rows = await db.select().from(outbox).orderBy(outbox.createdAt);
  return rows.map(({ payload }) => payload as Mail).filter(({ to }) => to === email);
}

const tokenIn = (link: string) => new URL(link).searchParams.get("token") ?? "";
const latestToken = async (email: string) => tokenIn((await mailsTo(email)).at(-1)?.link ?? "");

async function waiting(email = address()) {
  await subscribe(visitorContext(), { email, source: "footer" });
  return { email, token: await latestToken(email) };
}

async function confirmed(email?: string) {
  const subscriber = await waiting(email);
  await verifySubscriber(visitorContext(), subscriber);
  return { ...subscriber, id: (await rowOf(subscriber.email))!.id };
}

const setStatus = (email: string, status: "bounced" | "complained" | "unsubscribed") =>
  db.update(subscribers).set({ status }).where(eq(subscribers.email, email));

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("It was not refused."),
    (error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    },
  );

const messageOf = async (response: Response) =>
  ((await response.json()) as { error: { message: string } }).error.message;

const switchNewsletter = (newsletter: boolean) =>
  saveSite(ownerContext(), { features: { ...siteDefaults.features, newsletter } });

beforeEach(forgetRates);

describe("subscribing", () => {
  it("keeps an unconfirmed row with source and consent, and sends the link, in one go", async () => {
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
  });

  it("lowercases the address and needs no source", async () => {
    const email = address();
    expect((await post("subscribe", { email: ` ${email.toUpperCase()} ` })).status).toBe(200);
    expect(await rowOf(email)).toMatchObject({ source: "site" });
  });

  it("puts a way out into the mail's foot", async () => {
    const { email } = await waiting();
    const [mail] = await mailsTo(email);
    const link = /http:\/\/localhost:8787\/unsubscribe\?token=\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    expect(mail?.html).toContain(link.replaceAll("&", "&#38;"));
    await unsubscribe(visitorContext(), { token: tokenIn(link) });
    expect(await rowOf(email)).toMatchObject({ status: "unsubscribed" });
  });

  it("promises in the mail's foot no more than it keeps: whoever left may be asked again", async () => {
    const { email, token } = await waiting();
    await setStatus(email, "unsubscribed");
    await waiting(email);
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(2);
    for (const { text } of mails) {
      expect(text).toContain("To stop the letters, now or at any later time:");
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

  it("refuses what is neither JSON nor a form", async () => {
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

  it("refuses another site's page", async () => {
    const email = address();
    expect((await post("subscribe", { email }, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect(await rowOf(email)).toBeUndefined();
  });
});

describe("who subscribes is nobody's business", () => {
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

  it.each([
    ["waiting", 1],
    ["unsubscribed", 1],
    ["bounced", 1],
    ["confirmed", 0],
    ["complained", 0],
  ] as const)("one that is %s gets %i new mails", async (state, count) => {
    const email = await states[state]();
    const before = (await mailsTo(email)).length;
    await subscribe(visitorContext(), { email, source: "popup" });
    expect((await mailsTo(email)).length - before).toBe(count);
  });

  it("a confirmed one keeps the consent that it was given with", async () => {
    const { email } = await confirmed();
    const before = await rowOf(email);
    await subscribe(later(DAY), { email, source: "popup" });
    expect(await rowOf(email)).toEqual(before);
  });

  it("no address gets more than three mails an hour, whoever asks, and all are told so alike", async () => {
    for (const email of [address(), (await confirmed()).email]) {
      await forgetRates();
      for (let asked = 0; asked < 3; asked++) expect((await post("subscribe", { email })).status).toBe(200);
      const refused = await post("subscribe", { email });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect((await mailsTo(email)).length).toBeLessThanOrEqual(3);
    }
  });

  it("one household is refused beyond 30 an hour", async () => {
    const from = { "CF-Connecting-IP": "203.0.113.77" };
    // Bursts have a limit of their own; the honeypot makes these cheap and they count all the same.
    const statuses = new Set<number>();
    for (let sent = 0; sent < 32; sent++) {
      statuses.add((await post("subscribe", { email: address(), website: "x" }, from)).status);
    }
    expect([...statuses]).toEqual([200, 429]);
  });
});

describe("spam", () => {
  it("a machine that fills in the hidden field is thanked, and nothing is kept", async () => {
    const email = address();
    const response = await post("subscribe", { email, website: "https://spam.example" });
    expect(await response.json()).toEqual({ success: true, message: SUCCESS });
    expect(await rowOf(email)).toBeUndefined();
    expect(await mailsTo(email)).toEqual([]);
  });

  it("a form that was filled in sooner than a person could is refused, and nothing is kept", async () => {
    const email = address();
    const response = await post("subscribe", { email, shownAt: Date.now() - 500 });
    expect(response.status).toBe(422);
    expect(await messageOf(response)).toBe("That was very quick. Please wait a moment and send it again.");
    expect(await rowOf(email)).toBeUndefined();
  });

  it.each([[Date.now() + DAY], ["soon"]])("so is one that was shown at %s", async (shownAt) => {
    expect((await post("subscribe", { email: address(), shownAt })).status).toBe(422);
  });

  it("a form that was open for a while is taken", async () => {
    const fields = { email: address(), shownAt: String(Date.now() - 2100), website: "", form: "footer" };
    expect((await post("subscribe", fields)).status).toBe(200);
    expect(await rowOf(fields.email)).toBeDefined();
  });
});

describe("a form without scripts", () => {
  const fields = () => ({
    email: address(),
    source: "footer",
    form: "footer",
    website: "",
    shownAt: String(Date.now() - 5000),
  });

  it("is taken, and leads back to the message on the page that it came from", async () => {
    const sent = fields();
    const response = await postForm("subscribe", sent);
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/podcast?page=2#footer-sent");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await rowOf(sent.email)).toMatchObject({ source: "footer" });
  });

  it("that is refused leads back to the other message", async () => {
    const response = await postForm("subscribe", { ...fields(), email: "nonsense" });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/podcast?page=2#footer-failed");
  });

  it("that does not say when it was shown is refused: every page's form does", async () => {
    const { shownAt: _, ...sent } = fields();
    const response = await postForm("subscribe", sent);
    expect(response.headers.get("Location")).toBe("/podcast?page=2#footer-failed");
    expect(await rowOf(sent.email)).toBeUndefined();
  });

  it.each(["subscribe", "verify", "unsubscribe"])("that %s gets too often leads back too", async (path) => {
    const from = { "CF-Connecting-IP": household() };
    let status = 0;
    for (let sent = 0; sent < 40 && status !== 429; sent++) {
      status = (await post(path, { token: "x", website: "x" }, from)).status;
    }
    expect(status).toBe(429);
    const response = await postForm(path, { ...fields(), form: "early" }, from);
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/podcast?page=2#early-failed");
  });

  it("whose field for machines is filled in leads back as if it were taken", async () => {
    const sent = { ...fields(), website: "x" };
    const response = await postForm("subscribe", sent);
    expect(response.headers.get("Location")).toBe("/podcast?page=2#footer-sent");
    expect(await rowOf(sent.email)).toBeUndefined();
  });

  it.each([
    ["https://evil.example/page", "/#footer-sent"],
    [`${SITE}//evil.example/`, "/evil.example/#footer-sent"],
    [`${SITE}/\\evil.example/`, "/evil.example/#footer-sent"],
    ["nonsense", "/#footer-sent"],
  ])("that says it came from %s leads nowhere else: %s", async (Referer, location) => {
    const response = await postForm("subscribe", fields(), { Referer });
    expect(response.headers.get("Location")).toBe(location);
  });

  it.each(["Footer", "a b", "x#y", ""])("cannot choose %j for a fragment", async (form) => {
    const response = await postForm("subscribe", { ...fields(), form });
    expect(response.headers.get("Location")).toBe("/podcast?page=2#form-sent");
  });

  it("stands in the footer of a page, with both messages at the fragments that it leads to", async () => {
    const html = await (await fetchSite("/podcast")).text();
    const form = /<form[^>]*action="\/api\/newsletter\/subscribe".*?<\/form>/s.exec(html)?.[0] ?? "";
    expect(form).toContain('method="post"');
    expect(form).toContain('name="form" value="footer"');
    expect(form).toContain('name="source" value="footer"');
    expect(form).toMatch(/name="shownAt" value="\d{13}"/);
    expect(form).toMatch(/<input[^>]*name="website"/);
    expect(form).toContain("Subscribe Now");
    expect(form).toContain(CONSENT);
    expect(form).toMatch(new RegExp(`id="footer-sent"[^>]*>${SUCCESS}<`));
    expect(form).toMatch(/id="footer-failed"[^>]*>Failed to subscribe\. Please try again\.</);
  });

  it("is refused by routes that take JSON only", async () => {
    const response = await fetchSite("/api/admin/session", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "email=a",
    });
    expect(response.status).toBe(400);
  });
});

describe("confirming", () => {
  it("activates the address and answers with it", async () => {
    const { email, token } = await waiting();
    const response = await post("verify", { token });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      success: true,
      message: "Your subscription is confirmed.",
      email,
    });
    expect((await rowOf(email))?.verifiedAt).toBeInstanceOf(Date);
  });

  it("works once", async () => {
    const { token } = await waiting();
    expect((await post("verify", { token })).status).toBe(200);
    const again = await post("verify", { token });
    expect(again.status).toBe(422);
    expect(await messageOf(again)).toBe("Verification failed");
  });

  it("of an earlier mail works too, and ends the later one's", async () => {
    const { email, token } = await waiting();
    await subscribe(visitorContext(), { email, source: "footer" });
    const second = await latestToken(email);
    await verifySubscriber(visitorContext(), { token });
    expect((await refusalOf(verifySubscriber(visitorContext(), { token: second }))).message).toBe(
      "Verification failed",
    );
  });

  it("works for 7 days and not longer", async () => {
    const { email, token } = await waiting();
    expect((await refusalOf(verifySubscriber(later(7 * DAY + 1000), { token }))).code).toBe("invalid");
    expect((await rowOf(email))?.verifiedAt).toBeNull();
    await verifySubscriber(later(7 * DAY - 60_000), { token });
    expect((await rowOf(email))?.verifiedAt).not.toBeNull();
  });

  it.each([{}, { token: "" }])("without a token, %j, says that the link is invalid", async (body) => {
    const response = await post("verify", body);
    expect(response.status).toBe(422);
    expect(await messageOf(response)).toBe(
      "Invalid verification link. Please check your email and try again.",
    );
  });

  it("refuses a token that is made up, unsigned, of another key or of another purpose", async () => {
    const { email } = await waiting();
    const { id, stamp } = (await rowOf(email))!;
    const claims = { stamp };
    const unsigned = new UnsecuredJWT(claims)
      .setAudience("verify-subscriber")
      .setSubject(id)
      .setExpirationTime("1h")
      .encode();
    const sign = (secret: string, alg: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg })
        .setAudience("verify-subscriber")
        .setSubject(id)
        .setExpirationTime("1h")
        .sign(new TextEncoder().encode(secret));
    const [key] = await db.select().from(signingKeys);
    const other = (purpose: "verify-admin" | "reset-password" | "unsubscribe") =>
      signLink(visitorContext(), { purpose, subject: id, stamp }, 3600);
    for (const token of [
      "nonsense",
      "a".repeat(2001),
      unsigned,
      await sign("a key of somebody else's, long enough", "HS256"),
      await sign(key!.secret.repeat(2), "HS512"),
      await other("verify-admin"),
      await other("reset-password"),
      await other("unsubscribe"),
    ]) {
      const response = await post("verify", { token });
      expect(response.status).toBe(422);
      expect(await messageOf(response)).toBe("Verification failed");
    }
    expect((await rowOf(email))?.verifiedAt).toBeNull();
    // The control: the same claims, rightly signed.
    expect((await post("verify", { token: await sign(key!.secret, "HS256") })).status).toBe(200);
  });

  it("lets somebody come back who had left, and only by the mail", async () => {
    const { email, id } = await confirmed();
    await unsubscribe(visitorContext(), { token: await signUnsubscribe(visitorContext(), { id }) });
    await subscribe(visitorContext(), { email, source: "footer" });
    expect(await rowOf(email)).toMatchObject({ status: "unsubscribed" });
    await verifySubscriber(visitorContext(), { token: await latestToken(email) });
    expect(await rowOf(email)).toMatchObject({ status: "active", unsubscribedAt: null });
  });

  it("does not work by a mail from before somebody left", async () => {
    const { email, token } = await waiting();
    const { id } = (await rowOf(email))!;
    await unsubscribe(visitorContext(), { token: await signUnsubscribe(visitorContext(), { id }) });
    expect((await refusalOf(verifySubscriber(visitorContext(), { token }))).message).toBe(
      "Verification failed",
    );
  });

  it("without scripts leads to the page that says so, or back", async () => {
    const { token } = await waiting();
    const Referer = `${SITE}/verify-email?token=${token}`;
    const first = await postForm("verify", { token, form: "link" }, { Referer });
    expect(first.status).toBe(303);
    expect(first.headers.get("Location")).toBe("/verify-email?confirmed=1");
    const again = await postForm("verify", { token, form: "link" }, { Referer });
    expect(again.headers.get("Location")).toBe(`/verify-email?token=${token}#link-failed`);
  });
});

describe("the page of the link", () => {
  const open = async (path: string) => {
    const response = await fetchSite(path);
    return { response, html: (await response.text()).replaceAll("<!-- -->", "") };
  };

  it("changes nothing by being opened, however often, and asks for a press of the button", async () => {
    const { email, token } = await waiting();
    for (let opened = 0; opened < 3; opened++) {
      const { response, html } = await open(`/verify-email?token=${token}`);
      expect(response.status).toBe(200);
      expect(html).toContain(email);
      expect(html).toMatch(/<form[^>]*action="\/api\/newsletter\/verify"[^>]*method="post"/);
    }
    await fetchSite(`/verify-email?token=${token}`, { method: "HEAD" });
    expect((await rowOf(email))?.verifiedAt).toBeNull();
  });

  it("is kept by nobody and found by no search engine, as is what the router asks for", async () => {
    const { token } = await waiting();
    for (const path of [`/verify-email?token=${token}`, `/unsubscribe?token=${token}`]) {
      const { response, html } = await open(path);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(html).toContain('<meta name="robots" content="noindex"/>');
      const [name, query] = path.split("?");
      const data = await open(`${name}.data?${query}`);
      expect(data.response.headers.get("Cache-Control")).toBe("no-store");
    }
  });

  it.each([
    ["/verify-email", "Invalid verification link. Please check your email and try again."],
    ["/verify-email?token=nonsense", "A link works once, for 7 days. Subscribe again and a new one is sent."],
    ["/verify-email?confirmed=1", "Your subscription is confirmed."],
    ["/unsubscribe?token=nonsense", "This unsubscribe link is not valid."],
    ["/unsubscribe?done=1", "No more letters will be sent."],
  ])("%s says: %s", async (path, message) => {
    const { response, html } = await open(path);
    expect(response.status).toBe(200);
    expect(html).toContain(message);
  });

  it("says that verification failed for a link that was used", async () => {
    const { token } = await confirmed();
    const { html } = await open(`/verify-email?token=${token}`);
    expect(html).toMatch(/<h1[^>]*>Verification failed<\/h1>/);
    expect(await readVerification(visitorContext(), token)).toEqual({
      state: "invalid",
      message: "Verification failed",
    });
  });
});

describe("leaving", () => {
  const tokenFor = (id: string) => signUnsubscribe(visitorContext(), { id });

  it("by one click needs no cookie, no origin, no JSON: a mail provider posts", async () => {
    const { email, id } = await confirmed();
    const response = await post(`unsubscribe?token=${await tokenFor(id)}`, "List-Unsubscribe=One-Click", {
      "Content-Type": "application/x-www-form-urlencoded",
      Origin: "https://mail.example",
      "Sec-Fetch-Site": "cross-site",
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ success: true, message: "You are unsubscribed." });
    expect(await rowOf(email)).toMatchObject({ status: "unsubscribed" });
    expect((await rowOf(email))?.unsubscribedAt).toBeInstanceOf(Date);
  });

  it("works with a multipart body and with none", async () => {
    for (const body of [new FormData(), undefined]) {
      body?.set("List-Unsubscribe", "One-Click");
      const { email, id } = await confirmed();
      const path = `/api/newsletter/unsubscribe?token=${await tokenFor(id)}`;
      const response = await fetchSite(path, {
        method: "POST",
        headers: { "CF-Connecting-IP": household() },
        body,
      });
      expect(response.status).toBe(200);
      expect(await rowOf(email)).toMatchObject({ status: "unsubscribed" });
    }
  });

  it("may be asked for again, years later, and for somebody who was deleted", async () => {
    const { email, id } = await confirmed();
    const token = await tokenFor(id);
    await unsubscribe(later(4 * 365 * DAY), { token });
    const left = (await rowOf(email))?.unsubscribedAt;
    await unsubscribe(later(4 * 365 * DAY + DAY), { token });
    expect((await rowOf(email))?.unsubscribedAt).toEqual(left);
    await db.delete(subscribers).where(eq(subscribers.id, id));
    await unsubscribe(visitorContext(), { token });
  });

  it("does not hide that an address complained", async () => {
    const { email, id } = await confirmed();
    await setStatus(email, "complained");
    await unsubscribe(visitorContext(), { token: await tokenFor(id) });
    expect(await rowOf(email)).toMatchObject({ status: "complained" });
  });

  it("is not done by a GET, which leads to a page with a button", async () => {
    const { email, id } = await confirmed();
    const token = await tokenFor(id);
    const response = await fetchSite(`/api/newsletter/unsubscribe?token=${token}`);
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(`/unsubscribe?token=${token}`);
    const html = await (await fetchSite(`/unsubscribe?token=${token}`)).text();
    expect(html).toMatch(/<form[^>]*action="\/api\/newsletter\/unsubscribe"[^>]*method="post"/);
    expect(html).toContain(email);
    expect(await rowOf(email)).toMatchObject({ status: "active" });
  });

  it("from that page without scripts leads to the page that says so", async () => {
    const { email, id } = await confirmed();
    const response = await postForm("unsubscribe", { token: await tokenFor(id), form: "link" });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/unsubscribe?done=1");
    expect(await rowOf(email)).toMatchObject({ status: "unsubscribed" });
  });

  it("is refused to a link of another purpose, and to none", async () => {
    const { email, token } = await waiting();
    for (const each of [`unsubscribe?token=${token}`, "unsubscribe?token=", "unsubscribe"]) {
      const response = await post(each, {});
      expect(response.status).toBe(422);
      expect(await messageOf(response)).toBe(
        "This unsubscribe link is not valid. Please use the one of a newer email.",
      );
    }
    expect(await rowOf(email)).toMatchObject({ status: "active" });
  });

  it("is the only write that another site may send", async () => {
    const response = await post("verify", { token: "x" }, { "Sec-Fetch-Site": "cross-site" });
    expect(response.status).toBe(403);
  });
});

describe("while the newsletter is switched off", () => {
  it("nobody can sign up or confirm, no form is shown, and everybody can leave", async () => {
    const { email, token } = await waiting();
    const row = await rowOf(email);
    await switchNewsletter(false);
    try {
      expect((await post("subscribe", { email: address() })).status).toBe(404);
      expect((await post("verify", { token })).status).toBe(404);
      expect((await fetchSite(`/verify-email?token=${token}`)).status).toBe(404);
      const html = await (await fetchSite("/podcast")).text();
      expect(html).not.toContain("/api/newsletter/subscribe");
      expect(html).not.toContain('id="newsletter"');
      await unsubscribe(visitorContext(), { token: await signUnsubscribe(visitorContext(), row!) });
      expect(await rowOf(email)).toMatchObject({ status: "unsubscribed" });
    } finally {
      await switchNewsletter(true);
    }
  });
});
