import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readReturnedMail } from "#worker/bounces/returned-mail.ts";
import { MOST_OF_A_REPORT } from "#worker/bounces/receive.ts";
import { signUnsubscribes } from "#worker/newsletter/unsubscribe-tokens.ts";
import { jobContext } from "./support/client.ts";
import { letterTo, subscriber } from "./support/sent-letters.ts";
import worker from "./support/worker.ts";

/**
 * What Exim and Postfix returned after a server on the same machine had refused a letter with these answers
 * (test/fixtures/made/README.md). The letter's token is the word TOKEN.
 */
const files = import.meta.glob<string>("./fixtures/made/returned/*.eml", {
  query: "?raw",
  import: "default",
  eager: true,
});
const returnedBy = (name: string, token = "TOKEN") =>
  files[`./fixtures/made/returned/${name}.eml`]!.replace("TOKEN", token);

const UNKNOWN = "550 5.1.1 <reader@gone.example>: Recipient address rejected: User unknown";
const FULL = "552 5.2.2 The mailbox is over its quota";
const REFUSED = "550 5.7.1 Message refused by policy";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readReturnedMail(bytesOf(text));

/** Lines as programs send them. */
const mail = (...lines: string[]) => `${lines.join("\r\n")}\r\n`;

/** A report in the form of RFC 6522 with the headers of a letter. */
const reportOf = (type: string, part: string, fields: string[], token: string) =>
  mail(
    "From: <mailer-daemon@mx.example>",
    "To: letters@example.com",
    "Subject: A report",
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=${type}; boundary="=_b"`,
    "",
    "--=_b",
    "Content-Type: text/plain",
    "",
    "For people.",
    "--=_b",
    `Content-Type: ${part}`,
    "",
    ...fields,
    "--=_b",
    "Content-Type: text/rfc822-headers",
    "",
    "From: letters@example.com",
    "List-Unsubscribe:",
    ` <https://example.com/api/newsletter/unsubscribe?token=${token}>`,
    "Subject: A letter",
    "",
    "--=_b--",
  );

const statusOf = (fields: string[], token = "TOKEN") =>
  reportOf(
    "delivery-status",
    "message/delivery-status",
    ["Reporting-MTA: dns; mx.example", "", ...fields],
    token,
  );

/** As RFC 5965 has it, of a mailbox whose user pressed the button for spam. */
const feedbackOf = (type: string, token = "TOKEN") =>
  reportOf(
    "feedback-report",
    "message/feedback-report",
    [`Feedback-Type: ${type}`, "User-Agent: SomeGenerator/1.0", "Version: 1"],
    token,
  );

describe("a returned email", () => {
  it.each([
    ["exim-reader", true, UNKNOWN],
    ["exim-full", false, FULL],
    ["exim-spam", false, REFUSED],
    ["postfix-reader", true, UNKNOWN],
    ["postfix-full", false, FULL],
    ["postfix-spam", false, REFUSED],
  ])("%s says why, and whether the mailbox exists", async (name, isPermanent, reason) => {
    expect(await read(returnedBy(name))).toEqual({ kind: "bounced", token: "TOKEN", isPermanent, reason });
  });

  it("of a letter that is still being tried, as Postfix warns of it, changes nothing", async () => {
    expect(await read(returnedBy("postfix-later"))).toEqual({ kind: "noted" });
  });

  it.each([
    [
      "Exchange Online’s, without a space",
      "smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found",
      "5.1.10",
      true,
    ],
    [
      "Gmail’s, of several lines",
      "smtp; 550-5.1.1 The email account that you tried to reach does not exist.\r\n 550 5.1.1 Learn more",
      "5.1.1",
      true,
    ],
    ["one without a code in the answer", "smtp; 550 no such user", "5.1.1", true],
    ["one of a host that was not found", "X-Postfix; Host or domain name not found", "5.4.4", false],
    ["one without an answer", "", "5.1.1", true],
    ["one without a status", "", "", false],
  ])("is read: %s", async (_, answer, status, isPermanent) => {
    const fields = [
      "Final-Recipient: rfc822; a@b.example",
      "Action: failed",
      `Status: ${status}`,
      `Diagnostic-Code: ${answer}`,
    ];
    expect(await read(statusOf(fields))).toMatchObject({ kind: "bounced", token: "TOKEN", isPermanent });
  });

  it("is read in its first returned letters and 32 KB of its fields", async () => {
    const part = (...lines: string[]) =>
      ["--=_b", "Content-Type: text/rfc822-headers", "", ...lines].join("\r\n");
    const report = statusOf(["Action: failed", "Status: 5.1.1"]);
    const [before = "", after = ""] = report.split("--=_b\r\nContent-Type: text/rfc822-headers");
    const others = (count: number) =>
      Array.from({ length: count }, () => part("Subject: Another", "")).join("");
    const behind = (count: number) =>
      read(`${before}${others(count)}--=_b\r\nContent-Type: text/rfc822-headers${after}`);
    expect(await behind(2)).toMatchObject({ kind: "bounced", token: "TOKEN" });
    expect(await behind(3)).toMatchObject({ kind: "bounced", token: null });
    const late = Array.from({ length: 9000 }, (_, at) => `X: ${at}`);
    expect(await read(statusOf([...late, "", "Action: failed"]))).toEqual({ kind: "noted" });
  });

  it.each([
    ["abuse", "complained"],
    ["Fraud", "complained"],
    ["opt-out", "complained"],
    ["other", "complained"],
    ["not-spam", "noted"],
    ["virus", "noted"],
    ["auth-failure", "noted"],
  ])("with feedback of the type %s is %s", async (type, kind) => {
    expect(await read(feedbackOf(type))).toMatchObject({ kind });
  });

  it.each([
    [
      "a person’s reply",
      mail("From: a@b.example", "Subject: Re: A letter", "In-Reply-To: <a@b>", "", "Thank you!"),
      "other",
    ],
    [
      "a report that a person forwards, as a message within theirs",
      mail(
        "From: a@b.example",
        "MIME-Version: 1.0",
        "Content-Type: message/rfc822",
        "",
        statusOf(["Action: failed"]),
      ),
      "other",
    ],
    [
      "an answer of someone on holiday",
      mail("From: a@b.example", "Auto-Submitted: auto-replied", "", "I am away."),
      "noted",
    ],
    ["nothing", "", "other"],
    [
      "parts within parts without an end",
      `${Array.from({ length: 3000 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join("")}`,
      "other",
    ],
    ["headers without an end", "X: ".padEnd(900_000, "y"), "other"],
  ])("is nothing to count if it is %s", async (_, text, kind) => {
    expect(await read(text)).toEqual({ kind });
  });
});

/** Hands an email to the Worker as Email Routing does. Returns why it was refused, and how much of it was read. */
async function receive(raw: string | ReadableStream<Uint8Array>) {
  const refusals: string[] = [];
  const message = {
    from: "",
    to: "letters@example.com",
    headers: new Headers(),
    raw: typeof raw === "string" ? new Response(raw).body! : raw,
    rawSize: 0,
    setReject: (reason: string) => void refusals.push(reason),
  } as unknown as ForwardableEmailMessage;
  const execution = createExecutionContext();
  await worker.email!(message, env, execution);
  await waitOnExecutionContext(execution);
  return refusals;
}

async function sentLetter() {
  const reader = await subscriber();
  const letter = await letterTo(reader);
  const [token] = await signUnsubscribes(jobContext(), [reader.id], letter.letterId);
  return { reader, letter, token: token! };
}

describe("an email to the address that letters come from", () => {
  it("that an unknown mailbox returned blocks the subscriber, and counts once for all servers that report it", async () => {
    const { reader, letter, token } = await sentLetter();
    for (const name of ["exim-reader", "exim-reader", "postfix-reader"])
      expect(await receive(returnedBy(name, token))).toEqual([]);
    expect(await reader.read()).toMatchObject({ status: "bounced", blockedReason: UNKNOWN });
    expect(await letter.read()).toEqual({ bounced: 1, complained: 0, feedback: "bounced" });
  });

  it("that a full mailbox returned blocks the subscriber with the third letter", async () => {
    const reader = await subscriber();
    for (const status of ["active", "active", "bounced"]) {
      const { letterId } = await letterTo(reader);
      const [token] = await signUnsubscribes(jobContext(), [reader.id], letterId);
      await receive(returnedBy("postfix-full", token));
      expect((await reader.read()).status).toBe(status);
    }
    expect((await reader.read()).blockedReason).toBe(`Three letters in a row bounced. ${FULL}`);
  });

  it("that complains ends the subscription, which a confirmation may begin again", async () => {
    const { reader, letter, token } = await sentLetter();
    expect(await receive(feedbackOf("abuse", token))).toEqual([]);
    expect((await reader.read()).status).toBe("unsubscribed");
    expect(await letter.read()).toEqual({ bounced: 0, complained: 1, feedback: "complained" });
  });

  it.each([
    ["no token", (name: string) => returnedBy(name, "")],
    ["an invented token", (name: string) => returnedBy(name, "eyJhbGciOiJIUzI1NiJ9.e30.AAAA")],
  ])("with %s changes nothing", async (_, forge) => {
    const { reader, letter, token } = await sentLetter();
    expect(await receive(forge("exim-reader"))).toEqual([]);
    expect(await receive(returnedBy("exim-reader", `${token}x`))).toEqual([]);
    expect((await reader.read()).status).toBe("active");
    expect(await letter.read()).toEqual({ bounced: 0, complained: 0, feedback: null });
  });

  it("that a person wrote is refused with the address of the form", async () => {
    expect(await receive(mail("From: a@b.example", "Subject: Re: A letter", "", "Thank you!"))).toEqual([
      "This address takes reports of undelivered letters only. Please write to us at http://localhost:8787/contact instead.",
    ]);
  });

  it("is read up to its first 128 KB", async () => {
    const { reader, token } = await sentLetter();
    const report = bytesOf(returnedBy("postfix-reader", token));
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = sent === 0 ? report : new Uint8Array(64 * 1024).fill(0x61);
        sent += piece.length;
        controller.enqueue(piece);
      },
    });
    expect(await receive(endless)).toEqual([]);
    expect(sent).toBeLessThan(MOST_OF_A_REPORT + 3 * 64 * 1024);
    expect((await reader.read()).status).toBe("bounced");
  });
});
