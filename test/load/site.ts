import type { Role } from "#worker/access/contract.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import { startBuiltSite } from "../support/built-site.ts";
import { createSession } from "../support/owner-session.ts";

export type LoadSite = {
  url: string;
  /** For what a test sets up or looks up behind the Worker's back. */
  ctx: Context;
  /** The Cookie header of a signed-in super admin. */
  ownerCookie: string;
  inspector: URL;
  /** Fires the crons as the platform does. */
  tick: () => Promise<void>;
  stop: Stop;
  /** The folder of its storage. */
  state: string;
};

type Stop = Awaited<ReturnType<typeof startBuiltSite>>["stop"];

/** The built Worker with the demo, without static assets: nothing but the Worker answers. */
export async function startLoadSite(vars: Record<string, string> = {}): Promise<LoadSite> {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const { env, ...site } = await startBuiltSite({ log: showErrors, vars });
  const ctx = createContext(env, { actor: { kind: "job", name: "load" } });
  return { ...site, ctx, ownerCookie: await signInOwner(ctx) };
}

/** The same in another workerd, with the same storage and sessions. */
export async function restarted({ stop, state, ownerCookie }: LoadSite): Promise<LoadSite> {
  await stop({ keepState: true });
  const { env, ...site } = await startBuiltSite({ log: showErrors, state });
  const ctx = createContext(env, { actor: { kind: "job", name: "load" } });
  return { ...site, ctx, ownerCookie };
}

/** The Worker's errors are shown, as far as they go; its emails and 404s are not. */
function showErrors({ level, message }: { level: string; message: string }) {
  if (level === "error" && shown++ < MOST_SHOWN) console.error(message.slice(0, 500));
}

let shown = 0;
const MOST_SHOWN = 40;

/** Opens a session of a new user with this role; returns its Cookie header. */
export async function signIn(ctx: Context, role: Role) {
  const person = { email: `${crypto.randomUUID()}@example.com`, fullName: "A Person", role };
  const { name, value } = await createSession(ctx, person);
  return `${name}=${value}`;
}

export const signInOwner = (ctx: Context) => signIn(ctx, "super_admin");
