import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { mailsOf } from "#worker/enquiries/mails.ts";
import type { Mail } from "#worker/mail/message.ts";
import { mimeOf } from "#worker/mail/mime.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { jobContext } from "./support/client.ts";
import {
  aBooking,
  aMessage,
  anApplication,
  errorOf,
  forms,
  mailsAbout,
  postJson,
  rowsOf,
} from "./support/forms.ts";
import { hostileTexts } from "./support/hostile.ts";
import { textOf } from "./support/pages.ts";

const hostile = hostileTexts("window.hit");
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").trim();

/** What runs something in HTML: an element of a script or a frame, a handler, or an address of a script. */
async function whatRuns(html: string) {
  const found: string[] = [];
  const page = new HTMLRewriter().on("*", {
    element({ tagName, attributes }) {
      if (/^(?:script|iframe|object|embed|svg|math|form|input|img|base|link|template)$/.test(tagName))
        found.push(tagName);
      for (const [name = "", value = ""] of attributes as unknown as Iterable<string[]>) {
        if (name.startsWith("on")) found.push(name);
        if (/^(?:href|src|action|formaction)$/.test(name) && !/^https?:/.test(value))
          found.push(`${name}=${value}`);
      }
    },
  });
  await page.transform(new Response(html)).text();
  return found;
}

const linksOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

/** Both emails of an enquiry with these fields. */
const mails = (sent: Record<string, unknown>) =>
  Object.values(mailsOf(jobContext(), siteDefaults, sent as never, { to: "owner@example.com", id: "7" }));

const kinds = {
  application: ({ consent: _consent, name, email, ...fields }: Record<string, unknown>) => ({
    kind: "application",
    name,
    email,
    title: fields["topic"],
    fields,
  }),
  message: ({ name, email, ...fields }: Record<string, unknown>) => ({
    kind: "message",
    name,
    email,
    title: fields["subject"],
    fields,
  }),
  booking: ({ name, email, ...fields }: Record<string, unknown>) => ({
    kind: "booking",
    name,
    email,
    title: fields["eventName"],
    fields,
  }),
};

const filled = (text: string) => [
  kinds.application(anApplication({ name: oneLine(text), topic: oneLine(text), position: text })),
  kinds.message(aMessage({ name: oneLine(text), subject: oneLine(text), message: text })),
  kinds.booking(
    aBooking({
      name: oneLine(text),
      organization: oneLine(text),
      eventName: oneLine(text),
      additionalInfo: text,
    }),
  ),
];

describe("a hostile text, in any field of any form", () => {
  it("runs nothing in an email, has no links, and is readable", async () => {
    expect(hostile.length).toBeGreaterThan(200);
    for (const text of hostile) {
      for (const sent of filled(text)) {
        for (const { html, subject } of mails(sent)) {
          expect(await whatRuns(html), text).toEqual([]);
          expect(html.match(/<style>/g), text).toHaveLength(1);
          expect(html.match(/<h1/g), text).toHaveLength(1);
          expect(subject).not.toMatch(/[\r\n]/);
          const foreign = linksOf(html).filter((href) => !href?.startsWith("http://localhost:8787"));
          expect(foreign, text).toEqual([]);
        }
      }
    }
    const [notice] = mails(filled("<b>&amp; so</b>")[1]!);
    expect(
      textOf(notice!.html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))),
    ).toContain("so");
    expect(notice!.text).toContain("<b>&amp; so</b>");
  });

  it("is accepted by the form unchanged, or refused beside its field", async () => {
    for (const text of hostile.slice(0, 40)) {
      const sent = aMessage({ message: text });
      const response = await postJson(forms.message.path, sent);
      if (response.status !== 200) {
        expect(await errorOf(response)).toMatchObject({ field: "message" });
        continue;
      }
      expect((await rowsOf(sent.email))[0]?.fields).toMatchObject({ message: text.trim() });
    }
  });
});

describe("a name or subject that tries to be a header", () => {
  const evil = [
    "A\r\nBcc: all@example.com",
    "A\nSubject: Another",
    "A\u2028Bcc: all@example.com",
    "A\r\n\r\nA body",
    "A\u0000b",
    '"A" <all@example.com>, B',
    "=?utf-8?B?QQ0KQmNjOiBhbGxAZXhhbXBsZS5jb20=?=",
    "\u202Egro.elpmaxe@lla",
    "\u2066A\u2069",
    "A".repeat(120),
    "👨‍👩‍👧‍👦".repeat(120),
  ];

  it.each(evil)("%j", async (text) => {
    for (const sent of [
      kinds.message(aMessage({ name: text, subject: text })),
      kinds.booking(aBooking({ name: text, eventName: text })),
      kinds.application(anApplication({ name: text, topic: text })),
    ]) {
      for (const mail of mails(sent)) await expectOneMail(mail);
    }
  });

  async function expectOneMail(mail: Mail) {
    const { raw } = mimeOf(mail);
    const parsed = await PostalMime.parse(raw);
    expect(parsed.to).toEqual([{ address: mail.to, name: "" }]);
    expect([parsed.cc, parsed.bcc]).toEqual([undefined, undefined]);
    expect(parsed.headers.filter(({ key }) => key === "subject")).toHaveLength(1);
    expect(parsed.replyTo?.map(({ address }) => address) ?? []).toEqual(
      mail.replyTo ? [mail.replyTo.address] : [],
    );
    const [head = ""] = new TextDecoder().decode(raw).split("\r\n\r\n");
    for (const line of head.split("\r\n")) expect(line.length).toBeLessThanOrEqual(998);
  }

  it("is refused by the form if it has several lines, or reverses the following text", async () => {
    for (const name of evil.filter((text) => /[\p{Cc}\p{Zl}\u202a-\u202e\u2066-\u2069]/u.test(text))) {
      const sent = aMessage({ name });
      expect(await errorOf(await postJson(forms.message.path, sent))).toMatchObject({ field: "name" });
      expect((await mailsAbout(sent.email)).toOwner).toEqual([]);
    }
  });
});
