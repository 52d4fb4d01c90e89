import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { composeMail, type Mail } from "#worker/mail/message.ts";
import { letterProvider } from "#worker/mail/providers.ts";
import type { Outcome } from "#worker/mail/session.ts";
import { connectSmtp } from "#worker/mail/smtp.ts";
import { openSmtpSession } from "#worker/mail/smtp-session.ts";
import type { Config } from "#worker/platform/context.ts";
import { jobContext } from "./support/client.ts";
import type { Received } from "./support/smtp-server.ts";

const ports = inject("smtp");
const LOGIN = "owner:p%40ss%2Fword";
const PLAIN = `smtp://${LOGIN}@localhost:${ports.plain}`;
/**
 * Each is one of nodemailer's modes: encrypted from the first byte, upgraded, and one command at a time with AUTH
 * LOGIN.
 */
const servers = {
  "TLS, AUTH PLAIN": `smtps://${LOGIN}@localhost:${ports.implicit}`,
  STARTTLS: `smtp://${LOGIN}@127.0.0.1:${ports.starttls}`,
  "AUTH LOGIN, no PIPELINING": `smtp://${LOGIN}@localhost:${ports.login}`,
};

const contextWith = (config: Partial<Config>) => {
  const ctx = jobContext();
  return { ...ctx, config: { ...ctx.config, ...config } };
};
const providerOf = (config: Partial<Config>) => letterProvider(contextWith(config));

const mailTo = (to: string, from = "site@example.com"): Mail =>
  composeMail(jobContext(), { to, from: { address: from }, subject: "A letter", parts: ["Words."] });

/** Addresses that no other test uses. */
const addresses = (...names: string[]) =>
  names.map((name) => `${name}.${crypto.randomUUID().slice(0, 8)}@example.com`);

async function sendTo(smtpUrl: string, to: string[]) {
  const session = await providerOf({ smtpUrl })!.open();
  try {
    return await session.send(
      to.map((address) => mailTo(address)),
      { key: "k" },
    );
  } finally {
    session.close();
  }
}

async function countReceived(to: string) {
  const response = await fetch(`http://127.0.0.1:${ports.received}/${encodeURIComponent(to)}`);
  return (await response.json<Received[]>()).length;
}

const received = (to: string[]) => Promise.all(to.map(countReceived));
const statesOf = (outcomes: Outcome[]) => outcomes.map(({ state }) => state);

afterEach(() => vi.restoreAllMocks());

describe("letters by SMTP", () => {
  it.each(Object.entries(servers))(
    "are sent over one connection, each with its own result: %s",
    async (_, url) => {
      const to = addresses("a", "unknown", "b", "blocked", "busy", "spam", "gone", "full", "slow", "c");
      const outcomes = await sendTo(url, to);
      expect(outcomes).toEqual([
        { state: "sent", answer: "250 2.0.0 queued" },
        { state: "failed", answer: "550 5.1.1 No such mailbox", isBadAddress: true },
        { state: "sent", answer: "250 2.0.0 queued" },
        { state: "failed", answer: "550 5.7.1 Blocked by policy", isBadAddress: false },
        { state: "deferred", answer: "451 4.3.0 Come back later" },
        { state: "failed", answer: "554 5.7.1 This looks like spam", isBadAddress: false },
        { state: "failed", answer: "550 5.1.1 No such mailbox", isBadAddress: true },
        { state: "deferred", answer: "452 4.2.2 Mailbox full" },
        { state: "sent", answer: "250 2.0.0 queued" },
        { state: "sent", answer: "250 2.0.0 queued" },
      ]);
      expect(await received(to)).toEqual([1, 0, 1, 0, 0, 0, 0, 0, 1, 1]);
    },
  );

  it("are uncertain if the connection is lost while the server reads, and the others are sent once", async () => {
    const to = addresses("a", "cut", "b");
    const outcomes = await sendTo(PLAIN, to);
    expect(statesOf(outcomes)).toEqual(["sent", "uncertain", "sent"]);
    expect(outcomes[1]).toMatchObject({ answer: expect.stringContaining("closed") });
    expect(await received(to)).toEqual([1, 0, 1]);
  });

  it("wait if the connection is lost before the server reads, and a new one fails too", async () => {
    const to = addresses("a", "hangup", "b");
    expect(statesOf(await sendTo(PLAIN, to))).toEqual(["sent", "deferred", "untried"]);
    expect(await received(to)).toEqual([1, 0, 0]);
  });

  it("continue over a new connection if the server closes one after some emails", async () => {
    const to = addresses("last", "a", "last", "b", "c");
    expect(statesOf(await sendTo(PLAIN, to))).toEqual(["sent", "sent", "sent", "sent", "sent"]);
    expect(await received(to)).toEqual([1, 1, 1, 1, 1]);
  });

  it.each(["closing", "shut"])("wait if the server closes with 421 again: %s", async (name) => {
    const to = addresses("a", name, "b");
    const outcomes = await sendTo(servers["AUTH LOGIN, no PIPELINING"], to);
    expect(statesOf(outcomes)).toEqual(["sent", "deferred", "untried"]);
    expect(outcomes[1]).toMatchObject({ answer: expect.stringContaining("421 4.") });
    expect(await received(to)).toEqual([1, 0, 0]);
  });

  it.each(["closing", "hangup"])("wait after the first if the server refuses to begin: %s", async (name) => {
    expect(statesOf(await sendTo(PLAIN, addresses(name, "a")))).toEqual(["deferred", "untried"]);
  });

  it("all wait if the server refuses the sender", async () => {
    const session = await providerOf({ smtpUrl: PLAIN })!.open();
    const [to] = addresses("a");
    const refused = session.send([mailTo(to!, "stranger@example.com")], { key: "k" });
    await expect(refused).rejects.toThrow("553 5.7.1 Not your address");
    // The session remains usable: the owner may correct the sender in between.
    expect(statesOf(await session.send([mailTo(to!)], { key: "k" }))).toEqual(["sent"]);
    session.close();
  });

  it("are uncertain if the server read one and never answers", async () => {
    const session = await openSmtpSession(() =>
      connectSmtp(PLAIN, "localhost", { connect: 20_000, answer: 10_000 }),
    );
    const to = addresses("mute", "a");
    const outcomes = await session.send(
      to.map((address) => mailTo(address)),
      { key: "k" },
    );
    expect(statesOf(outcomes)).toEqual(["uncertain", "untried"]);
    expect(outcomes[0]).toMatchObject({ answer: expect.stringContaining("Timeout") });
  });

  it("are not started if the password is wrong, or no server answers", async () => {
    const wrong = providerOf({ smtpUrl: `smtp://owner:wrong@localhost:${ports.login}` })!;
    await expect(wrong.open()).rejects.toThrow("535 5.7.8");
    await expect(providerOf({ smtpUrl: "smtp://localhost:1" })!.open()).rejects.toThrow("cannot be reached");
  });
});

describe("letters without a mail server", () => {
  it("are printed on a local site, twenty of a batch", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const provider = providerOf({ smtpUrl: undefined })!;
    const session = await provider.open();
    const to = Array.from({ length: 50 }, (_, n) => `reader-${n}@example.com`);
    const outcomes = await session.send(
      to.map((address) => mailTo(address)),
      { key: "k" },
    );
    expect(new Set(statesOf(outcomes))).toEqual(new Set(["sent"]));
    expect(outcomes).toHaveLength(50);
    const lines = log.mock.calls.map(([line]) => String(line));
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe('[mail] to=reader-0@example.com subject="A letter"');
    expect(lines[20]).toBe("[mail] and 30 more");
  });

  it("cannot be sent from a deployed site", () => {
    expect(providerOf({ smtpUrl: undefined, siteUrl: "https://example.com" })).toBeNull();
  });
});
