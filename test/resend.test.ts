import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, inject, it, vi } from "vitest";
import { composeMail, MAIL_TOPIC, mailRow, type Mail } from "#worker/mail/message.ts";
import { letterProvider, mailDestinationOf, mailWayHere } from "#worker/mail/providers.ts";
import { letterWayOf } from "#worker/mail/ways.ts";
import type { Outcome } from "#worker/mail/session.ts";
import { deliverMail, sendMail } from "#worker/mail/transports.ts";
import type { Config, Context } from "#worker/platform/context.ts";
import { BusyError, deliverOutbox, PermanentError } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { jobContext } from "./support/client.ts";
import { RESEND_KEY, type Fault, type ResendRequest, type TakenMail } from "./support/resend-server.ts";

const port = inject("resend");
const binding = (env as unknown as { TEST_EMAIL: SendEmail }).TEST_EMAIL;

const contextWith = ({ email, ...config }: Partial<Config & Pick<Context, "email">>): Context => {
  const ctx = jobContext();
  return { ...ctx, email, config: { ...ctx.config, ...config } };
};

/** An account of its own, the requests to it, and the emails that it accepted. */
function account(...faults: Fault[]) {
  const url = `http://127.0.0.1:${port}/${crypto.randomUUID()}`;
  const read = async <T>(what: string) => (await fetch(`${url}/${what}`)).json<T>();
  return {
    resend: { key: RESEND_KEY, url },
    begin: () => fetch(`${url}/faults`, { method: "POST", body: JSON.stringify(faults) }),
    taken: () => read<TakenMail[]>("taken"),
    requests: () => read<ResendRequest[]>("requests"),
  };
}

const mailTo = (to: string, fields: Partial<Parameters<typeof composeMail>[1]> = {}): Mail =>
  composeMail(jobContext(), { to, subject: "A letter", parts: ["Words."], ...fields });

const mailsTo = (count: number) => Array.from({ length: count }, (_, n) => mailTo(`reader-${n}@example.com`));

const statesOf = (outcomes: Outcome[]) => outcomes.map(({ state }) => state);

async function sessionOf(resend: Config["resend"]) {
  return letterProvider(contextWith({ resend }))!.open();
}

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

describe("letters by Resend", () => {
  it("are sent in one request, unchanged, and each gets the provider's id", async () => {
    const { resend, taken, requests } = account();
    const session = await sessionOf(resend);
    const written = mailTo("reader@example.com", {
      from: { address: "site@example.com", name: 'Zoë "Ground", Œuvre' },
      replyTo: { address: "answers@example.org" },
      headers: {
        "List-Unsubscribe": "<https://example.com/u?token=1>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    });
    const outcomes = await session.send([written, ...mailsTo(99)], { key: "k1" });
    expect(new Set(statesOf(outcomes))).toEqual(new Set(["sent"]));
    const mails = await taken();
    expect(outcomes.map((outcome) => outcome.state === "sent" && outcome.providerId)).toEqual(
      mails.map(({ id }) => id),
    );
    expect(mails).toHaveLength(100);
    expect(mails[0]).toMatchObject({
      from: '"Zoë \\"Ground\\", Œuvre" <site@example.com>',
      to: ["reader@example.com"],
      reply_to: "answers@example.org",
      subject: "A letter",
      text: written.text,
      html: written.html,
      headers: written.headers,
    });
    expect(await requests()).toEqual([{ key: "k1", mails: 100, answer: 200 }]);
    await expect(session.send(mailsTo(101), { key: "k2" })).rejects.toThrow("at most 100");
  });

  it("are sent also if the API refuses one of them, which is reported", async () => {
    const { resend, taken } = account();
    const [a, b] = mailsTo(2);
    const outcomes = await (await sessionOf(resend)).send([a!, mailTo("zoë@example.com"), b!], { key: "k" });
    expect(outcomes).toMatchObject([
      { state: "sent" },
      {
        state: "failed",
        isBadAddress: false,
        answer: expect.stringContaining("Invalid `to` field") as string,
      },
      { state: "sent" },
    ]);
    const mails = await taken();
    expect(outcomes[2]).toHaveProperty("providerId", mails[1]!.id);
  });

  it.each<Fault>(["cut-before", "cut-after", "down", "proxy", "concurrent"])(
    "are submitted again with the same key, and each arrives once: %s",
    async (fault) => {
      const { resend, begin, taken } = account(fault);
      await begin();
      const session = await sessionOf(resend);
      const mails = mailsTo(3);
      const first: unknown = await session.send(mails, { key: "k" }).catch((error: unknown) => error);
      expect(first).toBeInstanceOf(Error);
      expect(first).not.toBeInstanceOf(BusyError);
      const again = await session.send(mails, { key: "k" });
      const arrived = await taken();
      expect(again.map((outcome) => outcome.state === "sent" && outcome.providerId)).toEqual(
        arrived.map(({ id }) => id),
      );
      expect(arrived).toHaveLength(3);
    },
  );

  it("report the response of a proxy in one line", async () => {
    const { resend, begin } = account("proxy");
    await begin();
    await expect((await sessionOf(resend)).send(mailsTo(1), { key: "k" })).rejects.toThrow(
      "502 : <h1>Bad gateway</h1>",
    );
  });

  it.each<[Fault, number | null, string]>([
    ["busy", 3000, "429 rate_limit_exceeded: Too many requests"],
    ["daily-quota", 3_600_000, "daily quota is used up"],
    ["unverified", null, "403 validation_error: The example.com domain is not verified."],
  ])("wait if the API temporarily accepts none: %s", async (fault, retryAfterMs, words) => {
    const { resend, begin, taken } = account(fault);
    await begin();
    const error: unknown = await (
      await sessionOf(resend)
    )
      .send(mailsTo(2), { key: "k" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BusyError);
    expect(error).toMatchObject({ retryAfterMs, message: expect.stringContaining(words) as string });
    expect(await taken()).toEqual([]);
  });

  it("wait if the API key is wrong", async () => {
    const { resend } = account();
    const session = await sessionOf({ ...resend, key: "re_wrong" });
    await expect(session.send(mailsTo(1), { key: "k" })).rejects.toThrow("401 invalid_api_key");
  });

  it("are uncertain if another batch used their idempotency key", async () => {
    const { resend, taken } = account();
    const session = await sessionOf(resend);
    await session.send(mailsTo(2), { key: "k" });
    const outcomes = await session.send([mailTo("other@example.com")], { key: "k" });
    expect(outcomes).toMatchObject([
      { state: "uncertain", answer: expect.stringContaining("invalid_idempotent_request") as string },
    ]);
    expect(await taken()).toHaveLength(2);
  });
});

describe("an email by Resend", () => {
  it("is sent once after any number of attempts, and fails for good if the API refuses it", async () => {
    const { resend, begin, taken } = account("cut-after");
    await begin();
    const ctx = contextWith({ resend });
    const { id, statement } = mailRow(ctx, { to: "reader@example.com", subject: "A", parts: ["Words."] });
    await statement;
    await deliverOutbox(ctx, id, { [MAIL_TOPIC]: deliverMail });
    const later = { ...ctx, clock: () => new Date(Date.now() + 120_000) };
    await deliverOutbox(later, id, { [MAIL_TOPIC]: deliverMail });
    const [row] = await ctx.db.select().from(outbox).where(eq(outbox.id, id));
    expect(row).toMatchObject({ attempts: 2, failedAt: null });
    expect(row!.doneAt).not.toBeNull();
    expect(await taken()).toHaveLength(1);

    const refused = mailRow(ctx, { to: "zoë@example.com", subject: "A", parts: ["Words."] });
    await refused.statement;
    await deliverOutbox(ctx, refused.id, { [MAIL_TOPIC]: deliverMail });
    const [failed] = await ctx.db.select().from(outbox).where(eq(outbox.id, refused.id));
    expect(failed!.failedAt).not.toBeNull();
    expect(failed!.lastError).toContain("Invalid `to` field");
  });

  it.each<[Fault, number, number]>([
    ["busy", 3000, 0],
    // The response names the rate limit's window, which is not the reason here.
    ["unverified", 60_000, 1],
  ])("waits as long as the response asks: %s", async (fault, wait, attempts) => {
    const { resend, begin, taken } = account(fault);
    await begin();
    const now = new Date();
    const ctx = { ...contextWith({ resend }), now, clock: () => now };
    const { id, statement } = mailRow(ctx, { to: "reader@example.com", subject: "A", parts: ["Words."] });
    await statement;
    await deliverOutbox(ctx, id, { [MAIL_TOPIC]: deliverMail });
    const [row] = await ctx.db.select().from(outbox).where(eq(outbox.id, id));
    expect(row).toMatchObject({ attempts, notBefore: new Date(now.getTime() + wait), failedAt: null });
    const later = { ...ctx, clock: () => row!.notBefore };
    await deliverOutbox(later, id, { [MAIL_TOPIC]: deliverMail });
    expect(await taken()).toHaveLength(1);
  });
});

const INVITATION = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:Zoë\r\nEND:VCALENDAR";

describe("an invitation by Resend", () => {
  it("is sent as an attachment, once, without the batch endpoint, which accepts none", async () => {
    const { resend, begin, taken } = account("cut-after");
    await begin();
    const ctx = contextWith({ resend });
    const mail = mailTo("reader@example.com", { invitation: INVITATION });
    await expect(sendMail(ctx, mail)).rejects.toThrow();
    expect(await sendMail(ctx, mail)).toMatch(/^Resend accepted it as /);
    const [sent, ...others] = await taken();
    expect(others).toEqual([]);
    const [file] = sent!.attachments!;
    expect(file).toMatchObject({
      filename: "invitation.ics",
      content_type: expect.stringMatching(/REQUEST/) as string,
    });
    expect(new TextDecoder().decode(Uint8Array.fromBase64(file!.content))).toBe(INVITATION);
    const refused = mailTo("zoë@example.com", { invitation: INVITATION });
    await expect(sendMail(ctx, refused)).rejects.toThrow(PermanentError);
  });
});

describe("an email by Cloudflare’s Email Service", () => {
  const ctx = contextWith({ email: binding, siteUrl: "https://example.com" });

  it("is accepted by the binding, and has its id", async () => {
    const mail = mailTo("reader@example.com", {
      from: { address: "site@example.com", name: "Plain Ground" },
      replyTo: { address: "answers@example.org" },
      headers: { "List-Unsubscribe": "<https://example.com/u?token=1>" },
    });
    expect(await sendMail(ctx, mail)).toMatch(/^Cloudflare accepted it as <?[^ ]+@example\.com>?\.$/);
  });

  it("has an invitation as an attachment", async () => {
    const mail = mailTo("reader@example.com", {
      from: { address: "site@example.com" },
      invitation: INVITATION,
    });
    expect(await sendMail(ctx, mail)).toMatch(/^Cloudflare accepted it/);
    const send = vi.fn().mockResolvedValue({ messageId: "m" });
    await sendMail({ ...ctx, email: { send } as unknown as SendEmail }, mail);
    const [{ attachments }] = send.mock.calls[0] as [{ attachments: EmailAttachment[] }];
    expect(attachments).toMatchObject([{ filename: "invitation.ics", disposition: "attachment" }]);
    expect(new TextDecoder().decode(attachments[0]!.content as Uint8Array)).toBe(INVITATION);
  });

  it.each([
    ["E_RECIPIENT_SUPPRESSED", true],
    ["E_HEADER_NOT_ALLOWED", true],
    ["E_DAILY_LIMIT_EXCEEDED", false],
    ["E_SENDER_NOT_VERIFIED", false],
  ])("reports why it was refused: %s", async (code, isFinal) => {
    const email = {
      send: () => Promise.reject(Object.assign(new Error("no"), { code })),
    } as unknown as SendEmail;
    const { id, statement } = mailRow(ctx, { to: "reader@example.com", subject: "A", parts: ["Words."] });
    await statement;
    await deliverOutbox({ ...ctx, email }, id, { [MAIL_TOPIC]: deliverMail });
    const [row] = await ctx.db.select().from(outbox).where(eq(outbox.id, id));
    expect(row!.lastError).toContain(`${code} no`);
    expect(row!.failedAt !== null).toBe(isFinal);
  });
});

describe("the transport of emails", () => {
  const smtpUrl = "smtp://localhost:1";
  const resend = { key: "k", url: "https://api.resend.com" };
  const email = {} as SendEmail;
  const siteUrl = "https://example.com";

  it.each([
    [{ smtpUrl, resend, email }, "smtp", "resend", "mailbox"],
    [{ smtpUrl, email }, "smtp", "smtp", "mailbox"],
    [{ resend, email }, "resend", "resend", "mailbox"],
    [{ email, siteUrl }, "cloudflare", "none", "mailbox"],
    [{ email }, "cloudflare", "console", "mailbox"],
    [{}, "console", "console", "console"],
    [{ siteUrl }, "database", "none", "database"],
  ])("with %o, emails leave by %s and letters by %s", (set, mails, letters, destination) => {
    const ctx = contextWith({ smtpUrl: undefined, resend: undefined, email: undefined, ...set });
    expect([mailWayHere(ctx), letterWayOf(ctx), mailDestinationOf(ctx)]).toEqual([
      mails,
      letters,
      destination,
    ]);
    expect(letterProvider(ctx) === null).toBe(letters === "none");
    expect(letterProvider(ctx)?.isIdempotent ?? false).toBe(letters === "resend");
  });
});
