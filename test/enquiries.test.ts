import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { submitBooking, submitMessage } from "#worker/enquiries/submit-commands.ts";
import { CONFIRM_BY_MAIL, enquiryAnswers } from "#worker/enquiries/limits.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { users } from "#worker/accounts/table.ts";
import { addUser } from "./support/accounts.ts";
import { jobContext, ownerContext, visitorContext } from "./support/client.ts";
import {
  aBooking,
  aMessage,
  anAddress,
  anApplication,
  errorOf,
  forms,
  household,
  mailsAbout,
  postForm,
  postJson,
  rowsOf,
  typed,
} from "./support/forms.ts";
import { jobs, tokenIn } from "./support/newsletter.ts";
import { open } from "./support/pages.ts";
import { forgetRates } from "./support/rates.ts";
import { sweepsAll } from "./support/sweeps.ts";

beforeEach(forgetRates);

const { application, message, booking } = forms;

/** Eleven code points, one character. */
const FAMILY = "👩🏽‍❤️‍💋‍👨🏿👨‍👩‍👧‍👦".slice(0, "👩🏽‍❤️‍💋‍👨🏿".length);

describe.each(Object.entries(forms))("the form of an enquiry: %s", (name, { path, page, valid }) => {
  const kind = name as keyof typeof forms;

  it("stores what was sent, and thanks the sender", async () => {
    const sent = valid();
    const response = await postJson(path, sent);
    expect(response.status).toBe(200);
    const { success } = enquiryAnswers[kind];
    expect(await response.json()).toEqual({ success: true, message: success });
    const [row, ...others] = await rowsOf(sent.email);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      kind,
      status: kind === "application" ? "pending" : "new",
      box: kind === "application" ? "pending" : "new",
      name: sent.name,
      isSpam: false,
    });
    const { name: _name, email: _email, consent: _consent, ...fields } = sent as Record<string, unknown>;
    expect(row?.fields).toEqual(fields);
  });

  it("stores one row for duplicates within ten minutes, and another one afterwards", async () => {
    const sent = valid();
    const all = await Promise.all(Array.from({ length: 5 }, () => postJson(path, sent)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await rowsOf(sent.email)).toHaveLength(1);
    const { toSender, toOwner } = await mailsAbout(sent.email);
    expect([toSender.length, toOwner.length]).toEqual([1, 1]);
    await env.DB.prepare("update enquiries set created_at = created_at - 600000 where email = ?")
      .bind(sent.email)
      .run();
    await postJson(path, sent);
    expect(await rowsOf(sent.email)).toHaveLength(2);
  });

  it("emails the owner the whole enquiry with a link to it, and the sender a receipt", async () => {
    const sent = valid();
    await postJson(path, sent);
    const [row] = await rowsOf(sent.email);
    const { toSender, toOwner } = await mailsAbout(sent.email);
    const [notice] = toOwner;
    expect(notice?.to).toBe(env.ADMIN_EMAIL);
    expect(notice?.replyTo).toEqual({ address: sent.email, name: sent.name });
    const folder = { application: "", message: "messages/", booking: "bookings/" }[kind];
    expect(notice?.link).toBe(`${env.SITE_URL}/admin/guests/${folder}${row?.id}`);
    expect(notice?.html).toContain(`/admin/guests/${folder}${row?.id}"`);
    for (const [field, value] of Object.entries(sent)) {
      if (["consent", "type", "engagementType", "honorarium"].includes(field)) continue;
      expect(notice?.text, field).toContain(value);
    }
    const [receipt, ...more] = toSender;
    expect(more).toEqual([]);
    expect(receipt?.text).toContain("Hello Maren,");
    expect(receipt?.link).toBe("");
  });

  it("redirects a browser without scripts to the success message", async () => {
    const sent = valid();
    const response = await postForm(path, typed(kind, sent));
    expect(response.status).toBe(303);
    const target = response.headers.get("Location") ?? "";
    expect(target).toBe(
      {
        application: "/guest#application-sent",
        message: "/contact#contact-sent",
        booking: "/speaking/book?requested=yes",
      }[kind],
    );
    expect(await rowsOf(sent.email)).toHaveLength(1);
  });

  it("shows a browser without scripts the page with the typed values and the error beside the field", async () => {
    const sent = valid({ email: "nobody", name: '"Maren" <b>' });
    const response = await postForm(path, typed(kind, sent));
    expect(response.status).toBe(422);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const html = await response.text();
    expect(html).toContain("Email is invalid");
    expect(html).not.toContain("<script");
    const input = /<input[^>]*name="email"[^>]*value="nobody"[^>]*>/.exec(html)?.[0];
    expect(input).toContain('aria-invalid="true"');
    expect(input).toMatch(/ autofocus/i);
    expect(html).toContain('value="&quot;Maren&quot; &lt;b&gt;"');
    if ("consent" in sent) expect(html).toMatch(/<input[^>]*name="consent"[^>]*checked/);
    expect((await open(page)).html).not.toContain("&quot;Maren&quot;");
  });

  it("names every invalid field in its response and on its page", async () => {
    const sent = valid({ email: "nobody", name: " " });
    const fields = { name: "Name is required", email: "Email is invalid" };
    expect(await errorOf(await postJson(path, sent))).toEqual({
      code: "invalid",
      message: "Name is required",
      field: "name",
      fields,
    });
    const html = await (await postForm(path, typed(kind, sent))).text();
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(2);
    for (const words of Object.values(fields)) expect(html).toMatch(new RegExp(`-error"[^>]*>${words}<`));
    const focused = [...html.matchAll(/<input[^>]* autofocus[^>]*>/gi)].map(([input]) => input);
    expect(focused).toEqual([expect.stringContaining('name="name"')]);
  });

  it("refuses 100,000 characters with an error beside their field", async () => {
    const long = { application: "position", message: "message", booking: "additionalInfo" }[kind];
    const most = { application: "3000", message: "5000", booking: "5000" }[kind];
    const text = "ж".repeat(100_000);
    const sent = valid({ [long]: text });
    const error = await errorOf(await postJson(path, sent));
    expect(error).toMatchObject({ code: "invalid", field: long });
    expect(error.message).toContain(most);
    const back = await postForm(path, typed(kind, sent));
    expect(back.status).toBe(422);
    const html = await back.text();
    expect(html).toContain(error.message);
    expect(html).toContain(text);
    expect(await rowsOf(sent.email)).toEqual([]);
  });

  it("counts an emoji of many code points as one character", async () => {
    const sent = valid({ name: FAMILY.repeat(120) });
    expect((await postJson(path, sent)).status).toBe(200);
    expect((await rowsOf(sent.email))[0]?.name).toBe(FAMILY.repeat(120));
    const error = await errorOf(await postJson(path, valid({ name: FAMILY.repeat(121) })));
    expect(error).toMatchObject({ field: "name", message: "Name has at most 120 characters." });
  });

  it("accepts an Arabic name, and an address with a plus and an apostrophe", async () => {
    const sent = valid({ name: "نور الهدى", email: `o'hara+talks.${crypto.randomUUID()}@example.com` });
    expect((await postJson(path, sent)).status).toBe(200);
    const { toSender } = await mailsAbout(sent.email);
    expect(toSender[0]?.text).toContain("Hello نور,");
  });

  it.each([
    [{ name: " " }, "name", "Name is required"],
    [{ name: "A\r\nBcc: all@example.com" }, "name", /one line/],
    [{ name: "Maren\u202Eexe" }, "name", /U\+202E/],
    [{ email: '"a b"@example.com' }, "email", "Email is invalid"],
    [{ email: "a@example.com\r\nBcc: b@example.com" }, "email", "Email is invalid"],
    [{ status: "approved" }, undefined, /status/],
  ])("refuses %j beside its field", async (change, field, words) => {
    const error = await errorOf(await postJson(path, valid(change)));
    expect(error).toMatchObject({ code: "invalid", message: expect.stringMatching(words) });
    expect(error.field).toBe(field);
  });

  it("allows a household's enquiries, and refuses more with a message in the form", async () => {
    const BURST = { limit: async () => ({ success: true }) };
    const options = { headers: { "CF-Connecting-IP": household() }, bindings: { BURST } };
    const statuses: number[] = [];
    for (let count = 0; count < 25; count++) {
      statuses.push((await postJson(path, valid(), options)).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    const last = await postForm(path, typed(kind, valid()), options);
    expect(last.status).toBe(429);
    expect(Number(last.headers.get("Retry-After"))).toBeGreaterThan(0);
    const html = await last.text();
    expect(html).toContain("Too many requests. Please wait a little and try again.");
    expect(html).toContain('value="Maren Oakleigh"');
  });

  it.each([
    [{ leaveEmpty: "https://ada.example" }, "A hidden field was filled in."],
    // The field's previous name, which a page in an old tab sends.
    [{ website: "https://ada.example" }, "A hidden field was filled in."],
    [{ shownAt: String(Date.now() + 3_600_000) }, "It was sent within 2 seconds."],
    [{ shownAt: "soon" }, "The time the form was shown is missing."],
  ])("stores what was sent with %j as spam, and asks the sender to confirm", async (traits, reason) => {
    const sent = valid();
    const response = await postJson(path, { ...sent, ...traits });
    expect(await response.json()).toEqual({ success: true, message: CONFIRM_BY_MAIL, isUnconfirmed: true });
    expect(await rowsOf(sent.email)).toMatchObject([{ box: "spam", spamReason: reason }]);
    const { toSender, toOwner } = await mailsAbout(sent.email);
    expect([toSender.length, toOwner.length]).toEqual([1, 0]);
    expect(toSender[0]?.link).toMatch(/\/confirm-enquiry\?token=/);
    expect(toSender[0]?.text).toContain("treated as spam and deleted after 30 days");
  });

  it("asks a browser without scripts that filled in the hidden field to confirm by email", async () => {
    const response = await postForm(path, { ...typed(kind, valid()), leaveEmpty: "x" });
    expect(response.headers.get("Location")).toBe(
      {
        application: "/guest#application-confirm",
        message: "/contact#contact-confirm",
        booking: "/speaking/book?requested=unconfirmed",
      }[kind],
    );
  });

  it("treats the link in that email as proof that a person sent it", async () => {
    const sent = valid();
    await postJson(path, { ...sent, leaveEmpty: "x" });
    const [mail] = (await mailsAbout(sent.email)).toSender;
    const token = tokenIn(mail?.link ?? "");
    expect((await postJson("/api/enquiries/confirm", { token })).status).toBe(200);
    expect((await postJson("/api/enquiries/confirm", { token })).status).toBe(200);
    const box = kind === "application" ? "pending" : "new";
    const rows = await rowsOf(sent.email);
    expect(rows).toMatchObject([{ box, isSpam: false, spamReason: "A hidden field was filled in." }]);
    const { toSender, toOwner } = await mailsAbout(sent.email);
    expect([toSender.length, toOwner.length]).toEqual([2, 1]);
  });

  it("replaces the spam by the same enquiry sent again without the hidden field", async () => {
    const sent = valid();
    await postJson(path, { ...sent, leaveEmpty: "x" });
    const repeated = await postJson(path, { ...sent, leaveEmpty: "x" });
    expect(await repeated.json()).toMatchObject({ isUnconfirmed: true });
    const thanks = { success: true, message: enquiryAnswers[kind].success };
    expect(await (await postJson(path, sent)).json()).toEqual(thanks);
    expect(await rowsOf(sent.email)).toMatchObject([{ isSpam: false, spamReason: "" }]);
    expect(await (await postJson(path, { ...sent, leaveEmpty: "x" })).json()).toEqual(thanks);
    expect(await rowsOf(sent.email)).toHaveLength(1);
  });

  it("emails one address at most three times an hour, and stores further enquiries as spam", async () => {
    const email = anAddress();
    const answers = [];
    for (let count = 0; count < 5; count++) {
      const response = await postJson(path, { ...valid({ email, name: `Ada ${count}` }), leaveEmpty: "x" });
      answers.push(await response.json<{ isUnconfirmed?: boolean }>());
    }
    expect(answers.map((answer) => answer.isUnconfirmed ?? false)).toEqual([true, true, true, false, false]);
    expect((await mailsAbout(email)).toSender).toHaveLength(3);
    expect((await rowsOf(email)).map(({ box }) => box)).toEqual(Array(5).fill("spam"));
  });

  it("refuses a body larger than any form with a message", async () => {
    const response = await postForm(path, typed(kind, valid({ name: "x".repeat(1024 * 1024) })));
    expect(response.status).toBe(413);
    expect(await response.text()).toContain("That’s too much for this form.");
  });
});

/** The controls of a page's form: their types, and which are required. */
async function controlsOf({ page, path }: (typeof forms)[keyof typeof forms]) {
  const { html } = await open(page);
  const controls: Record<string, string> = {};
  const options: Record<string, string[]> = {};
  let select = "";
  const within = `form[action="${path}"]`;
  const rewriter = new HTMLRewriter().on(`${within} *`, {
    element(element) {
      if (element.tagName === "option") (options[select] ??= []).push(element.getAttribute("value") ?? "");
      if (!["input", "textarea", "select"].includes(element.tagName)) return;
      const name = element.getAttribute("name") ?? "";
      const type = element.getAttribute("type") ?? element.tagName;
      if (type === "hidden" || name === "leaveEmpty") return;
      controls[name] = element.hasAttribute("required") ? `${type}, required` : type;
      select = name;
    },
  });
  await rewriter.transform(new Response(html)).text();
  return { controls, options, html };
}

describe("the specification", () => {
  it("contains the messages of each form", () => {
    expect(enquiryAnswers).toEqual({
      application: {
        success: "Thanks for applying. We'll review and contact you if selected.",
        failure: "Failed to submit application. Please try again.",
      },
      message: {
        success: "Message sent successfully! I'll get back to you soon.",
        failure: "Failed to send message. Please try again.",
      },
      booking: {
        success: "Request Submitted!",
        failure: "There was an error submitting your request. Please try again.",
      },
    });
  });

  it("contains the fields of an application, all of which are required", async () => {
    const { controls, html } = await controlsOf(application);
    expect(controls).toEqual({
      name: "text, required",
      email: "email, required",
      linkedinProfile: "url, required",
      topic: "text, required",
      position: "textarea, required",
      consent: "checkbox, required",
    });
    expect(html).toMatch(
      /<textarea[^>]*name="position"[^>]*rows="4"|<textarea[^>]*rows="4"[^>]*name="position"/,
    );
    expect(html).toContain("2–3 bullet points");
  });

  it("contains the fields of a message, whose type is general by default", async () => {
    const { controls, options } = await controlsOf(message);
    expect(controls).toEqual({
      name: "text, required",
      email: "email, required",
      type: "select",
      subject: "text, required",
      message: "textarea, required",
    });
    expect(options["type"]?.toSorted()).toEqual(["general", "media", "partnerships", "speaking"]);
  });

  it("contains the fields of a booking, its types and its honoraria", async () => {
    const { controls, options, html } = await controlsOf(booking);
    expect(controls).toEqual({
      name: "text, required",
      email: "email, required",
      organization: "text, required",
      eventName: "text, required",
      eventDate: "date",
      engagementType: "select, required",
      honorarium: "select, required",
      additionalInfo: "textarea",
    });
    expect(options).toEqual({
      engagementType: ["", "keynote", "panel", "workshop", "fireside", "moderator", "other"],
      honorarium: ["", "paid", "expenses-only", "pro-bono", "discuss"],
    });
    expect(html).toMatch(/<h2[^>]*>Speaking Engagement Request<\/h2>/);
    expect(html).toContain("Full Name");
  });
});

describe("an application", () => {
  it("needs consent, a profile and a position", async () => {
    for (const [change, field] of [
      [{ consent: false }, "consent"],
      [{ linkedinProfile: "" }, "linkedinProfile"],
      [{ linkedinProfile: "javascript:alert(1)" }, "linkedinProfile"],
      [{ linkedinProfile: "https://linkedin.com@other.example/in/x" }, "linkedinProfile"],
      [{ linkedinProfile: `https://www.linkedin.com/${"a".repeat(300)}` }, "linkedinProfile"],
      [{ position: "\u200b" }, "position"],
    ] as const) {
      expect((await errorOf(await postJson(application.path, anApplication(change)))).field).toBe(field);
    }
  });

  it("stores a profile as a full address", async () => {
    const sent = anApplication({ linkedinProfile: "https://linkedin.com/in/\u202Eabc" });
    await postJson(application.path, sent);
    const [row] = await rowsOf(sent.email);
    expect(row?.fields).toMatchObject({ linkedinProfile: "https://linkedin.com/in/%E2%80%AEabc" });
  });

  it("is refused while guests are switched off, and its page is missing", async () => {
    const features = { ...siteDefaults.features, guestSubmissions: false };
    await updateSite(ownerContext(), { features });
    expect((await postJson(application.path, anApplication())).status).toBe(404);
    expect((await postForm(application.path, typed("application", anApplication()))).status).toBe(404);
    expect((await open("/guest")).response.status).toBe(404);
    await updateSite(ownerContext(), { features: siteDefaults.features });
    expect((await open("/guest")).response.status).toBe(200);
  });

  it("has a page that mentions social login, and links to the terms and the privacy policy", async () => {
    const { html } = await open("/guest");
    expect(html).toContain('href="/terms"');
    expect(html).toContain('href="/privacy"');
    expect(html).toContain("Apply with social login");
  });
});

describe("a message", () => {
  it("is general unless a type is given, and has no unknown type", async () => {
    const { type: _, ...general } = aMessage();
    await postJson(message.path, general);
    expect((await rowsOf(general.email))[0]?.fields).toMatchObject({ type: "general" });
    const error = await errorOf(await postJson(message.path, aMessage({ type: "owner" })));
    expect(error).toMatchObject({ field: "type", message: "Choose what it’s about." });
  });

  it("has the type in its link, and the general one for an unknown type", async () => {
    const chosen = async (path: string) =>
      /<option value="(\w+)"[^>]* selected/.exec((await open(path)).html)?.[1];
    expect(await chosen("/contact")).toBe("general");
    expect(await chosen("/contact?type=media")).toBe("media");
    expect(await chosen("/contact?type=toString")).toBe("general");
  });
});

describe("a booking", () => {
  it.each([
    ["2026-02-30", "Enter a date."],
    ["tomorrow", "Enter a date."],
    ["2020-01-01", "This date is in the past."],
  ])("refuses the date %s at its field", async (eventDate, words) => {
    const error = await errorOf(await postJson(booking.path, aBooking({ eventDate })));
    expect(error).toMatchObject({ code: "invalid", field: "eventDate", message: words });
  });

  it.each([
    [{ engagementType: "owner" }, "engagementType", "Choose a type."],
    [{ engagementType: "" }, "engagementType", "Choose a type."],
    [{ honorarium: "a yacht" }, "honorarium", "Choose an honorarium."],
  ])("has no unknown type or honorarium: %j", async (change, field, words) => {
    const sent = aBooking(change);
    expect(await errorOf(await postJson(booking.path, sent))).toMatchObject({ field, message: words });
    expect(await rowsOf(sent.email)).toEqual([]);
  });

  it("may have today's date in the site's time zone", async () => {
    // Already 26 November in Sydney.
    const now = new Date("2026-11-25T14:00:00Z");
    const ctx = () => visitorContext({ now, jobs });
    const past = submitBooking(ctx(), aBooking({ eventDate: "2026-11-25" }) as never);
    await expect(past).rejects.toMatchObject({ field: "eventDate" });
    await submitBooking(ctx(), aBooking({ eventDate: "2026-11-26" }) as never);
  });

  it("may omit optional fields", async () => {
    const { eventDate: _d, additionalInfo: _i, ...sent } = aBooking();
    expect((await postJson(booking.path, sent)).status).toBe(200);
    expect((await rowsOf(sent.email))[0]?.fields).toMatchObject({ eventDate: "", additionalInfo: "" });
  });

  it("shows its confirmation page, without scripts too", async () => {
    const { text, html } = await open("/speaking/book?requested=yes");
    expect(text).toContain("Request Submitted!");
    expect(text).toMatch(/48 hours.*confirmation email/);
    expect(html).not.toContain('<form method="post" action="/api/speaking-bookings"');
  });
});

/** Several times what one address may send in an hour. */
const FLOOD = sweepsAll ? 500 : 60;

it("stores one row for a flood of duplicates from one address, and refuses the last with the typed values", async () => {
  const options = { headers: { "CF-Connecting-IP": household() } };
  const sent = aMessage();
  const statuses = new Map<number, number>();
  for (let count = 0; count < FLOOD; count++) {
    const { status } = await postJson(message.path, sent, options);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].toSorted()).toEqual([200, 429]);
  expect(statuses.get(200)).toBeLessThanOrEqual(20);
  expect(await rowsOf(sent.email)).toHaveLength(1);
  const { toSender, toOwner } = await mailsAbout(sent.email);
  expect([toSender.length, toOwner.length]).toEqual([1, 1]);
  const html = await (await postForm(message.path, typed("message", sent), options)).text();
  expect(html).toContain(sent.message);
  expect(html).toContain("Too many requests.");
});

describe("spam", () => {
  const words = { ...siteDefaults.spam, words: ["Casino", "pills.example"] };

  it.each([
    ["a listed word", { message: "The best C\u200basino" }, "It has “Casino”."],
    ["a part of the address", { email: `a-${crypto.randomUUID()}@pills.example` }, "It has “pills.example”."],
    [
      "more links than may be",
      { message: "https://www.a.example http://b.example www.c.example" },
      "It has 3 links.",
    ],
  ])(
    "is stored with its reason, and only its sender gets an email, to confirm it: %s",
    async (_, change, spamReason) => {
      await updateSite(ownerContext(), { spam: words });
      const sent = aMessage(change);
      expect((await postJson(message.path, sent)).status).toBe(200);
      expect((await rowsOf(sent.email))[0]).toMatchObject({ box: "spam", isSpam: true, spamReason });
      const { toSender, toOwner } = await mailsAbout(sent.email);
      expect([toSender.length, toOwner.length]).toEqual([1, 0]);
    },
  );

  it("does not include an application because of the link to its profile", async () => {
    await updateSite(ownerContext(), { spam: { words: [], links: 0 } });
    const sent = anApplication();
    await postJson(application.path, sent);
    expect((await rowsOf(sent.email))[0]).toMatchObject({ box: "pending" });
    await updateSite(ownerContext(), { spam: siteDefaults.spam });
  });
});

describe("a receipt", () => {
  it.each([
    "https://win.example now",
    "win.example/prize is yours",
    "You have won",
    "a@b.example",
    "<b>Win</b>",
    "x".repeat(40),
  ])("contains no text of the sender, who may have entered a stranger's address: %s", async (name) => {
    const sent = aMessage({ name, subject: "Claim your prize", message: "Claim at https://win.example" });
    await postJson(message.path, sent);
    const [receipt] = (await mailsAbout(sent.email)).toSender;
    for (const part of [receipt?.subject, receipt?.text, receipt?.html]) {
      expect(part).not.toMatch(/win|won|prize|b\.example|xxxx/i);
    }
  });

  it("is sent at most three times an hour to a mailbox, and the owner is notified of each enquiry", async () => {
    const email = anAddress();
    for (let count = 0; count < 5; count++) {
      await postJson(message.path, aMessage({ email, subject: `Number ${count}` }));
    }
    const { toSender, toOwner } = await mailsAbout(email);
    expect([toSender.length, toOwner.length]).toEqual([3, 5]);
  });

  it("is sent from the site, and the notice to the published address", async () => {
    await updateSite(ownerContext(), { contactEmail: "hello@example.com" });
    const sent = aMessage();
    await submitMessage(visitorContext({ jobs }), sent as never);
    const { toSender, toOwner } = await mailsAbout(sent.email);
    expect(toOwner[0]?.to).toBe("hello@example.com");
    for (const [mail] of [toSender, toOwner]) {
      expect(mail?.from).toMatchObject({ address: env.MAIL_FROM });
    }
    await updateSite(ownerContext(), { contactEmail: "" });
  });

  it("is accompanied by a notice to the current owner, not to the person who set the site up", async () => {
    const email = anAddress();
    const { id } = await addUser({ email, role: "super_admin", createdAt: new Date(1) });
    await addUser({ role: "super_admin" });
    const sent = aMessage();
    await submitMessage(visitorContext({ jobs }), sent as never);
    expect((await mailsAbout(sent.email)).toOwner[0]?.to).toBe(email);
    await jobContext().db.delete(users).where(eq(users.id, id));
  });
});

describe("enquiries that seem to be sent by programs", () => {
  it("cause at most 30 emails an hour in total", async () => {
    const { path, valid } = message;
    for (let count = 0; count < 30; count++) {
      expect(await (await postJson(path, { ...valid(), leaveEmpty: "x" })).json()).toMatchObject({
        isUnconfirmed: true,
      });
    }
    const sent = valid();
    expect(await (await postJson(path, { ...sent, leaveEmpty: "x" })).json()).toEqual({
      success: true,
      message: enquiryAnswers.message.success,
    });
    expect(await rowsOf(sent.email)).toMatchObject([{ box: "spam" }]);
    expect((await mailsAbout(sent.email)).toSender).toEqual([]);
    const email = anAddress();
    const signUp = await postJson("/api/newsletter/subscribe", { email, leaveEmpty: "x" });
    expect(signUp.status).toBe(429);
    expect((await postJson("/api/newsletter/subscribe", { email })).status).toBe(200);
  });
});

describe("the hidden field", () => {
  it("has a name that no browser fills in, and is excluded from password managers", async () => {
    const { html } = await open("/contact");
    const fields = [...html.matchAll(/<input[^>]*name="leaveEmpty"[^>]*>/g)].map(([field]) => field);
    // The page's own form, and the newsletter's in the footer.
    expect(fields).toHaveLength(2);
    for (const field of fields) {
      expect(field).toMatch(/ autocomplete="off"/i);
      expect(field).toMatch(/ tabindex="-1"/i);
      for (const mark of [
        "data-1p-ignore",
        "data-bwignore",
        'data-lpignore="true"',
        'data-form-type="other"',
      ]) {
        expect(field).toContain(mark);
      }
    }
    expect(html).toMatch(/<span aria-hidden="true"[^>]*><label>[^<]*<input[^>]*name="leaveEmpty"/);
    // The autofill field names of the HTML standard and of browsers.
    expect("leaveEmpty").not.toMatch(
      /name|user|pass|mail|url|web|site|home|page|tel|phone|mobile|fax|street|address|line|city|town|state|province|region|country|zip|postal|code|company|organi[sz]ation|title|birth|bday|day|sex|gender|photo|impp|card|cc|amount|currency|language|comment|note|search/i,
    );
  });
});
