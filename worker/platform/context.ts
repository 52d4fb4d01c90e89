import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { boundedKv } from "#worker/platform/data/bounded-kv.ts";
import { clientOf, type Usage } from "#worker/platform/data/database.ts";
import { keySecretsOf } from "#worker/platform/data/sealed.ts";
import { inAscii, storedAddress } from "#worker/platform/text/email-address.ts";
import { logError } from "#worker/platform/log.ts";
import { TURNSTILE } from "#worker/platform/http/security.ts";
import { planOf, type Plan } from "#worker/platform/plan-limits.ts";

export type Actor =
  | {
      kind: "user";
      id: string;
      email: string;
      fullName: string;
      role: string;
      sessionId: string;
      /** When the user last proved in this session who they are. */
      authenticatedAt: Date;
      /** What its token says (accounts/session-token.ts); absent for a session without one. */
      session?: { stamp: string; openedAt: Date; provedFactor: boolean };
      /** Set if a program sent the request with the user's API token; then there is no session. */
      token?: { id: string; name: string; scopes: readonly string[] };
      /** The role needs a second factor that the user lacks: milliseconds UTC until the role is lowered, and whether it is. */
      missingFactor?: { dueAt: number; isDue: boolean };
    }
  | { kind: "job"; name: string }
  /** Has no account: identified by the SHA-256 of a secret that the browser made. */
  | { kind: "listener"; id: string }
  | { kind: "visitor" };

/** Where a request comes from, for sessions and the audit log; empty for a job. */
export type Client = {
  address: string;
  userAgent: string;
  /** ISO 3166-1 alpha-2, as Cloudflare knows it; not for a local site. */
  country?: string;
};

const NOWHERE: Client = { address: "", userAgent: "" };

/**
 * A queue message: the outbox row to deliver, the import whose next item is due, or a part of a cron tick
 * (worker/jobs.ts). D1 is the source of truth; the message only makes delivery prompt. `until`: milliseconds UTC after which the part waits for the next tick.
 */
export type JobMessage = { kind: "outbox" | "import" | "tick"; id: string; until?: number };

export type Jobs = Pick<Queue<JobMessage>, "send" | "sendBatch">;

export type Config = {
  /** The public origin, without a trailing slash. */
  siteUrl: string;
  adminEmail: string;
  /** The sender address of emails. */
  mailFrom: string;
  /** The mail server, with its password (mail/smtp-url.ts); undefined if the site sends no mail. */
  smtpUrl: string | undefined;
  /** An account at Resend, or at a service that speaks its API; undefined without one. */
  resend: { key: string; url: string } | undefined;
  /** The secret with which the provider signs its bounce reports; undefined if it sends none. */
  webhookSecret: string | undefined;
  /** Cloudflare Turnstile, which distinguishes people from robots; undefined if it is not set up. */
  turnstile: { siteKey: string; secretKey: string; url: string } | undefined;
  /** Whether imports may read from servers on this machine: for tests, and for a site on the owner's own computer. */
  loopback: boolean;
  /** LinkedIn's API with the owner's token; undefined without one. */
  linkedIn: { token: string; url: string; version: string } | undefined;
  /** Stripe's API. */
  stripeUrl: string;
  /** Podping, which tells podcast apps that the feed has changed; undefined without a token. */
  podping: { token: string; url: string } | undefined;
  /**
   * The plan of Cloudflare Workers. The free one ends an invocation at 10 ms of processor time and 50 statements, so
   * that work is done in smaller steps.
   */
  plan: Plan;
  /** The owner decided against copies. */
  refusesCopies: boolean;
  /** Cloudflare's API, which reports the account's use; each undefined unless set. */
  cloudflare: { account: string | undefined; token: string | undefined; url: string };
  /** Encrypt the site's own secrets in the database (data/sealed.ts); the first is the current one. Empty without any. */
  keySecrets: string[];
  /** KEY_SECRET has one that is too short to be used. */
  hasShortKeySecret: boolean;
  /** Changes with every deployment. */
  version: string;
};

/** Everything a use case may touch; built once per request, queue message, cron tick or test. */
export type Context = {
  db: DrizzleD1Database;
  /** The primary, for a read that must not miss what was just written. */
  primary: () => DrizzleD1Database;
  d1: Usage;
  media: R2Bucket;
  /** The bucket of copies; undefined if it is not bound, and then no copies are made. */
  backup: R2Bucket | undefined;
  /** The database in which copies are restored on trial; undefined if it is not bound. */
  drill: D1Database | undefined;
  /** Cloudflare Images; undefined if it is not bound, and then only the original pictures are served. */
  images: ImagesBinding | undefined;
  /** The deployed static files; undefined where only the Worker runs. */
  assets: Fetcher | undefined;
  /** Workers AI; undefined if it is not bound. */
  ai: { run(model: string, input: Record<string, unknown>): Promise<unknown> } | undefined;
  /** Cloudflare's Email Service; undefined if it is not bound. */
  email: SendEmail | undefined;
  /** Each call fails after a second. */
  kv: KVNamespace;
  burst: Pick<RateLimit, "limit">;
  jobs: Jobs;
  /** A separate queue for slices of letters, which take long. */
  letters: Jobs;
  /** One message per analytics event; it has no outbox row. */
  events: Pick<Queue<unknown>, "send">;
  /** A separate queue for items of imports. */
  imports: Jobs;
  config: Config;
  actor: Actor;
  client: Client;
  /** When the request, message or tick began: one time for all that it does. */
  now: Date;
  /** The current time, for work that takes minutes. */
  clock: () => Date;
  /** Adds cache tags to the answer (changes.ts); each public read names the tags of what it reads. */
  dependsOn: (...tags: string[]) => void;
  /** All tags added so far. */
  tags: ReadonlySet<string>;
  /** Whether a write has expired cached answers (changes.ts); copies of a context share it. */
  invalidation: { isDue: boolean };
  /** Work that may outlive the answer; a failure is logged. */
  later: (work: Promise<unknown>) => void;
  /**
   * Reads what several parts of a page need only once, by name. A request reads for itself alone. Without `together`,
   * as in a job and a request that may write, each call reads.
   */
  readOnce: <T>(name: string, read: () => Promise<T>) => Promise<T>;
};

/**
 * An address may have any characters. No write uses a tag that cannot be an item of a comma-separated header, so such a
 * tag never changes.
 */
const canBeSent = (tag: string) => /^[\x21-\x2b\x2d-\x7e]+$/.test(tag);

type Options = {
  actor: Actor;
  client?: Client;
  /**
   * Where D1 reads start: public reads at any replica, or one as new as a bookmark; writes and the admin area at the
   * primary.
   */
  reads?: "any-replica" | "primary" | { since: string | null };
  /**
   * Whether concurrent reads go to D1 in one round trip, and `readOnce` remembers: only for a request that writes
   * nothing. The default is true unless reads start at the primary.
   */
  together?: boolean;
  clock?: Context["clock"];
  now?: Date;
  later?: Context["later"];
};

export function createContext(
  env: Env,
  {
    actor,
    client = NOWHERE,
    reads = "primary",
    together = reads !== "primary",
    clock = () => new Date(),
    now = clock(),
    later,
  }: Options,
): Context {
  const openSession = (start: string, isGathering = false) =>
    drizzle(clientOf(env.DB.withSession(start), d1, { together: isGathering }));
  const d1 = { statements: 0, roundTrips: 0, rowsRead: 0, milliseconds: 0, isUnavailable: false };
  const tags = new Set<string>();
  const known = new Map<string, Promise<unknown>>();
  return {
    db: openSession(startOf(reads), together),
    primary: () => openSession(startOf("primary")),
    d1,
    media: env.MEDIA,
    backup: env.BACKUP as R2Bucket | undefined,
    drill: env.DRILL as D1Database | undefined,
    images: env.IMAGES as ImagesBinding | undefined,
    assets: env.ASSETS as Fetcher | undefined,
    ai: (env as Optional).AI,
    email: (env as Optional).EMAIL,
    kv: boundedKv(env.KV),
    burst: env.BURST,
    jobs: env.JOBS as Queue<JobMessage>,
    letters: env.LETTERS as Queue<JobMessage>,
    events: env.EVENTS as Queue<unknown>,
    imports: env.IMPORTS as Queue<JobMessage>,
    config: {
      siteUrl: env.SITE_URL.replace(/\/+$/, ""),
      adminEmail: storedAddress(env.ADMIN_EMAIL),
      mailFrom: inAscii(env.MAIL_FROM),
      smtpUrl: (env as Optional).SMTP_URL || undefined,
      resend: resendOf(env as Optional),
      webhookSecret: (env as Optional).RESEND_WEBHOOK_SECRET || undefined,
      turnstile: turnstileOf(env as Optional),
      loopback: (env as Optional).IMPORT_LOOPBACK === "on",
      linkedIn: linkedInOf(env as Optional),
      podping: podpingOf(env as Optional),
      stripeUrl: ((env as Optional).STRIPE_API_URL || STRIPE).replace(/\/+$/, ""),
      plan: planOf((env as Optional).PLAN),
      refusesCopies: (env as Optional).COPIES === "no",
      cloudflare: cloudflareOf(env as Optional),
      ...keySecretsOf((env as Optional).KEY_SECRET),
      version: env.VERSION.id,
    },
    actor,
    client,
    now,
    clock,
    dependsOn: (...named) => named.filter(canBeSent).forEach((tag) => tags.add(tag)),
    tags,
    invalidation: { isDue: false },
    later(work) {
      const logged = work.catch((error: unknown) => logError("later", error));
      later?.(logged);
    },
    readOnce<T>(name: string, read: () => Promise<T>) {
      if (!together) return read();
      const found = known.get(name) ?? read();
      known.set(name, found);
      return found as Promise<T>;
    },
  };
}

/** Secrets, and bindings that are optional in wrangler.toml. */
type Optional = {
  AI?: Context["ai"];
  EMAIL?: SendEmail;
  SMTP_URL?: string;
  RESEND_API_KEY?: string;
  RESEND_URL?: string;
  RESEND_WEBHOOK_SECRET?: string;
  TURNSTILE_SITE_KEY?: string;
  TURNSTILE_SECRET_KEY?: string;
  TURNSTILE_URL?: string;
  IMPORT_LOOPBACK?: string;
  LINKEDIN_TOKEN?: string;
  LINKEDIN_URL?: string;
  LINKEDIN_VERSION?: string;
  PODPING_TOKEN?: string;
  PODPING_URL?: string;
  STRIPE_API_URL?: string;
  PLAN?: string;
  COPIES?: string;
  CLOUDFLARE_ACCOUNT_ID?: string;
  CLOUDFLARE_ANALYTICS_TOKEN?: string;
  CLOUDFLARE_API_URL?: string;
  KEY_SECRET?: string;
};

function turnstileOf({ TURNSTILE_SITE_KEY, TURNSTILE_SECRET_KEY, TURNSTILE_URL }: Optional) {
  if (!TURNSTILE_SITE_KEY || !TURNSTILE_SECRET_KEY) return undefined;
  const url = (TURNSTILE_URL || TURNSTILE).replace(/\/+$/, "");
  return { siteKey: TURNSTILE_SITE_KEY, secretKey: TURNSTILE_SECRET_KEY, url };
}

const RESEND = "https://api.resend.com";

function resendOf({ RESEND_API_KEY: key, RESEND_URL: url }: Optional) {
  return key ? { key, url: (url || RESEND).replace(/\/+$/, "") } : undefined;
}

const CLOUDFLARE_API = "https://api.cloudflare.com/client/v4";

const cloudflareOf = ({
  CLOUDFLARE_ACCOUNT_ID: account,
  CLOUDFLARE_ANALYTICS_TOKEN: token,
  CLOUDFLARE_API_URL: url,
}: Optional) => ({
  account: account || undefined,
  token: token || undefined,
  url: (url || CLOUDFLARE_API).replace(/\/+$/, ""),
});

const LINKEDIN = "https://api.linkedin.com";
/** LinkedIn supports a monthly API version for a year; `LINKEDIN_VERSION` sets a later one. */
const LINKEDIN_MONTH = "202610";

function linkedInOf({ LINKEDIN_TOKEN: token, LINKEDIN_URL: url, LINKEDIN_VERSION: version }: Optional) {
  if (!token) return undefined;
  return { token, url: (url || LINKEDIN).replace(/\/+$/, ""), version: version || LINKEDIN_MONTH };
}

const STRIPE = "https://api.stripe.com";

const PODPING = "https://podping.cloud/";

const podpingOf = ({ PODPING_TOKEN: token, PODPING_URL: url }: Optional) =>
  token ? { token, url: url || PODPING } : undefined;

function startOf(reads: Options["reads"]) {
  if (reads === "primary") return "first-primary";
  return (typeof reads === "object" && reads.since) || "first-unconstrained";
}
