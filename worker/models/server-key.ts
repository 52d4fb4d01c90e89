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
import { AppError } from "#worker/platform/errors.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";

/** A table of one row, id 1, with the key of a server. */
type KeyTable = SQLiteTable & { id: SQLiteColumn; secret: SQLiteColumn };

type Purpose = {
  /** Of the encryption. */
  purpose: string;
  /** Of its changes in the security log, which has no key. */
  kind: SecurityEventKind;
  /** The server's address in the settings; empty if there is none. */
  urlOf: (site: Site) => string;
};

/** A key as it is encrypted: with the origin that it was entered for, so that another server never gets it. */
const keyFor = (url: string, key: string) => `${new URL(url).origin} ${key}`;

/** The key of a server that answers for a purpose. */
export function serverKey(table: KeyTable, { purpose, kind, urlOf }: Purpose) {
  const find = async ({ db }: Context) => {
    const [row] = await db.select({ secret: table.secret }).from(table).where(eq(table.id, 1));
    return row as { secret: string } | undefined;
  };
  return {
    column: { id: table.id, secret: table.secret, purpose },

    /**
     * The key of the server at this address; null without a key.
     * @throws ModelError also if the key is another server's
     */
    async read(ctx: Context, url: string) {
      const row = await find(ctx);
      if (!row) return null;
      const stored = await unseal(ctx, purpose, row.secret);
      if (stored === null)
        throw new ModelError("settings", "The key can’t be read any more. Enter it again in the settings.");
      const beginning = keyFor(url, "");
      if (!stored.startsWith(beginning))
        throw new ModelError(
          "settings",
          "The key was entered for another server. Enter this one’s in the settings, or remove it.",
        );
      return stored.slice(beginning.length);
    },

    /** @throws `unauthenticated`, `forbidden` */
    async state(ctx: Context): Promise<KeyState> {
      requireCapability("settings", ctx);
      return { hasKey: (await find(ctx)) !== undefined };
    },

    /** @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`, also before the server has an address */
    async change(ctx: Context, input: ModelKey): Promise<KeyState> {
      requireCapability("settings", ctx);
      requireRecentProof(ctx);
      const { key } = parseInput(ModelKey, input);
      const { db } = ctx;
      const log = eventRow(ctx, { kind, email: actorEmail(ctx), detail: key === "" ? "removed" : "changed" });
      if (key === "") {
        await db.batch([log, db.delete(table)]);
        return { hasKey: false };
      }
      const url = urlOf(await readSite(ctx));
      if (url === "")
        throw new AppError("invalid", "Save the address of the server first: the key is for it alone.", {
          field: "key",
        });
      const secret = await seal(ctx, purpose, keyFor(url, key));
      const store = db
        .insert(table)
        .values({ id: 1, secret } as never)
        .onConflictDoUpdate({ target: table.id, set: { secret } as never });
      await db.batch([log, store]);
      return { hasKey: true };
    },
  };
}
