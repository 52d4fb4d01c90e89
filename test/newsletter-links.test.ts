import { siteDefaults } from "#worker/settings/contract.ts";
import { eq } from "drizzle-orm";
import { SignJWT, UnsecuredJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { unsubscribe, verifySubscriber } from "#worker/newsletter/commands.ts";
import { signUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import { readVerification } from "#worker/newsletter/queries.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { AppError } from "#worker/platform/errors.ts";
import { signLink } from "#worker/platform/http/signed.ts";
import { currentKey } from "#worker/platform/http/signing-keys.ts";
import { fetchSite, ownerContext, SITE } from "./support/client.ts";
import { forgetRates } from "./support/rates.ts";
import {
  DAY,
  db,
  address,
  visitorContext,
  later,
  household,
  post,
  postForm,
  request,
  rowOf,
  latestToken,
  waiting,
  confirmed,
  setStatus,
  messageOf,
} from "./support/newsletter.ts";

beforeEach(forgetRates);

const rejectionOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("It was not refused."),
    (error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    },
  );

const switchNewsletter = (newsletter: boolean) =>
  updateSite(ownerContext(), { features: { ...siteDefaults.features, newsletter } });

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

  it("works once; after that it says that the subscription is already confirmed, and changes nothing", async () => {
    const { email, token } = await waiting();
    expect((await post("verify", { token })).status).toBe(200);
    const before = await rowOf(email);
    const again = await post("verify", { token });
    expect(again.status).toBe(200);
    const message = "Your subscription is already confirmed.";
    expect(await again.json()).toEqual({ success: true, message, email });
    expect(await rowOf(email)).toEqual(before);
  });

  it("by the link of an earlier email works, and the later one finds it confirmed", async () => {
    const { email, token } = await waiting();
    await request(visitorContext(), email);
    const second = await latestToken(email);
    await verifySubscriber(visitorContext(), { token });
    expect(await verifySubscriber(visitorContext(), { token: second })).toEqual({ email, isNew: false });
  });

  it("works for 7 days and not longer", async () => {
    const { email, token } = await waiting();
    expect((await rejectionOf(verifySubscriber(later(7 * DAY + 1000), { token }))).code).toBe("invalid");
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
    const { kid, secret } = await currentKey(visitorContext(), "expiring");
    const sign = (bytes: Uint8Array, alg: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, kid })
        .setAudience("verify-subscriber")
        .setSubject(id)
        .setExpirationTime("1h")
        .sign(bytes);
    const other = (purpose: "verify-user" | "reset-password" | "unsubscribe") =>
      signLink(visitorContext(), { purpose, subject: id, stamp }, 3600);
    for (const token of [
      "nonsense",
      "a".repeat(2001),
      unsigned,
      await sign(new Uint8Array(32), "HS256"),
      await sign(new Uint8Array([...secret, ...secret]), "HS512"),
      await other("verify-user"),
      await other("reset-password"),
      await other("unsubscribe"),
    ]) {
      const response = await post("verify", { token });
      expect(response.status).toBe(422);
      expect(await messageOf(response)).toBe("Verification failed");
    }
    expect((await rowOf(email))?.verifiedAt).toBeNull();
    // The control: the same claims, rightly signed.
    expect((await post("verify", { token: await sign(secret, "HS256") })).status).toBe(200);
  });

  it("resubscribes a person who had left, only by the email", async () => {
    const { email, id } = await confirmed();
    await unsubscribe(visitorContext(), { token: await signUnsubscribe(visitorContext(), { id }) });
    await request(visitorContext(), email);
    expect(await rowOf(email)).toMatchObject({ status: "unsubscribed" });
    await verifySubscriber(visitorContext(), { token: await latestToken(email) });
    expect(await rowOf(email)).toMatchObject({ status: "active", unsubscribedAt: null });
  });

  it("does not work with an email from before the person left", async () => {
    const { email, token } = await waiting();
    const { id } = (await rowOf(email))!;
    await unsubscribe(visitorContext(), { token: await signUnsubscribe(visitorContext(), { id }) });
    expect((await rejectionOf(verifySubscriber(visitorContext(), { token }))).message).toBe(
      "Verification failed",
    );
  });

  it("without scripts redirects to the result page, or back", async () => {
    const { token } = await waiting();
    // Browsers send only the origin of such a page as the referrer.
    const Referer = `${SITE}/`;
    const first = await postForm("verify", { token, form: "link" }, { Referer });
    expect(first.status).toBe(303);
    expect(first.headers.get("Location")).toBe("/verify-email?confirmed=1");
    const again = await postForm("verify", { token, form: "link" }, { Referer });
    expect(again.headers.get("Location")).toBe("/verify-email?confirmed=1");
    for (const [path, page] of [
      ["verify", "/verify-email"],
      ["unsubscribe", "/unsubscribe"],
      ["pause", "/unsubscribe"],
      ["forget", "/unsubscribe"],
    ] as const) {
      const refused = await postForm(path, { token: "nonsense", form: "link" }, { Referer });
      expect(refused.headers.get("Location")).toBe(`${page}?token=nonsense#link-failed`);
    }
  });
});

describe("the page of the link", () => {
  const open = async (path: string) => {
    const response = await fetchSite(path);
    return { response, html: await response.text() };
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

  it("is never cached and is noindex, and so is its router data", async () => {
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
    ["/verify-email?token=nonsense", "The link works once, for 7 days. Subscribe again to get a new one."],
    ["/verify-email?confirmed=1", "Your subscription is confirmed."],
    ["/unsubscribe?token=nonsense", "This unsubscribe link isn’t valid."],
    ["/unsubscribe?done=1", "No more letters will be sent."],
  ])("%s says: %s", async (path, message) => {
    const { response, html } = await open(path);
    expect(response.status).toBe(200);
    expect(html).toContain(message);
  });

  it("says of a link that was used that the subscription is already confirmed, long afterwards too", async () => {
    const { email, token } = await confirmed();
    const { html } = await open(`/verify-email?token=${token}`);
    expect(html).toMatch(/<h1[^>]*>Already confirmed<\/h1>/);
    expect(await readVerification(later(30 * DAY), token)).toEqual({ state: "confirmed", email });
  });

  it("shows a failed verification for a used link of a person who has left", async () => {
    const { email, token } = await confirmed();
    await setStatus(email, "unsubscribed");
    const { html } = await open(`/verify-email?token=${token}`);
    expect(html).toMatch(/<h1[^>]*>Verification failed<\/h1>/);
    const message = "Verification failed";
    expect(await readVerification(visitorContext(), token)).toEqual({ state: "invalid", message });
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

  it("can be repeated years later, and for a deleted person", async () => {
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

  it("from that page without scripts redirects to the confirmation page", async () => {
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
        "This unsubscribe link isn’t valid. Please use the link in a newer email.",
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
  it("signing up and confirming are refused, no form is shown, and unsubscribing works", async () => {
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
