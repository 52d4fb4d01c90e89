import { asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { addItems, createImport, startImport } from "#worker/imports/import-commands.ts";
import { readImport } from "#worker/imports/import-queries.ts";
import type { ImportItem, ImportKinds } from "#worker/imports/import-type.ts";
import { importKinds } from "#worker/imports/registry.ts";
import { importItems } from "#worker/imports/table.ts";
import { workOn } from "#worker/imports/work.ts";
import type { Context, JobMessage } from "#worker/platform/context.ts";
import { jobContext, ownerContext } from "./client.ts";
import { jobs, metrics } from "./newsletter.ts";

/** A queue that stores its messages, so that tests can deliver them when they want. */
export function keptMessages() {
  const sent: number[] = [];
  const imports = {
    ...jobs,
    sendBatch: async (messages: Iterable<{ body: unknown }>) => {
      sent.push(...Array.from(messages, ({ body }) => Number((body as JobMessage).id)));
      return metrics;
    },
  };
  return { sent, imports };
}

/** Queues whose messages are never delivered. */
export const still = { jobs, letters: jobs, imports: jobs };

/** A kind of import for a test, whose payload is a number. */
export function kindOf(importItem: ImportItem): ImportKinds {
  importKinds["test"] = { capability: "edit", payload: z.strictObject({ n: z.number() }), importItem };
  return importKinds;
}

export const forgetKind = () => delete importKinds["test"];

/** An open import of the test's kind with this many items. */
export async function openImport(count: number, ctx: Context = ownerContext(still)) {
  const { id } = await createImport(ctx, { kind: "test", source: "a.zip" });
  const items = Array.from({ length: count }, (_, n) => ({
    key: `k${n}`,
    title: `Item ${n}`,
    payload: { n },
  }));
  for (let from = 0; from < count; from += 100)
    await addItems(ctx, id, { items: items.slice(from, from + 100) });
  return id;
}

export async function startedImport(count: number, ctx: Context = ownerContext(still)) {
  const id = await openImport(count, ctx);
  await startImport(ctx, id);
  return id;
}

/** Delivers messages like the queue, one after the other, until no item is due; returns their number. */
export async function workThrough(id: number, ctx: Context = jobContext(still)) {
  const { sent, imports } = keptMessages();
  sent.push(id);
  let turns = 0;
  for (; sent.length > 0 && turns < 5000; turns++) {
    const next = sent.pop()!;
    await workOn({ ...ctx, imports }, next, importKinds);
  }
  return turns;
}

export const itemRows = (id: number) =>
  jobContext().db.select().from(importItems).where(eq(importItems.importId, id)).orderBy(asc(importItems.id));

export const progressOf = (id: number) => readImport(ownerContext(), id);

/** Simulates a power failure: claims lapse, and nothing else is written. */
export const lapseClaims = (id: number) =>
  jobContext()
    .db.update(importItems)
    .set({ notBefore: new Date(0) })
    .where(sql`${importItems.importId} = ${id} and ${importItems.state} = 'working'`);
