import { existsSync, rmSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { newSession } from "#worker/accounts/sessions.ts";
import { SESSION_COOKIE } from "#worker/accounts/cookie.ts";
import { users } from "#worker/accounts/table.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { builtModules, builtOptions } from "../../scripts/built-worker.ts";
import { DAILY, MINUTE } from "../../scripts/local.ts";
import { preparedState } from "../../scripts/prepared-state.ts";

const NAME = "rostrum";
const HOST = "127.0.0.1";
/** Where Linux keeps files in memory; elsewhere the local D1 waits for the disk. */
const IN_MEMORY = "/dev/shm";

export type LoadSite = {
  url: string;
  /** For what a test sets up or looks up behind the Worker's back. */
  ctx: Context;
  /** The Cookie header of a signed-in super admin. */
  ownerCookie: string;
  inspector: URL;
  /** Fires the crons as the platform does. */
  tick: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * The built Worker with the demo in a workerd of its own, reached over a plain socket: the proxies of dev servers would
 * hide what the Worker itself answers.
 */
export async function startLoadSite(): Promise<LoadSite> {
  const state = await mkdtemp(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "rostrum-load-"));
  process.once("exit", () => rmSync(state, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  await cp(await preparedState(), state, { recursive: true });
  const { assets: _, ...options } = builtOptions();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: join(state, "v3"),
      inspectorPort: 0,
      handleStructuredLogs: showErrors,
      workers: [
        { ...options, ...builtModules(), name: NAME, unsafeDirectSockets: [{ host: HOST, port: 0 }] },
      ],
    }),
  );
  await miniflare.ready;
  const ctx = createContext(await miniflare.getBindings<Env>(), { actor: { kind: "job", name: "load" } });
  const worker = (await miniflare.getWorker()) as unknown as Scheduled;
  return {
    url: (await miniflare.unsafeGetDirectURL(NAME)).origin,
    ctx,
    ownerCookie: await signInOwner(ctx),
    inspector: await miniflare.getInspectorURL(),
    async tick() {
      for (const cron of [MINUTE, DAILY]) await worker.scheduled({ cron, scheduledTime: new Date() });
    },
    stop: () => miniflare.dispose(),
  };
}

/** What Miniflare's own types lose of a Worker. */
type Scheduled = { scheduled: (options: { cron: string; scheduledTime: Date }) => Promise<unknown> };

/** The Worker's errors are shown, as far as they go; its mails and 404s are not. */
function showErrors({ level, message }: { level: string; message: string }) {
  if (level === "error" && shown++ < MOST_SHOWN) console.error(message.slice(0, 500));
}

let shown = 0;
const MOST_SHOWN = 40;

/** Opens a session of a new super admin; returns its Cookie header. */
export async function signInOwner(ctx: Context) {
  const owner = { id: crypto.randomUUID(), stamp: "load" };
  await ctx.db.insert(users).values({
    ...owner,
    email: `${owner.id}@example.com`,
    fullName: "The Owner",
    role: "super_admin",
    isActive: true,
    emailVerified: true,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
  const { token, statement } = await newSession(ctx, owner);
  await statement;
  return `${SESSION_COOKIE}=${token}`;
}
