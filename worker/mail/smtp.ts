import net from "node:net";
import tls from "node:tls";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection, { type SentMessageInfo } from "nodemailer/lib/smtp-connection";
import type { Mail } from "#worker/mail/message.ts";
import { parseSmtpUrl, type SmtpServer } from "#worker/mail/smtp-url.ts";
import { PermanentError } from "#worker/platform/outbox.ts";

/** Milliseconds until a server has to have accepted the connection, and until each of its answers. */
const CONNECT_MS = 20_000;
const ANSWER_MS = 60_000;

/** A connection to a mail server, for one mail after another. */
export type SmtpSession = {
  /** Hands a mail over. Returns the server's answer, such as `250 2.0.0 queued as 4f2`. */
  send: (mail: Mail) => Promise<string>;
  close: () => void;
};

/**
 * Connects and signs in. `name` is what this host is called in EHLO.
 * @throws for a server that cannot be reached, has no valid certificate, or refuses the password
 */
export async function openSmtp(url: string, name: string): Promise<SmtpSession> {
  const server = parseSmtpUrl(url);
  // Nodemailer would resolve the name itself and connect to a bare address, whose certificate cannot be checked.
  const connection = await connectTo(server);
  const smtp = new SMTPConnection({
    connection,
    host: server.host,
    port: server.port,
    name,
    secured: server.tls === "implicit",
    requireTLS: server.tls === "starttls",
    ignoreTLS: server.tls === "none",
    tls: { servername: server.host },
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
  });
  await during(smtp, (done) => smtp.connect(done));
  if (server.login) await during(smtp, (done) => smtp.login(server.login!, done));
  return {
    send: (mail) => sendMail(smtp, mail),
    close: () => smtp.quit(),
  };
}

function connectTo({ host, port, tls: kind }: SmtpServer) {
  return new Promise<net.Socket>((resolve, reject) => {
    const socket =
      kind === "implicit" ? tls.connect({ host, port, servername: host }) : net.connect({ host, port });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`${host}:${port} did not accept a connection within ${CONNECT_MS / 1000} seconds.`));
    }, CONNECT_MS);
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

/** One command of the conversation; a connection that ends or fails meanwhile fails it. */
function during<T>(smtp: SMTPConnection, command: (done: Done<T>) => void) {
  return new Promise<T>((resolve, reject) => {
    const end = () => fail(new Error("The mail server closed the connection."));
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

async function sendMail(smtp: SMTPConnection, mail: Mail) {
  const message = new MailComposer({
    from: toAddress(mail.from),
    ...(mail.replyTo && { replyTo: toAddress(mail.replyTo) }),
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    headers: mail.headers as Record<string, string>,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const raw = await message.build();
  try {
    const { response } = await during<SentMessageInfo>(smtp, (done) =>
      smtp.send(message.getEnvelope(), raw, done),
    );
    return response;
  } catch (error) {
    throw isFinal(error) ? new PermanentError((error as Error).message, { cause: error }) : error;
  }
}

const toAddress = ({ name = "", address }: Mail["from"]) => ({ name, address });

/** The server refuses this mailbox or this message for good (RFC 5321 §4.2.1); a later attempt would be refused too. */
function isFinal(error: unknown) {
  const { responseCode = 0, command = "" } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && ["RCPT TO", "DATA"].includes(command);
}
