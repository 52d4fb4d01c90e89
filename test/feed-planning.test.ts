import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import { readFeedDetails } from "#worker/imports/feed/queries.ts";
import { addItems, cancelImport, deleteImport, startImport } from "#worker/imports/import-commands.ts";
import { listImports, readImport } from "#worker/imports/import-queries.ts";
import { watchImports } from "#worker/imports/resume-interrupted.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import { createContext } from "#worker/platform/context.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { faultyBindings } from "./support/faults.ts";
import { anItem, mover, servedFeed } from "./support/moving.ts";

const MINUTE = 60_000;
const { db } = jobContext();
const NOT_FOUND = { code: "not_found" };

/** The plan of a feed whose request is killed once its episodes are stored. */
async function interruptedPlan() {
  const url = await servedFeed([anItem({ seed: 1 }), anItem({ seed: 2 })]);
  const { env: faulty } = faultyBindings(env, ({ queries }) =>
    queries.some((query) => query.includes('insert into "import_items"')) ? "crash" : undefined,
  );
  const whole = mover();
  const ctx = { ...createContext(faulty, { actor: whole.actor }), config: whole.config };
  await expect(createFeedImport(ctx, { url })).rejects.toThrow();
  const [row] = await db.select().from(imports).where(eq(imports.source, url));
  return { id: row!.id, url };
}

describe("a plan that was interrupted", () => {
  test("is in no list, has no page, and no command accepts it", async () => {
    const { id } = await interruptedPlan();
    const owner = ownerContext();
    expect((await listImports(owner, {})).items.map((item) => item.id)).not.toContain(id);
    await expect(readImport(owner, id)).rejects.toMatchObject(NOT_FOUND);
    await expect(readFeedDetails(owner, id)).rejects.toMatchObject(NOT_FOUND);
    await expect(startImport(owner, id)).rejects.toMatchObject(NOT_FOUND);
    await expect(cancelImport(owner, id)).rejects.toMatchObject(NOT_FOUND);
    await expect(deleteImport(owner, id)).rejects.toMatchObject(NOT_FOUND);
    await expect(
      addItems(owner, id, { items: [{ key: "a", title: "A", payload: {} }] }),
    ).rejects.toMatchObject(NOT_FOUND);
  });

  test("is deleted by the sweep with its items, once no request can be working on it", async () => {
    const { id } = await interruptedPlan();
    const count = () => db.$count(importItems, eq(importItems.importId, id));
    await watchImports(jobContext());
    expect(await count()).toBe(2);
    await watchImports(jobContext({ now: new Date(Date.now() + 16 * MINUTE) }));
    expect(await count()).toBe(0);
    expect(await db.$count(imports, eq(imports.id, id))).toBe(0);
  });

  test("does not keep the same feed from being planned", async () => {
    const { url } = await interruptedPlan();
    const whole = await createFeedImport(mover(), { url });
    expect(whole).toMatchObject({ state: "open", counts: { total: 2 } });
  });
});
