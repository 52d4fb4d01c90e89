import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { AppError } from "#worker/platform/errors.ts";

export type Role = "super_admin" | "admin" | "editor" | "user";

export type Actor =
  | { kind: "user"; id: string; email: string; fullName: string; role: Role; sessionId: string }
  | { kind: "job"; name: string }
  | { kind: "visitor" };

/** A queue message: which outbox row to deliver. D1 holds the truth; the message only makes it prompt. */
export type JobMessage = { kind: "outbox"; id: string };

export type Config = {
  /** The public origin, without a trailing slash. */
  siteUrl: string;
  adminEmail: string;
  mailTransport: string;
  /** Changes with every deployment. */
  version: string;
};

/** Everything a use case may touch; built once per request, queue message, cron tick or test. */
export type Context = {
  db: DrizzleD1Database;
  /** What this context has asked of D1; answered as Server-Timing and held by tests. */
  d1: { statements: number };
  media: R2Bucket;
  /** Cloudflare Images; undefined where it is not bound, and pictures then stay as they were uploaded. */
  images: ImagesBinding | undefined;
  kv: KVNamespace;
  jobs: Pick<Queue<JobMessage>, "send" | "sendBatch">;
  config: Config;
  actor: Actor;
  now: Date;
  /** Work that may outlive the answer. */
  later: (work: Promise<unknown>) => void;
};

type Options = {
  actor: Actor;
  /** Where D1 reads may start: any replica for public reads, the primary for whatever writes or administers. */
  reads?: "any-replica" | "primary";
  now?: Date;
  later?: Context["later"];
};

export function createContext(
  env: Env,
  { actor, reads = "primary", now = new Date(), later }: Options,
): Context {
  const session = env.DB.withSession(reads === "primary" ? "first-primary" : "first-unconstrained");
  const d1 = { statements: 0 };
  return {
    db: drizzle(counting(session, d1)),
    d1,
    media: env.MEDIA,
    images: env.IMAGES as ImagesBinding | undefined,
    kv: env.KV,
    jobs: env.JOBS as Queue<JobMessage>,
    config: {
      siteUrl: env.SITE_URL.replace(/\/+$/, ""),
      adminEmail: env.ADMIN_EMAIL.trim().toLowerCase(),
      mailTransport: env.MAIL_TRANSPORT,
      version: env.VERSION.id,
    },
    actor,
    now,
    later: later ?? (() => {}),
  };
}

/** drizzle needs only prepare and batch, which a session has too; it prepares a statement each time that it runs one. */
function counting(session: D1DatabaseSession, d1: Context["d1"]) {
  const counted: Pick<D1Database, "prepare" | "batch"> = {
    prepare(query) {
      d1.statements++;
      return session.prepare(query);
    },
    batch: (statements) => session.batch(statements),
  };
  return counted as D1Database;
}

/** What a signed-in person may do; each use case names one on its first line. */
export type Capability = "edit" | "analytics" | "audience" | "settings" | "users";

const capabilities: Record<Role, readonly Capability[]> = {
  super_admin: ["edit", "analytics", "audience", "settings", "users"],
  admin: ["edit", "analytics", "audience", "settings", "users"],
  editor: ["edit", "analytics"],
  user: [],
};

/** Throws `unauthenticated` or `forbidden`. Jobs act for the owner and may do everything. */
export function requireCapability(capability: Capability, { actor }: Context) {
  if (actor.kind === "job") return;
  if (actor.kind === "visitor") throw new AppError("unauthenticated", "Please sign in.");
  if (!capabilities[actor.role].includes(capability)) {
    throw new AppError("forbidden", "Your role does not allow this.");
  }
}
