import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import type { TestProject } from "vitest/node";
import { readCertificates } from "./smtp-certificate.ts";

/** What a mail server got. */
export type Received = {
  raw: string;
  from: string;
  to: string[];
  /** Whether the connection was encrypted when the mail came. */
  isSecure: boolean;
  user: string | undefined;
};

/** Where the mail servers of the tests listen. */
export type SmtpPorts = {
  implicit: number;
  /** Whose certificate nobody vouches for. */
  untrusted: number;
  starttls: number;
  /** Offers no STARTTLS. */
  plain: number;
  /** HTTP: `/ADDRESS` is what that address received. */
  received: number;
};

declare module "vitest" {
  interface ProvidedContext {
    smtp: SmtpPorts;
  }
}

export const SMTP_USER = "owner";
export const SMTP_PASSWORD = "p@ss/word";

const received: Received[] = [];

/**
 * Real mail servers for the tests in workerd. What goes wrong is chosen by the recipient's name: `unknown` and `spam` are
 * refused for good, `busy` for now, `cut` loses the connection within DATA, `slow` is answered after a second.
 */
export default async function start(project: TestProject) {
  const { trusted, untrusted } = readCertificates();
  const tls = { key: trusted.private, cert: trusted.cert };
  const servers = {
    implicit: smtpServer({ ...tls, secure: true }),
    untrusted: smtpServer({ key: untrusted.private, cert: untrusted.cert, secure: true }),
    starttls: smtpServer(tls),
    plain: smtpServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true }),
  };
  const http = createServer(({ url = "" }, response) => {
    const to = decodeURIComponent(url.slice(1));
    response.end(JSON.stringify(received.filter((mail) => mail.to.includes(to))));
  });
  const [implicit, untrustedPort, starttls, plain, messages] = await Promise.all([
    listen(servers.implicit.server),
    listen(servers.untrusted.server),
    listen(servers.starttls.server),
    listen(servers.plain.server),
    listen(http),
  ]);
  project.provide("smtp", { implicit, untrusted: untrustedPort, starttls, plain, received: messages });
  return () => {
    for (const server of Object.values(servers)) server.close(() => undefined);
    http.close();
  };
}

async function listen(server: Server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const refusal = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code });

const nameOf = (address: string) => address.slice(0, address.indexOf("@"));

function smtpServer(options: SMTPServerOptions) {
  const sockets = new Map<number | undefined, Socket>();
  const server = new SMTPServer({
    ...options,
    onAuth({ username, password }, _session, done) {
      if (username === SMTP_USER && password === SMTP_PASSWORD) return done(null, { user: username });
      done(refusal(535, "5.7.8 Wrong user or password"));
    },
    onRcptTo({ address }, _session, done) {
      const name = nameOf(address);
      if (name === "unknown") return done(refusal(550, "5.1.1 No such mailbox"));
      if (name === "busy") return done(refusal(451, "4.3.0 Come back later"));
      done();
    },
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      const name = nameOf(session.envelope.rcptTo[0]?.address ?? "");
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
      } catch {
        // The client hung up within the message, which is then not taken.
        return;
      }
      // As a server that crashes does.
      if (name === "cut") return void sockets.get(session.remotePort)?.destroy();
      if (name === "spam") return done(refusal(554, "5.7.1 This looks like spam"));
      if (name === "slow") await new Promise((resolve) => setTimeout(resolve, 1000));
      received.push(receivedIn(session, Buffer.concat(chunks).toString("latin1")));
      done(null, "2.0.0 queued");
    },
  });
  // A client that hangs up, or does not trust the certificate, is what some tests are about.
  server.on("error", () => undefined);
  server.server.on("connection", (socket: Socket) => {
    sockets.set(socket.remotePort, socket);
    socket.once("close", () => sockets.delete(socket.remotePort));
  });
  return server;
}

const receivedIn = ({ envelope, secure, user }: SMTPServerSession, raw: string): Received => ({
  raw,
  from: envelope.mailFrom ? envelope.mailFrom.address : "",
  to: envelope.rcptTo.map(({ address }) => address),
  isSecure: secure,
  user,
});
