import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fire, MINUTE, ready, serve } from "../../../scripts/local.ts";
import { run } from "../../../scripts/tools.ts";
import { PREPARED } from "./prepare.ts";

export type Mail = { to: string; subject: string; link: string };

/** The built site on a port and a storage of its own. */
export type Site = {
  url: string;
  /** Every mail that the console told of, in order. */
  mails: Mail[];
  /** The next mail to this address that the test has not seen. */
  mailTo: (address: string) => Promise<Mail>;
  /** Fires the minute's cron, as the start script does each minute. */
  tick: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts the built site with the demo, as `npm start` does; `sql` changes its database before. */
export async function startSite({ sql }: { sql?: string } = {}): Promise<Site> {
  const prepared = process.env[PREPARED];
  if (!prepared) throw new Error(`${PREPARED} is not set: the run's preparation did not happen.`);
  const state = await mkdtemp(join(tmpdir(), "rostrum-e2e-"));
  await cp(prepared, state, { recursive: true });
  if (sql) {
    await run("wrangler", ["d1", "execute", "DB", "--local", `--persist-to=${state}`, `--command=${sql}`]);
  }
  const port = await freePort();
  const server = serve({ port, inspectorPort: await freePort(), state, output: "pipe" });
  const mails = readMails(server.stdout!);
  server.stderr!.pipe(process.stderr);
  await ready(server, port);
  return {
    url: `http://localhost:${port}`,
    mails,
    mailTo: (address) => nextMail(mails, address),
    tick: () => fire(port, MINUTE),
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
      await rm(state, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function readMails(output: NodeJS.ReadableStream) {
  const mails: Mail[] = [];
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, to, subject, link] = /^\[mail\] to=(\S+) subject="(.*)" link=(\S*)\s*$/.exec(line) ?? [];
      if (to !== undefined && subject !== undefined && link !== undefined) mails.push({ to, subject, link });
    }
  });
  return mails;
}

async function nextMail(mails: Mail[], address: string) {
  for (let tries = 0; tries < 150; tries++) {
    const index = mails.findIndex(({ to }) => to === address);
    const [mail] = index < 0 ? [] : mails.splice(index, 1);
    if (mail) return mail;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`No mail to ${address} within 30 seconds.`);
}

function freePort() {
  return new Promise<number>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
