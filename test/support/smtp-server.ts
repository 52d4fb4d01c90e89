import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import type { TestProject } from "vitest/node";
import { startHttpServer } from "./http-server.ts";
import { readCertificates } from "./smtp-certificate.ts";

/** A received email. */
export type Received = {
  raw: string;
  from: string;
  to: string[];
  /** Whether the connection was encrypted when the email arrived. */
  isSecure: boolean;
  user: string | undefined;
};

/** The ports of the tests' mail servers. */
export type SmtpPorts = {
  implicit: number;
  /** With an untrusted certificate. */
  untrusted: number;
  starttls: number;
  /** Offers no STARTTLS. */
  plain: number;
  /** The same, and supports only AUTH LOGIN, and no PIPELINING. */
  login: number;
  /**
   * HTTP: `/ADDRESS` returns what that address received; a POST there releases a `held` one. `/USER`, for a user whose
   * sign-in was refused, answers once that connection is closed.
   */
  received: number;
};

declare module "vitest" {
  interface ProvidedContext {
    smtp: SmtpPorts;
  }
}

const SMTP_USER = "owner";
const SMTP_PASSWORD = "p@ss/word";

const received: Received[] = [];
/** Of `held` addresses. */
const gates = new Map<string, PromiseWithResolvers<void>>();

/** The end of the last connection whose sign-in was refused, by user name. */
const refusedUsers = new Map<string, Promise<void>>();

function gateOf(address: string) {
  const gate = gates.get(address) ?? Promise.withResolvers<void>();
  gates.set(address, gate);
  return gate;
}

/**
 * Real mail servers for the tests in workerd. The start of the recipient's name selects the fault. Refused for good:
 * `unknown` and `blocked` before DATA, `spam` and `gone` after it. Refused temporarily: `busy` before DATA, `full` after
 * it; `closing` with 421 before DATA, `shut` after it. The connection is lost: `hangup` before DATA, `cut` within it.
 * `slow` is answered after a second, `held` once it is released, `mute` never, and after `last` no further email may
 * begin. A sender named `stranger` is refused.
 */
export default async function start(project: TestProject) {
  const { trusted, untrusted } = readCertificates();
  const tls = { key: trusted.private, cert: trusted.cert };
  const servers = {
    implicit: smtpServer({ ...tls, secure: true }),
    untrusted: smtpServer({ key: untrusted.private, cert: untrusted.cert, secure: true }),
    starttls: smtpServer(tls),
    plain: smtpServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true }),
    login: smtpServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      authMethods: ["LOGIN"],
      hidePIPELINING: true,
    }),
  };
  const mailboxes = await startHttpServer(async ({ url = "", method }, response) => {
    const to = decodeURIComponent(url.slice(1));
    if (method === "POST") gateOf(to).resolve();
    await refusedUsers.get(to);
    response.end(JSON.stringify(received.filter((mail) => mail.to.includes(to))));
  });
  const [implicit, untrustedPort, starttls, plain, login] = await Promise.all([
    listen(servers.implicit.server),
    listen(servers.untrusted.server),
    listen(servers.starttls.server),
    listen(servers.plain.server),
    listen(servers.login.server),
  ]);
  project.provide("smtp", {
    implicit,
    untrusted: untrustedPort,
    starttls,
    plain,
    login,
    received: mailboxes.port,
  });
  return () => {
    for (const server of Object.values(servers)) server.close(() => undefined);
    mailboxes.stop();
  };
}

/** Such a server alone, for tests in Node. `received` has what all servers of this process received. */
export async function startMailServer() {
  const server = smtpServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const url = new URL("smtp://localhost");
  url.port = String(await listen(server.server));
  url.username = SMTP_USER;
  url.password = encodeURIComponent(SMTP_PASSWORD);
  return { url: url.href, received, stop: () => server.close(() => undefined) };
}

async function listen(server: Server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const smtpError = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code });

/** The letters at the start of an address. */
const nameOf = (address: string) => /^[a-z]*/.exec(address)![0];

const beforeData: Record<string, [code: number, words: string]> = {
  unknown: [550, "5.1.1 No such mailbox"],
  blocked: [550, "5.7.1 Blocked by policy"],
  busy: [451, "4.3.0 Come back later"],
  closing: [421, "4.7.0 Too many mails"],
};

const behindData: Record<string, [code: number, words: string]> = {
  spam: [554, "5.7.1 This looks like spam"],
  gone: [550, "5.1.1 No such mailbox"],
  full: [452, "4.2.2 Mailbox full"],
  shut: [421, "4.3.2 Shutting down"],
};

function smtpServer(options: SMTPServerOptions) {
  const sockets = new Map<number | undefined, Socket>();
  /** Connections that close at their next email. */
  const ended = new Set<number | undefined>();
  // As a crashing server does.
  const hangUp = ({ remotePort }: SMTPServerSession) => void sockets.get(remotePort)?.destroy();
  const server = new SMTPServer({
    ...options,
    // Milliseconds: a connection that the client leaves open stays open.
    socketTimeout: 3_600_000,
    onAuth({ username = "", password }, { remotePort }, done) {
      if (username === SMTP_USER && password === SMTP_PASSWORD) return done(null, { user: username });
      const socket = sockets.get(remotePort)!;
      refusedUsers.set(username, new Promise((resolve) => void socket.once("close", () => resolve())));
      done(smtpError(535, "5.7.8 Wrong user or password"));
    },
    onMailFrom({ address }, session, done) {
      if (ended.delete(session.remotePort)) return hangUp(session);
      done(nameOf(address) === "stranger" ? smtpError(553, "5.7.1 Not your address") : null);
    },
    onRcptTo({ address }, session, done) {
      const name = nameOf(address);
      if (name === "hangup") return hangUp(session);
      const refused = beforeData[name];
      done(refused ? smtpError(...refused) : null);
    },
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      const to = session.envelope.rcptTo[0]?.address ?? "";
      const name = nameOf(to);
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
      } catch {
        // The client closed the connection within the message, which is then not accepted.
        return;
      }
      if (name === "mute") return;
      if (name === "cut") return hangUp(session);
      const refused = behindData[name];
      if (refused) return done(smtpError(...refused));
      if (name === "held") await gateOf(to).promise;
      if (name === "slow") await new Promise((resolve) => setTimeout(resolve, 1000));
      received.push(receivedIn(session, Buffer.concat(chunks).toString("latin1")));
      done(null, "2.0.0 queued");
      if (name === "last") ended.add(session.remotePort);
    },
  });
  // Expected: some tests close the connection, or do not trust the certificate.
  server.on("error", () => undefined);
  server.server.on("connection", (socket: Socket) => {
    // Sends responses to pipelined commands without delay, as mail servers do.
    socket.setNoDelay(true);
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
