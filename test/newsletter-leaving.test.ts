import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { everybody } from "#worker/letters/contract.ts";
import { recordFeedback } from "#worker/letters/feedback.ts";
import { deliveries, letters } from "#worker/letters/table.ts";
import {
  endPauses,
  forgetSubscriber,
  pauseLetters,
  unsubscribe,
  verifySubscriber,
} from "#worker/newsletter/commands.ts";
import { readUnsubscription } from "#worker/newsletter/queries.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import { signUnsubscribe, signUnsubscribes } from "#worker/newsletter/unsubscribe-tokens.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { fetchSite, jobContext, ownerContext } from "./support/client.ts";
import { forgetRates, MORE_THAN_A_BURST } from "./support/rates.ts";
import {
  confirmed,
  DAY,
  db,
  household,
  later,
  latestToken,
  mailsTo,
  post,
  postForm,
  request,
  rowOf,
  setStatus,
  tokenIn,
  visitorContext,
  waiting,
} from "./support/newsletter.ts";

beforeEach(forgetRates);

const tokenFor = (id: string) => signUnsubscribe(visitorContext(), { id });
const html = async (path: string) => await (await fetchSite(path)).text();

const saveNewsletter = (change: Partial<typeof siteDefaults.newsletter>) =>
  updateSite(ownerContext(), { newsletter: { ...siteDefaults.newsletter, ...change } });

describe("a pause", () => {
  it("lasts 30 days, and the page says until when, in the site's time zone", async () => {
    await updateSite(ownerContext(), { timeZone: "Pacific/Auckland" });
    onTestFinished(async () => {
      await updateSite(ownerContext(), { timeZone: siteDefaults.timeZone });
    });
    const { email, id } = await confirmed();
    const token = await tokenFor(id);
    const response = await post("pause", { token });
    const { pausedUntil, ...answer } = (await response.json()) as { pausedUntil: number };
    expect(answer).toEqual({ success: true, message: "Your letters are paused." });
    expect(Math.abs(pausedUntil - Date.now() - 30 * DAY)).toBeLessThan(60_000);
    expect(await rowOf(email)).toMatchObject({ status: "active", pausedUntil: new Date(pausedUntil) });
    const page = await html(`/unsubscribe?token=${token}`);
    const until = new Intl.DateTimeFormat(siteDefaults.language, {
      timeZone: "Pacific/Auckland",
      day: "numeric",
      month: "long",
      year: "numeric",
    }).format(pausedUntil);
    expect(page).toMatch(/<h1[^>]*>Your letters are paused<\/h1>/);
    expect(page).toContain(until);
    expect(page).toMatch(/NZ[SD]T|GMT\+1[23]/);
  });

  it("works without scripts, and redirects to its confirmation page", async () => {
    const { id } = await confirmed();
    const token = await tokenFor(id);
    const response = await postForm("pause", { token, form: "pause" });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(`/unsubscribe?token=${token}`);
    expect(await readUnsubscription(visitorContext(), token)).toMatchObject({
      pausedUntil: expect.any(Number) as number,
    });
  });

  it("ends automatically, and is deleted by the daily job", async () => {
    const { email, id } = await confirmed();
    const token = await tokenFor(id);
    await pauseLetters(visitorContext(), { token });
    await endPauses(jobContext({ now: new Date(Date.now() + 29 * DAY) }));
    expect((await rowOf(email))?.pausedUntil).not.toBeNull();
    expect(await readUnsubscription(later(31 * DAY), token)).toMatchObject({ pausedUntil: null });
    await endPauses(jobContext({ now: new Date(Date.now() + 31 * DAY) }));
    expect((await rowOf(email))?.pausedUntil).toBeNull();
  });

  it("does not resubscribe a person who left", async () => {
    const { email, id } = await confirmed();
    const token = await tokenFor(id);
    await unsubscribe(visitorContext(), { token });
    const response = await post("pause", { token });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: { message: "No letters are sent to this address." },
    });
    expect(await rowOf(email)).toMatchObject({ status: "unsubscribed", pausedUntil: null });
    expect(await html(`/unsubscribe?token=${token}`)).toMatch(/<h1[^>]*>No letters are sent<\/h1>/);
  });

  it("does not prevent unsubscribing, and ends with it", async () => {
    const { email, id } = await confirmed();
    const token = await tokenFor(id);
    await pauseLetters(visitorContext(), { token });
    await unsubscribe(visitorContext(), { token });
    expect(await rowOf(email)).toMatchObject({ status: "unsubscribed", pausedUntil: null });
  });

  it("ends early after another sign-up, once the email's link is used; the consent is unchanged", async () => {
    const { email, id } = await confirmed();
    const before = await rowOf(email);
    await pauseLetters(visitorContext(), { token: await tokenFor(id) });
    await request(later(DAY), email, "popup");
    const { pausedUntil, source, consent, subscribedAt } = (await rowOf(email))!;
    expect(pausedUntil).not.toBeNull();
    expect({ source, consent, subscribedAt }).toEqual({
      source: before!.source,
      consent: before!.consent,
      subscribedAt: before!.subscribedAt,
    });
    await verifySubscriber(visitorContext(), { token: await latestToken(email) });
    expect(await rowOf(email)).toMatchObject({ status: "active", pausedUntil: null });
  });
});

describe("the wish to be forgotten", () => {
  it("deletes the row with all its data, and is not an error when repeated", async () => {
    const { email, id } = await confirmed();
    const token = await tokenFor(id);
    for (let asked = 0; asked < 2; asked++) {
      const response = await post("forget", { token });
      expect(await response.json()).toEqual({
        success: true,
        message: "Your subscription is deleted.",
      });
    }
    expect(await rowOf(email)).toBeUndefined();
    const found = await env.DB.prepare("select rowid from subscriber_search where subscriber_search match ?")
      .bind(`"${email}"`)
      .all();
    expect(found.results).toEqual([]);
    expect(await html(`/unsubscribe?token=${token}`)).toContain("nothing about it is stored");
  });

  it("also deletes an address that complained or bounced", async () => {
    const { email, id } = await confirmed();
    await setStatus(email, "complained");
    await forgetSubscriber(visitorContext(), { token: await tokenFor(id) });
    expect(await rowOf(email)).toBeUndefined();
  });

  it("without scripts redirects to the page with the result", async () => {
    const { email, id } = await confirmed();
    const response = await postForm("forget", { token: await tokenFor(id), form: "delete" });
    expect(response.headers.get("Location")).toBe("/unsubscribe?deleted=1");
    const page = await html("/unsubscribe?deleted=1");
    expect(page).toContain("Your subscription is deleted");
    expect(page).not.toContain("no data about you");
    expect(await rowOf(email)).toBeUndefined();
  });

  it("is offered with its consequences, beside one main button and the pause", async () => {
    const { id } = await confirmed();
    const page = await html(`/unsubscribe?token=${await tokenFor(id)}`);
    for (const path of ["unsubscribe", "pause", "forget"]) {
      expect(page).toMatch(new RegExp(`<form[^>]*action="/api/newsletter/${path}"[^>]*method="post"`));
    }
    expect(page).toContain("if your address is added from another list, letters may start");
    expect(page).toContain("A membership, comments and messages that you sent us stay.");
  });
});

describe("unsubscribing by a letter's own link", () => {
  async function aLetter() {
    const [letter] = await db
      .insert(letters)
      .values({
        subject: "A letter",
        preheader: "",
        status: "sent",
        segment: everybody,
        isPublic: false,
        createdAt: new Date(),
        updatedAt: new Date(),
        embeddedFileIds: [],
        content: "",
        contentHtml: "",
      })
      .returning({ id: letters.id });
    return letter!.id;
  }

  const sendTo = (letterId: number, subscriberId: string) =>
    db.insert(deliveries).values({ letterId, subscriberId, status: "sent", notBefore: new Date() });

  const lostBy = async (id: number) =>
    (await db.select({ lost: letters.unsubscribed }).from(letters).where(eq(letters.id, id)))[0]!.lost;
  const deliveriesOf = (letterId: number) =>
    db
      .select({ subscriberId: deliveries.subscriberId, feedback: deliveries.feedback })
      .from(deliveries)
      .where(eq(deliveries.letterId, letterId));
  const tokenOf = async (letterId: number, id: string) =>
    (await signUnsubscribes(visitorContext(), [id], letterId))[0]!;

  it("is one lost subscriber, however often the provider asks", async () => {
    const { id } = await confirmed();
    const letter = await aLetter();
    await sendTo(letter, id);
    const token = await tokenOf(letter, id);
    for (let asked = 0; asked < 3; asked++) await unsubscribe(visitorContext(), { token });
    expect(await lostBy(letter)).toBe(1);
    expect(await deliveriesOf(letter)).toEqual([{ subscriberId: id, feedback: "unsubscribed" }]);
  });

  it("is not counted if the person had left before, or never got the letter", async () => {
    const { id } = await confirmed();
    const [first, second, other] = [await aLetter(), await aLetter(), await aLetter()];
    await sendTo(first, id);
    await sendTo(second, id);
    await unsubscribe(visitorContext(), { token: await tokenOf(other, id) });
    await unsubscribe(visitorContext(), { token: await tokenOf(first, id) });
    expect(await Promise.all([first, second, other].map(lostBy))).toEqual([0, 0, 0]);
  });

  it("is counted without the person if all data is deleted", async () => {
    const { id } = await confirmed();
    const letter = await aLetter();
    await sendTo(letter, id);
    await forgetSubscriber(visitorContext(), { token: await tokenOf(letter, id) });
    expect(await lostBy(letter)).toBe(1);
    expect(await deliveriesOf(letter)).toEqual([{ subscriberId: null, feedback: "unsubscribed" }]);
  });

  it("does not overwrite the first feedback", async () => {
    const { id } = await confirmed();
    const letter = await aLetter();
    await sendTo(letter, id);
    const about = { letterId: letter, subscriberId: id };
    await db.batch(recordFeedback({ db }, { ...about, feedback: "bounced" }));
    await db.batch(recordFeedback({ db }, { ...about, feedback: "complained" }));
    const [row] = await db.select().from(letters).where(eq(letters.id, letter));
    expect(row).toMatchObject({ bounced: 1, complained: 0, unsubscribed: 0 });
    expect(await deliveriesOf(letter)).toEqual([{ subscriberId: id, feedback: "bounced" }]);
  });
});

describe("one click", () => {
  it("is accepted from a provider that requests it for hundreds of its users from one address", async () => {
    const from = { "CF-Connecting-IP": household(), "Content-Type": "application/x-www-form-urlencoded" };
    const token = await tokenFor(crypto.randomUUID());
    const answers = Array.from({ length: 200 }, () =>
      post(`unsubscribe?token=${token}`, "List-Unsubscribe=One-Click", from),
    );
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect([...new Set(statuses)]).toEqual([200]);
  });

  it("is the exception: the page's own forms are limited", async () => {
    const from = { "CF-Connecting-IP": household() };
    for (const path of ["unsubscribe", "pause", "forget"]) {
      const answers = Array.from({ length: MORE_THAN_A_BURST }, () => post(path, { token: "none" }, from));
      expect((await Promise.all(answers)).map(({ status }) => status)).toContain(429);
    }
  });
});

describe("the welcome", () => {
  beforeEach(async () => {
    await saveNewsletter({ welcomeSubject: "Good to have you", welcomeText: "Here is **how** it goes." });
    return async () => void (await saveNewsletter({}));
  });

  it("is sent once an address is confirmed, with the ways to leave", async () => {
    const { email, token } = await waiting();
    await verifySubscriber(visitorContext(), { token });
    const [, welcome, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(welcome).toMatchObject({ subject: "Good to have you", to: email });
    expect(welcome!.text).toContain("how");
    expect(welcome!.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    const [, oneClick = ""] = /^<(.*)>$/.exec(welcome!.headers["List-Unsubscribe"] ?? "") ?? [];
    const leaving = await post(`unsubscribe?token=${tokenIn(oneClick)}`, "List-Unsubscribe=One-Click", {
      "Content-Type": "application/x-www-form-urlencoded",
    });
    expect(leaving.status).toBe(200);
    expect(await rowOf(email)).toMatchObject({ status: "unsubscribed" });
  });

  it("keeps what the owner typed, and has the token in the footer and the header only", async () => {
    const typed = "{{unsubscribe_token}}";
    await saveNewsletter({
      welcomeSubject: `Welcome ${typed}`,
      welcomeText: `Words ${typed} [link](https://evil.example/?t=${typed})`,
    });
    const { email, token } = await waiting();
    await verifySubscriber(visitorContext(), { token });
    const welcome = (await mailsTo(email)).at(-1)!;
    expect(welcome.subject).toBe(`Welcome ${typed}`);
    expect(welcome.text).toContain(`Words ${typed} link <https://evil.example/?t=${typed}>`);
    const own = tokenIn(/<(.*)>/.exec(welcome.headers["List-Unsubscribe"]!)![1]!);
    for (const part of [welcome.text, welcome.html]) expect(part.split(own)).toHaveLength(2);
  });

  it("is sent once if the link is used twice simultaneously, and not for a failed link", async () => {
    const { email, token } = await waiting();
    await Promise.allSettled([1, 2, 3].map(() => verifySubscriber(visitorContext(), { token })));
    await Promise.allSettled([verifySubscriber(visitorContext(), { token })]);
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining("Confirm your subscription"),
      "Good to have you",
    ]);
  });

  it("is sent again to a returning subscriber, and not at the end of a pause", async () => {
    const { email, id } = await confirmed();
    const welcomes = async () =>
      (await mailsTo(email)).filter(({ subject }) => subject === "Good to have you").length;
    await pauseLetters(visitorContext(), { token: await tokenFor(id) });
    await request(visitorContext(), email);
    await verifySubscriber(visitorContext(), { token: await latestToken(email) });
    expect(await welcomes()).toBe(1);
    await unsubscribe(visitorContext(), { token: await tokenFor(id) });
    await request(visitorContext(), email);
    await verifySubscriber(visitorContext(), { token: await latestToken(email) });
    expect(await welcomes()).toBe(2);
  });

  it("is missing if the owner has written none", async () => {
    await saveNewsletter({});
    const { email } = await confirmed();
    expect(await mailsTo(email)).toHaveLength(1);
  });
});

describe("the links of the emails", () => {
  it("change nothing when they are fetched", async () => {
    await saveNewsletter({ welcomeSubject: "Welcome", welcomeText: "[The site](https://example.com/)" });
    onTestFinished(async () => void (await saveNewsletter({})));
    const pending = await waiting();
    const { email } = await confirmed();
    const mails = [...(await mailsTo(pending.email)), ...(await mailsTo(email))];
    const links = mails.flatMap(({ text, html: page, headers }) => [
      ...[...`${text} ${page}`.matchAll(/http:\/\/localhost:8787(\/[^\s"<>)]*)/g)].map(([, path]) => path!),
      ...[headers["List-Unsubscribe"] ?? ""].flatMap((header) =>
        [...header.matchAll(/<http:\/\/localhost:8787([^>]*)>/g)].map(([, path]) => path!),
      ),
    ]);
    expect(new Set(links.map((link) => link.split("?")[0]))).toEqual(
      new Set(["/verify-email", "/unsubscribe", "/api/newsletter/unsubscribe"]),
    );
    const before = await db.select().from(subscribers).orderBy(subscribers.id);
    for (const path of new Set(links)) {
      for (const method of ["GET", "HEAD"]) {
        const response = await fetchSite(path, { method });
        expect([200, 302], `${method} ${path}`).toContain(response.status);
      }
    }
    expect(await db.select().from(subscribers).orderBy(subscribers.id)).toEqual(before);
  });
});
