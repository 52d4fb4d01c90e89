import PostalMime from "postal-mime";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { MAIL_TOPIC, mailRow, type MailPart } from "#worker/mail/message.ts";
import { connectSmtp } from "#worker/mail/smtp.ts";
import { parseSmtpUrl } from "#worker/mail/smtp-url.ts";
import { deliverMail } from "#worker/mail/transports.ts";
import { deliverOutbox } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { sendTestMail } from "#worker/settings/test-mail-commands.ts";
import { contextAs, jobContext, ownerContext } from "./support/client.ts";
import { RESEND_KEY } from "./support/resend-server.ts";
import type { Received } from "./support/smtp-server.ts";

const ports = inject("smtp");
/** Milliseconds. */
const HOUR = 3_600_000;
const LOGIN = "owner:p%40ss%2Fword";
const IMPLICIT = `smtps://${LOGIN}@localhost:${ports.implicit}`;
const PLAIN = `smtp://${LOGIN}@localhost:${ports.plain}`;

const words: MailPart[] = [".Hello, Zoë.", { label: "Open", href: "https://example.com/open?a=1&b=2" }];

const withServer = (smtpUrl: string) => {
  const ctx = jobContext();
  return { ...ctx, config: { ...ctx.config, smtpUrl } };
};

type NewMail = Parameters<typeof mailRow>[1];

async function deliver(
  smtpUrl: string,
  { to, subject = "A subject", parts = words, ...rest }: Partial<NewMail>,
) {
  const ctx = withServer(smtpUrl);
  const { id, statement } = mailRow(ctx, { to: to!, subject, parts, ...rest });
  await statement;
  const again = async () => {
    await deliverOutbox(ctx, id, { [MAIL_TOPIC]: deliverMail });
    const [row] = await ctx.db.select().from(outbox).where(eq(outbox.id, id));
    return row!;
  };
  return { row: await again(), again };
}

async function receivedBy(to: string) {
  const response = await fetch(`http://127.0.0.1:${ports.received}/${encodeURIComponent(to)}`);
  return response.json<Received[]>();
}

const bytesOf = (binary: string) => Uint8Array.from(binary, (char) => char.charCodeAt(0));

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

describe("an email by SMTP", () => {
  it("arrives unchanged, encrypted and authenticated, in text and HTML", async () => {
    const { row } = await deliver(IMPLICIT, {
      to: "reader@example.com",
      from: { address: "site@example.com", name: 'Zoë "Ground", Œuvre' },
      replyTo: { address: "answers@example.org" },
      subject: `Grüße an alle مرحبا ${"lang ".repeat(30)}`.trim(),
      headers: {
        "List-Unsubscribe": `<https://example.com/unsubscribe?token=${"x".repeat(300)}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    });
    expect(row.doneAt).not.toBeNull();
    const [received] = await receivedBy("reader@example.com");
    expect(received).toMatchObject({
      from: "site@example.com",
      to: ["reader@example.com"],
      isSecure: true,
      user: "owner",
    });
    // RFC 5322 §2.1.1: the limit of a line.
    expect(Math.max(...received!.raw.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
    const mail = await PostalMime.parse(bytesOf(received!.raw));
    const sent = row.payload as { messageId: string; html: string; text: string };
    expect(mail).toMatchObject({
      from: { address: "site@example.com", name: 'Zoë "Ground", Œuvre' },
      replyTo: [{ address: "answers@example.org" }],
      to: [{ address: "reader@example.com" }],
      subject: `Grüße an alle مرحبا ${"lang ".repeat(30)}`.trim(),
      messageId: sent.messageId,
    });
    // A part ends with the line break of the boundary after it.
    expect(mail.text?.trim()).toBe(sent.text.trim());
    expect(mail.html?.trim()).toBe(sent.html.trim());
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers["list-unsubscribe"]).toMatch(/^<https:\/\/example\.com\/unsubscribe\?token=x{300}>$/);
    expect(headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
    expect(Date.parse(headers["date"]!)).not.toBeNaN();
  });

  it("has an invitation in the form that mail programs expect, and as an attachment", async () => {
    const invitation = `BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Zoë ${"مرحبا ".repeat(9)}\r\nEND:VCALENDAR`;
    const { row } = await deliver(IMPLICIT, { to: "guest@example.com", invitation });
    expect(row.doneAt).not.toBeNull();
    const [received] = await receivedBy("guest@example.com");
    expect(received!.raw).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REQUEST/i);
    const { attachments } = await PostalMime.parse(bytesOf(received!.raw));
    expect(attachments.map(({ mimeType }) => mimeType)).toEqual(["text/calendar", "application/ics"]);
    expect(attachments[0]).toMatchObject({ method: "REQUEST" });
    expect(attachments[1]).toMatchObject({ filename: "invitation.ics" });
    // The parser normalises line ends.
    const text = new TextDecoder().decode(attachments[1]!.content as ArrayBuffer);
    expect(text.trim()).toBe(invitation.replaceAll("\r\n", "\n"));
  });

  it("is encrypted by STARTTLS", async () => {
    const { row } = await deliver(`smtp://${LOGIN}@127.0.0.1:${ports.starttls}`, {
      to: "upgraded@example.com",
    });
    expect(row.lastError).toBeNull();
    expect(await receivedBy("upgraded@example.com")).toMatchObject([{ isSecure: true, user: "owner" }]);
  });

  it("is not sent to a server without encryption, nor is the password", async () => {
    const { row } = await deliver(`smtp://${LOGIN}@127.0.0.1:${ports.plain}`, { to: "bare@example.com" });
    expect(row).toMatchObject({ doneAt: null, failedAt: null, attempts: 1 });
    expect(row.lastError).toContain("STARTTLS");
    expect(await receivedBy("bare@example.com")).toEqual([]);
  });

  it("is not sent to a server with an untrusted certificate", async () => {
    const { row } = await deliver(`smtps://${LOGIN}@localhost:${ports.untrusted}`, {
      to: "other@example.com",
    });
    expect(row).toMatchObject({ doneAt: null, failedAt: null });
    expect(await receivedBy("other@example.com")).toEqual([]);
  });

  it.each([
    ["unknown", "550 5.1.1 No such mailbox"],
    ["spam", "554 5.7.1 This looks like spam"],
  ])("that is refused for good is not retried, and stores the reason: %s", async (name, answer) => {
    const { row, again } = await deliver(PLAIN, { to: `${name}@example.com` });
    expect(row).toMatchObject({ doneAt: null, attempts: 1 });
    expect(row.failedAt).not.toBeNull();
    expect(row.lastError).toContain(answer);
    expect((await again()).attempts).toBe(1);
  });

  it.each([
    ["busy", "451 4.3.0 Come back later"],
    ["cut", "closed"],
  ])("is retried after a while: %s", async (name, answer) => {
    const { row } = await deliver(PLAIN, { to: `${name}@example.com` });
    expect(row).toMatchObject({ doneAt: null, failedAt: null, attempts: 1 });
    expect(row.notBefore.getTime()).toBeGreaterThan(Date.now());
    expect(row.lastError).toContain(answer);
  });

  it("waits for a slow server", async () => {
    const { row } = await deliver(PLAIN, { to: "slow@example.com" });
    expect(row.doneAt).not.toBeNull();
  });

  it("is retried if the password is wrong, and the log contains neither it nor the reader", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { row } = await deliver(`smtp://owner:wrong-secret@localhost:${ports.plain}`, {
      to: "reader@example.com",
    });
    expect(row).toMatchObject({ doneAt: null, failedAt: null });
    expect(row.lastError).toContain("535");
    expect(JSON.stringify(log.mock.calls)).not.toMatch(/wrong-secret|reader@/);
  });

  it("leaves no connection open if the password is wrong", async () => {
    const user = crypto.randomUUID();
    // Longer than the test, so that neither side closes it for a timeout.
    const patience = { connect: 20_000, answer: HOUR };
    const connecting = connectSmtp(`smtp://${user}:wrong@localhost:${ports.plain}`, "localhost", patience);
    await expect(connecting).rejects.toThrow("535");
    // Answered once it is closed.
    expect(await receivedBy(user)).toEqual([]);
  });

  it("is retried if no server answers", async () => {
    const { row } = await deliver("smtp://localhost:1", { to: "reader@example.com" });
    expect(row).toMatchObject({ doneAt: null, failedAt: null });
    expect(row.lastError).toContain("localhost:1 cannot be reached");
  });
});

describe("a test email", () => {
  const owner = (smtpUrl: string | undefined, options = {}) => {
    const ctx = ownerContext(options);
    return { ...ctx, config: { ...ctx.config, smtpUrl } };
  };

  it("is sent to the user who asks, and shows the server's response", async () => {
    expect(await sendTestMail(owner(IMPLICIT))).toEqual({
      to: "owner@example.com",
      isAccepted: true,
      answer: "250 2.0.0 queued",
    });
    expect((await receivedBy("owner@example.com")).at(-1)?.raw).toContain("Subject: Test email from");
  });

  it("shows the error", async () => {
    const answer = await sendTestMail(owner(`smtp://owner:wrong@localhost:${ports.plain}`));
    expect(answer).toMatchObject({
      isAccepted: false,
      answer: expect.stringContaining("535 5.7.8") as string,
    });
  });

  it("uses the transport of letters, which may differ", async () => {
    const url = `http://127.0.0.1:${inject("resend")}/${crypto.randomUUID()}`;
    const ctx = owner(PLAIN);
    const both = { ...ctx, config: { ...ctx.config, resend: { key: RESEND_KEY, url } } };
    expect(await sendTestMail(both, { as: "letter" })).toMatchObject({
      isAccepted: true,
      answer: expect.stringMatching(/^Resend accepted it as /) as string,
    });
    expect(await sendTestMail(both)).toMatchObject({ answer: "250 2.0.0 queued" });
    const wrong = { ...ctx, config: { ...ctx.config, resend: { key: "re_wrong", url } } };
    expect(await sendTestMail(wrong, { as: "letter" })).toMatchObject({
      isAccepted: false,
      answer: expect.stringContaining("401 invalid_api_key") as string,
    });
    const none = { ...owner(undefined), email: {} as SendEmail };
    await expect(sendTestMail(none, { as: "letter" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("is refused without a server, for editors, and after twenty an hour", async () => {
    await expect(sendTestMail(owner(undefined))).rejects.toMatchObject({ code: "conflict" });
    const editor = contextAs("editor");
    await expect(sendTestMail(editor)).rejects.toMatchObject({ code: "forbidden" });
    const asked = owner("smtp://localhost:1", { now: new Date(Date.now() + 7_200_000) });
    for (let count = 0; count < 20; count++) await sendTestMail(asked);
    await expect(sendTestMail(asked)).rejects.toMatchObject({ code: "too_many" });
  });
});

describe("SMTP_URL", () => {
  it.each([
    ["smtps://u:p@mail.example.net", { port: 465, tls: "implicit", login: { user: "u", pass: "p" } }],
    [
      "smtp://u%40x:p%2F@mail.example.net",
      { port: 587, tls: "starttls", login: { user: "u@x", pass: "p/" } },
    ],
    ["smtp://mail.example.net:25", { port: 25, tls: "starttls", login: null }],
    ["smtp://localhost:1025", { port: 1025, tls: "none", login: null }],
  ])("reads the SMTP_URL %s", (url, expected) => {
    expect(parseSmtpUrl(url)).toMatchObject(expected);
  });

  it.each(["mail.example.net", "https://u:secret@mail.example.net", "smtp://"])("is not %s", (url) => {
    expect(() => parseSmtpUrl(url)).toThrow("SMTP_URL is not an address");
    expect(() => parseSmtpUrl(url)).not.toThrow("secret");
  });
});
