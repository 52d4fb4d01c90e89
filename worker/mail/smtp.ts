import net from "node:net";
import { Readable } from "node:stream";
import tls from "node:tls";
import SMTPConnection, { type SentMessageInfo } from "nodemailer/lib/smtp-connection";
import type { Mail } from "#worker/mail/message.ts";
import { mimeOf } from "#worker/mail/mime.ts";
import { isBadAddress, type Outcome } from "#worker/mail/session.ts";
import { parseSmtpUrl, type SmtpServer } from "#worker/mail/smtp-url.ts";

/** Timeouts in milliseconds: for the connection, and for each answer. */
type Patience = { connect: number; answer: number };
const PATIENCE: Patience = { connect: 20_000, answer: 60_000 };

/** The outcome of an email, and the state of the connection for the next one. */
export type Submission = {
  outcome: Outcome;
  /** Lost: the connection is closed. Refused: the server accepts nothing from this sender. */
  connection: "open" | "lost" | "refused";
};

/** A connection to a mail server, for one email after another. */
export type SmtpLine = {
  /** Submits an email. Never throws for a server's answer or a lost connection. */
  submit: (mail: Mail) => Promise<Submission>;
  close: () => void;
};

/**
 * Connects and signs in. `name` is this host's name in EHLO.
 * @throws for a server that cannot be reached, has no valid certificate, or refuses the password
 */
export async function connectSmtp(url: string, name: string, patience = PATIENCE): Promise<SmtpLine> {
  const server = parseSmtpUrl(url);
  // Nodemailer would resolve the name itself and connect to a bare address, whose certificate cannot be checked.
  const connection = await connectTo(server, patience);
  const smtp = new SMTPConnection({
    connection,
    host: server.host,
    port: server.port,
    name,
    secured: server.tls === "implicit",
    requireTLS: server.tls === "starttls",
    ignoreTLS: server.tls === "none",
    tls: { servername: server.host },
    greetingTimeout: patience.connect,
    socketTimeout: patience.answer,
  });
  // Without a listener an error between two commands would crash the invocation; the next command reports it.
  smtp.on("error", () => undefined);
  try {
    await during(smtp, (done) => smtp.connect(done));
    if (server.login) await during(smtp, (done) => smtp.login(server.login!, done));
  } catch (error) {
    // Nodemailer leaves the connection open after a refused password, and an invocation may have only six.
    smtp.close();
    throw error;
  }
  return lineOf(smtp);
}

function connectTo({ host, port, tls: kind }: SmtpServer, { connect }: Patience) {
  return new Promise<net.Socket>((resolve, reject) => {
    const socket =
      kind === "implicit" ? tls.connect({ host, port, servername: host }) : net.connect({ host, port });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`${host}:${port} did not accept a connection within ${connect / 1000} seconds.`));
    }, connect);
    socket.once(kind === "implicit" ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      socket.removeListener("error", fail);
      resolve(socket);
    });
    const fail = (cause: Error) => {
      clearTimeout(timer);
      reject(new Error(`${host}:${port} cannot be reached: ${cause.message}`, { cause }));
    };
    socket.once("error", fail);
  });
}

type Done<T> = (error?: Error | null, result?: T) => void;

/** Runs one command; rejects if the connection ends or fails during it. */
function during<T>(smtp: SMTPConnection, command: (done: Done<T>) => void) {
  return new Promise<T>((resolve, reject) => {
    const end = () => fail(new Error(lastWordsOf(smtp)));
    const settle = () => smtp.removeListener("error", fail).removeListener("end", end);
    const fail = (error: Error) => {
      settle();
      reject(error);
    };
    smtp.once("error", fail).once("end", end);
    command((error, result) => {
      if (error) return fail(error);
      settle();
      resolve(result as T);
    });
  });
}

/** Nodemailer does not report which of several pipelined commands got the 421. */
function lastWordsOf({ lastServerResponse: last }: SMTPConnection) {
  return last && last.startsWith("421") ? last : "The mail server closed the connection.";
}

function lineOf(smtp: SMTPConnection): SmtpLine {
  /** A refused email leaves its transaction open, which must be reset before the next. */
  let isHalfDone = false;

  async function submit(mail: Mail): Promise<Submission> {
    let hasBegun = false;
    try {
      if (isHalfDone) await during(smtp, (done) => smtp.reset(done));
      isHalfDone = true;
      const { envelope, raw } = mimeOf(mail);
      const message = streamOf(raw, () => (hasBegun = true));
      const { response } = await during<SentMessageInfo>(smtp, (done) => smtp.send(envelope, message, done));
      isHalfDone = false;
      return { outcome: { state: "sent", answer: response }, connection: "open" };
    } catch (error) {
      return submissionAfter(error as SmtpError, { hasBegun, isLost: smtp.destroyed });
    }
  }

  return { submit, close: () => smtp.quit() };
}

/** A message stream that reports when it is read: nodemailer starts after the server's 354. */
const streamOf = (message: Buffer, begin: () => void) =>
  new Readable({
    read() {
      begin();
      this.push(message);
      this.push(null);
    },
  });

type SmtpError = Error & { response?: string; responseCode?: number; command?: string };

function submissionAfter(
  error: SmtpError,
  { hasBegun, isLost }: { hasBegun: boolean; isLost: boolean },
): Submission {
  const { responseCode = 0, command = "" } = error;
  const answer = error.response ?? error.message;
  const connection = isLost ? "lost" : "open";
  const isAnswered = responseCode >= 400 && ["MAIL FROM", "RCPT TO", "DATA"].includes(command);
  if (!isAnswered) {
    return { outcome: { state: hasBegun ? "uncertain" : "deferred", answer }, connection: "lost" };
  }
  if (command === "MAIL FROM" && !isLost) {
    return { outcome: { state: "deferred", answer }, connection: "refused" };
  }
  if (responseCode < 500 || command === "MAIL FROM") {
    return { outcome: { state: "deferred", answer }, connection };
  }
  return { outcome: { state: "failed", answer, isBadAddress: isBadAddress(answer) }, connection };
}
