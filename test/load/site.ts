import { createContext, type Context } from "#worker/platform/context.ts";
import { startBuiltSite } from "../support/built-site.ts";
import { createOwnerSession } from "../support/owner-session.ts";

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

/** The built Worker with the demo, without static assets: nothing but the Worker answers. */
export async function startLoadSite(): Promise<LoadSite> {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const { env, ...site } = await startBuiltSite({ log: showErrors });
  const ctx = createContext(env, { actor: { kind: "job", name: "load" } });
  return { ...site, ctx, ownerCookie: await signInOwner(ctx) };
}

/** The Worker's errors are shown, as far as they go; its mails and 404s are not. */
function showErrors({ level, message }: { level: string; message: string }) {
  if (level === "error" && shown++ < MOST_SHOWN) console.error(message.slice(0, 500));
}

let shown = 0;
const MOST_SHOWN = 40;

/** Opens a session of a new super admin; returns its Cookie header. */
export async function signInOwner(ctx: Context) {
  const person = { email: `${crypto.randomUUID()}@example.com`, fullName: "The Owner" };
  const { name, value } = await createOwnerSession(ctx, person);
  return `${name}=${value}`;
}
