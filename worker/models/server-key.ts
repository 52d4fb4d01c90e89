import { eq } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { actorEmail, eventRow } from "#worker/accounts/audit-log.ts";
import type { SecurityEventKind } from "#worker/accounts/contract.ts";
import { ModelKey, type KeyState } from "#worker/models/contract.ts";
import { ModelError } from "#worker/models/model-error.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { seal, unseal } from "#worker/platform/data/sealed.ts";

/** A table of one row, id 1, with the key of a server. */
type KeyTable = SQLiteTable & { id: SQLiteColumn; secret: SQLiteColumn };

/** The key of a server that answers for a purpose. `kind`: of its changes in the security log, which has no key. */
export function serverKey(table: KeyTable, purpose: string, kind: SecurityEventKind) {
  const find = async ({ db }: Context) => {
    const [row] = await db.select({ secret: table.secret }).from(table).where(eq(table.id, 1));
    return row as { secret: string } | undefined;
  };
  return {
    column: { id: table.id, secret: table.secret, purpose },

    /**
     * Null without a key.
     * @throws ModelError
     */
    async read(ctx: Context) {
      const row = await find(ctx);
      if (!row) return null;
      const key = await unseal(ctx, purpose, row.secret);
      if (key === null)
        throw new ModelError("settings", "The key can’t be read any more. Enter it again in the settings.");
      return key;
    },

    /** @throws `unauthenticated`, `forbidden` */
    async state(ctx: Context): Promise<KeyState> {
      requireCapability("settings", ctx);
      return { hasKey: (await find(ctx)) !== undefined };
    },

    /** @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid` */
    async change(ctx: Context, input: ModelKey): Promise<KeyState> {
      requireCapability("settings", ctx);
      requireRecentProof(ctx);
      const { key } = parseInput(ModelKey, input);
      const { db } = ctx;
      const log = eventRow(ctx, { kind, email: actorEmail(ctx), detail: key === "" ? "removed" : "changed" });
      const secret = await seal(ctx, purpose, key);
      const store =
        key === ""
          ? db.delete(table)
          : db
              .insert(table)
              .values({ id: 1, secret } as never)
              .onConflictDoUpdate({ target: table.id, set: { secret } as never });
      await db.batch([log, store]);
      return { hasKey: key !== "" };
    },
  };
}
