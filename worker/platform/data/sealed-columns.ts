import { getTableName, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#worker/platform/context.ts";
import {
  isSealedNow,
  readablePrefixes,
  seal,
  SEALED,
  unseal,
  type Keys,
} from "#worker/platform/data/sealed.ts";

/** A column of secrets that are stored as `seal` does. Each noun has its own; worker/nouns/sealed-secrets.ts lists them. */
export type SealedColumn = {
  id: SQLiteColumn;
  secret: SQLiteColumn;
  purpose: string;
  /** What encrypts the secrets; by default the deployment's KEY_SECRET. */
  keysOf?: (ctx: Context) => Promise<Keys>;
};

/**
 * Encrypts the secrets that are plain, or encrypted by a former KEY_SECRET, by the present one. Leaves those that cannot be
 * read. Repeatable.
 */
export async function resealColumn(ctx: Context, { id, secret, purpose, keysOf }: SealedColumn) {
  const keys = keysOf ? await keysOf(ctx) : ctx;
  const rows = await ctx.db.all<{ id: string | number; secret: string }>(
    sql`select ${id} as id, ${secret} as secret from ${secret.table}`,
  );
  for (const row of rows) {
    if (await isSealedNow(keys, row.secret)) continue;
    const text = await unseal(keys, purpose, row.secret);
    if (text === null) continue;
    await ctx.db.run(sql`update ${secret.table}
      set ${sql.identifier(secret.name)} = ${await seal(keys, purpose, text)}
      where ${id} = ${row.id} and ${secret} = ${row.secret}`);
  }
}

/** SQL: the value is plain, or encrypted by a secret that the deployment has. */
export async function isReadable(keys: Keys, column: SQLiteColumn): Promise<SQL> {
  const begins = (prefix: string) => sql`substr(${column}, 1, ${prefix.length}) = ${prefix}`;
  const prefixes = await readablePrefixes(keys);
  return sql`(not ${begins(SEALED)}${sql.join(prefixes.map((prefix) => sql` or ${begins(prefix)}`))})`;
}

/** SQL: the number of secrets that cannot be read, because KEY_SECRET is missing or another one. */
export async function countUnreadable(ctx: Context, { secret, keysOf }: SealedColumn) {
  const keys = keysOf ? await keysOf(ctx) : ctx;
  return sql<number>`(select count(*) from ${sql.identifier(getTableName(secret.table))}
    where not ${await isReadable(keys, secret)})`;
}
