import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { SMTPServer } from "smtp-server";

/** Bytes of a message within which its Message-ID is found. */
const HEAD = 8192;

/** A real mail server that counts received messages by recipient and by Message-ID. */
export async function startSink() {
  const received = new Map<string, Map<string, number>>();
  let total = 0;
  let first: Buffer | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    async onData(stream, { envelope }, done) {
      let head = "";
      const whole: Buffer[] = [];
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          if (head.length < HEAD) head += chunk.toString("latin1");
          if (first === null) whole.push(chunk);
        }
      } catch {
        // The client was killed within the message, which is then not accepted.
        return;
      }
      const to = envelope.rcptTo[0]?.address ?? "";
      const id = /^Message-ID: (.+)$/im.exec(head)?.[1] ?? "none";
      const ids = received.get(to) ?? new Map<string, number>();
      ids.set(id, (ids.get(id) ?? 0) + 1);
      received.set(to, ids);
      first ??= Buffer.concat(whole);
      total++;
      done();
    },
  });
  // Sends responses to pipelined commands without delay, as mail servers do.
  server.server.on("connection", (socket: Socket) => socket.setNoDelay(true));
  // A killed client closes its connection.
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    /** By the host name localhost, which needs no TLS. */
    url: `smtp://localhost:${port}`,
    port,
    get total() {
      return total;
    },
    /** The first message as received; null before it arrives. */
    get first() {
      return first;
    },
    /** How often each address received a letter, and under how many Message-IDs. */
    copiesOf(address: string) {
      const ids = received.get(address);
      return { copies: [...(ids?.values() ?? [])].reduce((sum, n) => sum + n, 0), ids: ids?.size ?? 0 };
    },
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
