import { MINUTE } from "../../../scripts/local.ts";
import { startBuiltSite } from "../../support/built-site.ts";
import { freePort } from "../../support/free-port.ts";
import { startMailServer } from "../../support/smtp-server.ts";

export type Mail = { to: string; subject: string; link: string };

/** The built site on a port and a storage of its own. */
export type Site = {
  url: string;
  /** Every email that the server printed, in order. */
  mails: Mail[];
  /** The next email to this address that the test has not seen; it is waited for until the test's time is over. */
  mailTo: (address: string) => Promise<Mail>;
  /** What the Worker is bound to, for what a test sets up behind its back. */
  env: Env;
  /** Fires the minute's cron, as the start script does each minute. */
  tick: () => Promise<void>;
  stop: () => Promise<void>;
};

type Options = {
  /** Statements that change its database before. */
  sql?: string | string[];
  vars?: Record<string, string>;
};

/** Starts the built site with the demo. */
export async function startSite({ sql = [], vars = {} }: Options = {}): Promise<Site> {
  const mails: Mail[] = [];
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { env, tick, stop } = await startBuiltSite({
    port,
    hasAssets: true,
    vars: { SITE_URL: url, ...vars },
    log: ({ level, message }) => {
      const mail = mailOf(message);
      if (mail) mails.push(mail);
      else if (level === "error") console.error(message);
    },
  });
  for (const statement of [sql].flat()) await env.DB.prepare(statement).run();
  return { url, env, mails, mailTo: (address) => nextMail(mails, address), tick: () => tick([MINUTE]), stop };
}

/** The same with a mail server, to which its emails and letters go instead of the console. */
export async function startMailingSite({ vars, ...options }: Options = {}) {
  const mailServer = await startMailServer();
  const site = await startSite({ ...options, vars: { ...vars, SMTP_URL: mailServer.url } });
  const stop = async () => {
    await site.stop();
    mailServer.stop();
  };
  return { ...site, received: mailServer.received, stop };
}
export type MailingSite = Awaited<ReturnType<typeof startMailingSite>>;

function mailOf(line: string): Mail | null {
  const [, to, subject, link] = /^\[mail\] to=(\S+) subject="(.*)" link=(\S*)\s*$/.exec(line) ?? [];
  return to !== undefined && subject !== undefined && link !== undefined ? { to, subject, link } : null;
}

/** Tests sign in with many browsers, and wait for other emails. */
const OF_SIGN_INS = /^A new device signed in/;

async function nextMail(mails: Mail[], address: string) {
  for (;;) {
    const index = mails.findIndex(({ to, subject }) => to === address && !OF_SIGN_INS.test(subject));
    const [mail] = index < 0 ? [] : mails.splice(index, 1);
    if (mail) return mail;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
