import type { Context } from "#worker/platform/context.ts";

class Killed extends Error {}

/**
 * Runs work with a database that fails after this many statements, and leaves it there: a killed Worker does not wait to try
 * once more. Returns whether it failed.
 */
export async function killedAfter(
  statements: number,
  ctx: Context,
  work: (ctx: Context) => Promise<unknown>,
): Promise<boolean> {
  const death = Promise.withResolvers<never>();
  let isDead = false;
  const db = new Proxy(ctx.db, {
    get(target, name) {
      isDead ||= ctx.d1.statements >= statements;
      if (isDead) {
        const error = new Killed("killed");
        death.reject(error);
        throw error;
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
  await Promise.race([work({ ...ctx, db }), death.promise]).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
  return isDead;
}
