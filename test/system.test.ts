import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { tick } from "#worker/jobs.ts";
import { MAIL_TOPIC } from "#worker/mail/message.ts";
import { outbox } from "#worker/platform/table.ts";
import { readSystem } from "#worker/system/queries.ts";
import { contextAs, ownerContext } from "./support/client.ts";
import { storedAudio } from "./support/factories.ts";

const MINUTE = 60_000;
const now = new Date("2026-11-29T10:00:00Z");
const at = (minutes: number) => new Date(now.getTime() + minutes * MINUTE);
const { db } = ownerContext();

const stateAt = async (minutes = 0) => (await readSystem(ownerContext({ now: at(minutes) }))).state;

async function runCron(minutes: number) {
  const execution = createExecutionContext();
  const controller = createScheduledController({ cron: "* * * * *", scheduledTime: at(minutes) });
  await tick(controller, env, execution);
  await waitOnExecutionContext(execution);
}

const delivery = (columns: Partial<typeof outbox.$inferInsert>) => ({
  id: crypto.randomUUID(),
  topic: MAIL_TOPIC,
  payload: {},
  createdAt: now,
  // Not due before the end of the test.
  notBefore: at(1_000_000),
  ...columns,
});

describe("the state of the site", () => {
  test("of a new site has no run of the cron, no file and nothing that waits", async () => {
    expect(await stateAt()).toEqual({
      version: env.VERSION.id,
      // Here one migration makes all tables.
      migration: "all",
      files: { count: 0, bytes: 0 },
      waiting: { count: 0, oldest: null },
      failed: { count: 0, emails: 0 },
      lastRun: null,
      isRunLate: true,
      keys: { isEncrypted: false, isTooShort: false, unreadable: 0 },
    });
  });

  test("has the last run of the minute's cron, which is late after five minutes", async () => {
    await runCron(0);
    await runCron(1);
    expect(await stateAt(6)).toMatchObject({ lastRun: at(1), isRunLate: false });
    expect(await stateAt(7)).toMatchObject({ lastRun: at(1), isRunLate: true });
  });

  test("counts what waits and what failed, emails apart", async () => {
    await db
      .insert(outbox)
      .values([
        delivery({ createdAt: at(-3) }),
        delivery({ createdAt: at(-9), topic: "websub" }),
        delivery({ createdAt: at(-60), doneAt: at(-59) }),
        delivery({ failedAt: at(-1) }),
        delivery({ failedAt: at(-1), topic: "websub" }),
        delivery({ failedAt: at(-1), topic: "picture" }),
      ]);
    expect(await stateAt()).toMatchObject({
      waiting: { count: 2, oldest: at(-9) },
      failed: { count: 3, emails: 1 },
    });
  });

  test("has the number and the size of the files", async () => {
    const { size } = await storedAudio();
    expect(size).toBeGreaterThan(0);
    expect((await stateAt()).files).toEqual({ count: 1, bytes: size });
  });

  test("is for those who may change settings", async () => {
    await expect(readSystem(contextAs("editor"))).rejects.toMatchObject({ code: "forbidden" });
  });
});
