import { expect, type Page } from "@playwright/test";
import { mailsOf } from "../../../worker/enquiries/mails.ts";
import { composeMail } from "../../../worker/mail/message.ts";
import { plainPart } from "../../../worker/mail/plain-part.ts";
import type { Context } from "../../../worker/platform/context.ts";
import { siteDefaults } from "../../../worker/settings/contract.ts";
import { senderOf } from "../../../worker/settings/queries.ts";
import type { Site } from "./site.ts";

/** Of everything here. */
export const SENDER = "sender@example.com";

async function send(page: Page, site: Site, path: string, data: object) {
  const answer = await page.request.post(`${site.url}/api/${path}`, { data: { email: SENDER, ...data } });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
}

/** An application that was answered (1), a message (2), a message in the spam (3) and a booking (4). `page` is the owner's. */
export async function fillEnquiries(page: Page, site: Site) {
  const name = "Hostile";
  await send(page, site, "guest-applications", {
    name,
    linkedinProfile: "https://www.linkedin.com/in/hostile",
    topic: "Hostile",
    position: "Hostile",
    consent: true,
  });
  await send(page, site, "contact-messages", { name, subject: "Hostile", message: "Hostile" });
  await send(page, site, "contact-messages", { name, subject: "Spam", message: "Hostile" });
  await send(page, site, "speaking-bookings", {
    name,
    organization: "Hostile",
    eventName: "Hostile",
    engagementType: "panel",
    honorarium: "paid",
    additionalInfo: "Hostile",
  });
  await send(page, site, "admin/guest-applications/1/email", {
    email: undefined,
    subject: "Hostile",
    message: "Hostile",
  });
  await site.env.DB.exec("update enquiries set is_spam = 1 where id = 3");
}

/** One on the first episode, and one in the spam. Returns the page of the first one's link. */
export async function fillComments(page: Page, site: Site) {
  const on = { contentType: "episode", contentId: 1, name: "Hostile" };
  await send(page, site, "comments", { ...on, text: "Hostile" });
  await send(page, site, "comments", { ...on, text: "Spam" });
  await site.env.DB.exec("update comments set status = iif(id = 1, 'approved', 'spam')");
  for (;;) {
    const { subject, link } = await site.mailTo(SENDER);
    if (subject.startsWith("Confirm your comment")) return new URL(link).pathname + new URL(link).search;
  }
}

/** The HTML of the emails about an enquiry with these texts in each of its fields, and of an answer that quotes them. */
export function enquiryMails({ url }: Site, texts: string[]) {
  const [text, line] = [texts.join("\n\n"), texts.join(" ").replaceAll(/\s/g, " ")];
  const config = { siteUrl: url, adminEmail: SENDER, mailFrom: SENDER };
  const ctx = { config, now: new Date() } as unknown as Context;
  const { notice, receipt } = mailsOf(
    ctx,
    siteDefaults,
    {
      kind: "booking",
      name: line,
      email: SENDER,
      title: line,
      fields: {
        organization: line,
        eventName: line,
        eventDate: "",
        engagementType: "panel",
        honorarium: "paid",
        additionalInfo: text,
      },
    },
    { to: SENDER, id: "1" },
  );
  const sender = senderOf(ctx, siteDefaults);
  const answer = composeMail(ctx, { ...sender, to: SENDER, subject: line, parts: [plainPart(text)] });
  return [notice, receipt, answer].map(({ html }) => html);
}
