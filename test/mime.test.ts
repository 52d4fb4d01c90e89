import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import type { Mail } from "#worker/mail/message.ts";
import { composeMime, mimeOf } from "#worker/mail/mime.ts";
import { hostileTexts } from "./support/hostile.ts";

const mailWith = (text: string, subject = "A letter"): Mail => ({
  from: { address: "site@example.com", name: "Plain Ground" },
  replyTo: { address: "owner@example.com" },
  to: "reader@example.com",
  subject,
  text,
  html: `<!doctype html><p>${text}</p>`,
  headers: { "List-Id": "<letters.example.com>" },
  link: "",
  messageId: "<1@example.com>",
  isKey: false,
});

const texts = {
  "plain ASCII": "Ten plain words, on one line.",
  "umlauts and an emoji": "Grüße aus Österreich 🌾. ".repeat(20),
  "Arabic, which is written in base64": "رسالة إلى القراء. ".repeat(40),
  "lines longer than a mail may have": "word ".repeat(400),
  "line breaks of all kinds, spaces at their ends, and dots": "one  \ntwo\t\r\nthree\n\n.\n..\n",
  nothing: "",
};

/** Parsed like a mailbox. Boundaries differ for each email, and a second may pass between two. */
async function arrived(raw: Uint8Array) {
  const { headers, headerLines: _, date, ...parts } = await PostalMime.parse(raw);
  return {
    ...parts,
    isDated: !Number.isNaN(Date.parse(date ?? "")),
    headers: headers.filter(({ key }) => key !== "content-type" && key !== "date"),
  };
}

describe("an email", () => {
  it.each(Object.entries(texts))("arrives as by nodemailer's own build, of %s", async (_, text) => {
    const mail = mailWith(text, text.slice(0, 100).replaceAll(/\s+/g, " "));
    const built = await composeMime(mail).build();
    expect(await arrived(mimeOf(mail).raw)).toEqual(await arrived(built));
  });

  it("arrives as by nodemailer's own build, with an invitation", async () => {
    const invitation = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:رسالة Grüße\r\nEND:VCALENDAR";
    const mail = { ...mailWith("Words."), invitation };
    const built = await composeMime(mail).build();
    expect(await arrived(mimeOf(mail).raw)).toEqual(await arrived(built));
    expect((await arrived(built)).attachments).toHaveLength(2);
  });

  it.each(["REQUEST", "CANCEL"])("names the method of its calendar part: %s", async (method) => {
    const invitation = `BEGIN:VCALENDAR\r\nMETHOD:${method}\r\nDESCRIPTION:A\\nMETHOD:CANCEL\r\nEND:VCALENDAR`;
    const { attachments } = await PostalMime.parse(mimeOf({ ...mailWith("Words."), invitation }).raw);
    expect(attachments.map((part) => [part.mimeType, part.method])).toEqual([
      ["text/calendar", method],
      ["application/ics", undefined],
    ]);
  });

  it("has no line that is too long, and ends with a line break", () => {
    for (const text of Object.values(texts)) {
      const lines = mimeOf(mailWith(text)).raw.toString("utf8").split(/\r?\n/);
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(998);
      expect(lines.at(-1)).toBe("");
    }
  });

  it("with hostile texts is parsed unchanged", async () => {
    const text = hostileTexts("alert(1)").join("\n\n");
    const { html } = await arrived(mimeOf(mailWith(text)).raw);
    expect(html?.trimEnd()).toBe(`<!doctype html><p>${text}</p>`);
  });
});
