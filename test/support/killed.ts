import type { Context } from "#worker/platform/context.ts";

class Killed extends Error {}

/** Runs work with a database that fails after this many statements. Returns whether it failed. */
export async function killedAfter(
  statements: number,
  ctx: Context,
  work: (ctx: Context) => Promise<unknown>,
): Promise<boolean> {
  let isDead = false;
  const db = new Proxy(ctx.db, {
    get(target, name) {
      isDead ||= ctx.d1.statements >= statements;
      if (isDead) throw new Killed("killed");
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
  await work({ ...ctx, db }).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
  return isDead;
}
