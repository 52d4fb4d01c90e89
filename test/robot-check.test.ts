import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { pruneUnconfirmedEnquiries } from "#worker/enquiries/confirm-commands.ts";
import { CONFIRM_BY_MAIL } from "#worker/enquiries/limits.ts";
import { updateEnquiry } from "#worker/enquiries/owner/commands.ts";
import { enquiries } from "#worker/enquiries/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { jobContext, ownerContext, SITE } from "./support/client.ts";
import {
  aMessage,
  anAddress,
  errorOf,
  forms,
  mailsAbout,
  postFields,
  postForm,
  postJson,
  rowsOf,
  typed,
} from "./support/forms.ts";
import { DAY, tokenIn } from "./support/newsletter.ts";
import { open } from "./support/pages.ts";
import { forgetRates } from "./support/rates.ts";
import { TURNSTILE_SECRET } from "./support/turnstile-server.ts";
import worker from "./support/worker.ts";

beforeEach(forgetRates);

const HOST = "https://challenges.cloudflare.com";

const keys = (secret = TURNSTILE_SECRET) => ({
  TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
  TURNSTILE_SECRET_KEY: secret,
  TURNSTILE_URL: `http://127.0.0.1:${inject("turnstile")}`,
});

const FIELD = "cf-turnstile-response";
const { path } = forms.message;

const send = (body: object, bindings: object = keys()) => postJson(path, body, { bindings });

async function page(at: string, bindings: object) {
  const execution = createExecutionContext();
  const request = new Request(`${SITE}${at}`);
  const response = await worker.fetch(request as never, { ...env, ...bindings } as Env, execution);
  const html = await response.text();
  await waitOnExecutionContext(execution);
  return { html, policy: response.headers.get("Content-Security-Policy") ?? "" };
}

// The stand-in answers immediately or closes the connection: a stall of this machine is not Turnstile's.
beforeEach(() => {
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);
});
afterEach(() => vi.restoreAllMocks());

describe("Turnstile", () => {
  it("is in the content policy only while both keys are set", async () => {
    const { html, policy } = await page("/contact", keys());
    expect(policy).toMatch(new RegExp(`script-src [^;]*${HOST}(;| )`));
    expect(policy).toMatch(new RegExp(`frame-src [^;]*${HOST}(;| )`));
    expect(html).toContain("1x00000000000000000000AA");
    expect(html).not.toContain(TURNSTILE_SECRET);
    // The login asks after some failures.
    expect((await page("/admin/login", keys())).policy).toContain(HOST);
    for (const bindings of [{}, { TURNSTILE_SITE_KEY: "1x" }, { TURNSTILE_SECRET_KEY: "1x" }]) {
      expect((await page("/contact", bindings)).policy).not.toContain(HOST);
    }
  });

  it("lets a person's token through, once", async () => {
    const token = `ok-${crypto.randomUUID()}`;
    const sent = aMessage();
    expect((await send({ ...sent, [FIELD]: token })).status).toBe(200);
    expect((await rowsOf(sent.email))[0]).toMatchObject({ box: "new" });
    const again = await errorOf(await send({ ...aMessage(), [FIELD]: token }));
    expect(again).toMatchObject({
      code: "invalid",
      field: FIELD,
      message: expect.stringMatching(/robot check/),
    });
  });

  it.each(["forged", "x".repeat(3000)])("refuses an invalid token", async (token) => {
    const sent = aMessage();
    expect((await send({ ...sent, [FIELD]: token })).status).toBe(422);
    expect(await rowsOf(sent.email)).toEqual([]);
  });

  it.each([
    ["without a token", {}, keys],
    ["while it is out of order", { [FIELD]: "down" }, keys],
    ["while it hangs up", { [FIELD]: "cut" }, keys],
    ["with a wrong secret", { [FIELD]: "ok-1" }, () => keys("0x-wrong")],
  ])("lets the sender confirm by email: %s", async (_, token, bindings) => {
    const sent = aMessage();
    const response = await send({ ...sent, ...token }, bindings());
    expect(await response.json()).toEqual({ success: true, message: CONFIRM_BY_MAIL, isUnconfirmed: true });
    expect((await rowsOf(sent.email))[0]).toMatchObject({ box: "unconfirmed", confirmedAt: null });
    const { toOwner, toSender } = await mailsAbout(sent.email);
    expect([toOwner.length, toSender.length]).toEqual([0, 1]);
    expect(toSender[0]?.link).toMatch(/^http:\/\/localhost:8787\/confirm-enquiry\?token=/);
  });

  it("is missing without scripts, where the response asks to confirm by email", async () => {
    const options = { bindings: keys() };
    const message = await postForm(path, typed("message", aMessage()), options);
    expect(message.headers.get("Location")).toBe("/contact#contact-confirm");
    const booking = await postForm(forms.booking.path, typed("booking", forms.booking.valid()), options);
    expect(booking.headers.get("Location")).toBe("/speaking/book?requested=unconfirmed");
    expect((await open("/speaking/book?requested=unconfirmed")).text).toContain(CONFIRM_BY_MAIL);
  });

  it("asks the sender to confirm what has a listed word, which is in the spam until then", async () => {
    await updateSite(ownerContext(), { spam: { words: ["casino"], links: 2 } });
    const sent = aMessage({ subject: "Casino" });
    expect(await (await send(sent)).json()).toMatchObject({ isUnconfirmed: true });
    expect((await rowsOf(sent.email))[0]).toMatchObject({ box: "spam" });
    const [mail] = (await mailsAbout(sent.email)).toSender;
    await postJson("/api/enquiries/confirm", { token: tokenIn(mail?.link ?? "") });
    expect((await rowsOf(sent.email))[0]).toMatchObject({ box: "new", spamReason: "It has “casino”." });
    await updateSite(ownerContext(), { spam: siteDefaults.spam });
  });

  it("is not asked about what seems to be sent by a program: that is confirmed by email", async () => {
    const sent = aMessage({ leaveEmpty: "x", [FIELD]: "forged" });
    expect(await (await send(sent)).json()).toMatchObject({ isUnconfirmed: true });
    expect((await rowsOf(sent.email))[0]).toMatchObject({ box: "spam" });
  });

  it("floods no mailbox with links", async () => {
    const email = anAddress();
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) {
      statuses.push((await send(aMessage({ email, subject: `Number ${count}` }))).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});

describe("the link of a confirmation", () => {
  async function unconfirmed() {
    const sent = aMessage();
    await send(sent);
    const [mail] = (await mailsAbout(sent.email)).toSender;
    return { sent, token: tokenIn(mail?.link ?? "") };
  }
  const confirm = (token: unknown) => postJson("/api/enquiries/confirm", { token } as object);

  it("shows a button and changes nothing", async () => {
    const { sent, token } = await unconfirmed();
    const { html, response } = await open(`/confirm-enquiry?token=${token}`);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(html).toContain("Confirm your message");
    expect(html).toContain(sent.email);
    expect((await rowsOf(sent.email))[0]).toMatchObject({ box: "unconfirmed" });
  });

  it("has it arrive once, with both emails", async () => {
    const { sent, token } = await unconfirmed();
    const answers = await Promise.all([confirm(token), confirm(token), confirm(token)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [row] = await rowsOf(sent.email);
    expect(row).toMatchObject({ box: "new" });
    const { toOwner, toSender } = await mailsAbout(sent.email);
    expect(toOwner.map(({ link }) => link)).toEqual([`${env.SITE_URL}/admin/guests/messages/${row?.id}`]);
    expect(toSender).toHaveLength(2);
  });

  it("does not release an enquiry that the owner marked as spam", async () => {
    const { sent, token } = await unconfirmed();
    await confirm(token);
    const [row] = await rowsOf(sent.email);
    await updateEnquiry(ownerContext(), "message", row!.id, { isSpam: true });
    expect((await confirm(token)).status).toBe(200);
    expect((await rowsOf(sent.email)).map(({ box }) => box)).toEqual(["spam"]);
    const { toOwner, toSender } = await mailsAbout(sent.email);
    expect([toOwner.length, toSender.length]).toEqual([1, 2]);
  });

  it("releases the latest of several that are the same", async () => {
    const { sent, token } = await unconfirmed();
    await confirm(token);
    // A repeated enquiry is stored again after ten minutes.
    const past = new Date(Date.now() - 11 * 60_000);
    await jobContext().db.update(enquiries).set({ createdAt: past }).where(eq(enquiries.email, sent.email));
    expect(await (await send(sent)).json()).toMatchObject({ isUnconfirmed: true });
    const boxes = async () => (await rowsOf(sent.email)).map(({ box }) => box);
    expect(await boxes()).toEqual(["new", "unconfirmed"]);
    const links = (await mailsAbout(sent.email)).toSender.map(({ link }) => link ?? "");
    await confirm(tokenIn(links.findLast((link) => link.includes("/confirm-enquiry"))!));
    expect(await boxes()).toEqual(["new", "new"]);
  });

  it("works without scripts", async () => {
    const { sent, token } = await unconfirmed();
    const response = await postFields("/api/enquiries/confirm", { token, form: "link" });
    expect(response.headers.get("Location")).toBe("/confirm-enquiry?confirmed=1");
    expect((await rowsOf(sent.email))[0]).toMatchObject({ box: "new" });
    expect((await open("/confirm-enquiry?confirmed=1")).text).toContain("We’ve got it");
    const refused = await postFields("/api/enquiries/confirm", { token: "nonsense", form: "link" });
    expect(refused.headers.get("Location")).toBe("/confirm-enquiry?token=nonsense#link-failed");
  });

  it.each([undefined, "", "nonsense", "x".repeat(2000), ["a"]])("is refused as %j", async (token) => {
    expect(await errorOf(await confirm(token))).toMatchObject({ code: "invalid", field: "token" });
  });

  it("is not needed once the same is sent again with a token: it arrives, once", async () => {
    const { sent, token } = await unconfirmed();
    const again = await send({ ...sent, [FIELD]: `ok-${crypto.randomUUID()}` });
    expect(await again.json()).not.toHaveProperty("isUnconfirmed");
    const [row, ...others] = await rowsOf(sent.email);
    expect([row!.box, others]).toEqual(["new", []]);
    const notice = `${env.SITE_URL}/admin/guests/messages/${row!.id}`;
    expect((await mailsAbout(sent.email)).toOwner.map(({ link }) => link)).toEqual([notice]);

    expect((await confirm(token)).status).toBe(200);
    expect(await rowsOf(sent.email)).toEqual([row]);
    const { toOwner, toSender } = await mailsAbout(sent.email);
    expect([toOwner.length, toSender.length]).toEqual([1, 2]);
  });

  it("is not promised if the same enquiry has arrived just before", async () => {
    const sent = aMessage();
    await send({ ...sent, [FIELD]: `ok-${crypto.randomUUID()}` });
    const again = await send(sent);
    expect(again.status).toBe(200);
    expect(await again.json()).not.toHaveProperty("isUnconfirmed");
    expect((await rowsOf(sent.email)).map(({ box }) => box)).toEqual(["new"]);
    const { toOwner, toSender } = await mailsAbout(sent.email);
    expect([toOwner.length, toSender.length]).toEqual([1, 1]);
  });

  it("is promised again if the same enquiry is waiting for it", async () => {
    const { sent } = await unconfirmed();
    expect(await (await send(sent)).json()).toMatchObject({ isUnconfirmed: true });
    expect(await rowsOf(sent.email)).toHaveLength(1);
    expect((await mailsAbout(sent.email)).toSender).toHaveLength(1);
  });

  it("ends with more of them than one batch", async () => {
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2100)
      insert into enquiries (kind, status, name, email, title, fields, digest, created_at, updated_at)
      select 'message', 'new', 'Old', 'old@example.com', 'Old', '{}', 'old-' || i, 0, 0 from n`,
    ).run();
    await pruneUnconfirmedEnquiries(jobContext());
    expect(await rowsOf("old@example.com")).toEqual([]);
  });

  it("expires after a week, and what it would have confirmed is deleted", async () => {
    const { sent } = await unconfirmed();
    const later = (days: number) => jobContext({ now: new Date(Date.now() + days * DAY) });
    await pruneUnconfirmedEnquiries(later(7));
    expect(await rowsOf(sent.email)).toHaveLength(1);
    const arrived = aMessage();
    await postJson(path, arrived);
    const controller = createScheduledController({
      cron: "17 3 * * *",
      scheduledTime: new Date(Date.now() + 9 * DAY),
    });
    await worker.scheduled(controller, env, createExecutionContext());
    expect(await rowsOf(sent.email)).toEqual([]);
    expect(await rowsOf(arrived.email)).toHaveLength(1);
  });
});
