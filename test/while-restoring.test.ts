import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { factorRules, users } from "#worker/accounts/table.ts";
import { chainEntries, pruneEvents } from "#worker/accounts/log-chain.ts";
import { createArticle } from "#worker/articles/commands.ts";
import { articles } from "#worker/articles/table.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { episodes } from "#worker/episodes/table.ts";
import type { ImportState } from "#worker/imports/contract.ts";
import { cancelImport, deleteImport } from "#worker/imports/import-commands.ts";
import { insertImport } from "#worker/imports/items.ts";
import { imports } from "#worker/imports/table.ts";
import { consume, receiveMail, tick } from "#worker/jobs.ts";
import { letters } from "#worker/letters/table.ts";
import type { JobMessage } from "#worker/platform/context.ts";
import { BEGIN_AGAIN, WHILE_RESTORING } from "#worker/exports/contract.ts";
import { DURING_RESTORE, RESTORE } from "#worker/restores/contract.ts";
import { isHalfRestored } from "#worker/restores/staging.ts";
import { fetchSite, jobContext, ownerContext, signedIn } from "./support/client.ts";
import { anEpisode, savedShow, storedAudio } from "./support/factories.ts";
import { faultyBindings, type BindingCall } from "./support/faults.ts";
import { codeAt } from "./support/totp.ts";
import { aLetterTo, subscribed } from "./support/sending.ts";

const HOUR = 3_600_000;
const { db } = jobContext();
let restore: number;

beforeAll(async () => {
  await savedShow();
});
beforeEach(async () => {
  const [created] = await insertImport(ownerContext(), { kind: RESTORE, source: "a.zip" });
  restore = created!.id;
  return () => db.delete(imports).where(eq(imports.id, restore));
});

const letBe = (state: ImportState) => db.update(imports).set({ state }).where(eq(imports.id, restore));

async function tickAt(at: number, cron = "* * * * *") {
  const execution = createExecutionContext();
  await tick(createScheduledController({ cron, scheduledTime: new Date(at) }), env, execution);
  await waitOnExecutionContext(execution);
}

describe("until a restore has ended, running or paused, the cron", () => {
  it("publishes no due episode or essay and sends no due letter", async () => {
    const at = Date.now() + HOUR;
    const plan = { status: "scheduled", scheduledFor: at } as const;
    const article = await createArticle(ownerContext(), { title: "Planned", ...plan });
    const audioFileId = (await storedAudio()).id;
    const episode = await createEpisode(ownerContext(), anEpisode({ ...plan, audioFileId }));
    const { domain } = await subscribed([{}]);
    const { id: letter } = await aLetterTo(domain);
    await db
      .update(letters)
      .set({ status: "scheduled", scheduledFor: new Date(at) })
      .where(eq(letters.id, letter));
    const states = async () =>
      Promise.all(
        [
          db.select({ status: articles.status }).from(articles).where(eq(articles.id, article.id)),
          db.select({ status: episodes.status }).from(episodes).where(eq(episodes.id, episode.id)),
          db.select({ status: letters.status }).from(letters).where(eq(letters.id, letter)),
        ].map(async (read) => (await read)[0]!.status),
      );
    for (const state of ["running", "paused"] as const) {
      await letBe(state);
      await tickAt(at + HOUR);
      expect(await states(), state).toEqual(["scheduled", "scheduled", "scheduled"]);
    }
    await letBe("done");
    await tickAt(at + 2 * HOUR);
    expect(await states()).toEqual([
      "published",
      "published",
      expect.stringMatching(/^(?:draft|sending|sent)$/),
    ]);
  });

  it("deletes nothing that is past its retention", async () => {
    await db.run(sql`delete from security_events`);
    await db.run(sql`delete from log_chain`);
    await db.run(
      sql`insert into security_events (at, kind, email, address, user_agent) values (1, 'login', 'a@b.example', '', '')`,
    );
    await chainEntries(jobContext());
    await pruneEvents(jobContext());
    const countOld = async () => (await db.all(sql`select id from security_events where at = 1`)).length;
    await letBe("paused");
    await tickAt(Date.now(), "17 3 * * *");
    expect(await countOld()).toBe(1);
    await letBe("cancelled");
    await tickAt(Date.now(), "17 3 * * *");
    expect(await countOld()).toBe(0);
  });
});

describe("until a restore has ended, an export", () => {
  const asked = [
    "",
    "/outline",
    "/pieces?permit=none&file=data/articles.ndjson",
    "/files",
    `/files/1?permit=none&set=${"0".repeat(32)}`,
  ];

  it.each(asked)("is refused with what to do: /export%s", async (path) => {
    const { cookie } = await signedIn("admin");
    const ask = () => fetchSite(`/api/admin/export${path}`, { headers: { cookie } });
    for (const state of ["running", "paused"] as const) {
      await letBe(state);
      const answer = await ask();
      expect([answer.status, await answer.json()], state).toEqual([
        409,
        { error: expect.objectContaining({ message: WHILE_RESTORING }) },
      ]);
    }
    await letBe("done");
    const answer = await ask();
    const text = await answer.text();
    expect(answer.status === 200 || text.includes(BEGIN_AGAIN)).toBe(true);
  });

  it("is not offered by its page, which says why", async () => {
    const { cookie } = await signedIn("admin");
    const read = async () => (await fetchSite("/admin/settings/export", { headers: { cookie } })).text();
    await letBe("paused");
    const held = await read();
    expect(held).toContain("This site is being restored, so an export would lack");
    expect(held).not.toMatch(/Download export|List the downloads/);
    await letBe("done");
    expect(await read()).toContain("Download export");
  });
});

describe("the night’s work", () => {
  const NIGHT = "17 3 * * *";
  async function addOld() {
    await db.run(sql`delete from security_events`);
    await db.run(sql`delete from log_chain`);
    await db.run(
      sql`insert into security_events (at, kind, email, address, user_agent) values (1, 'login', 'a@b.example', '', '')`,
    );
    await chainEntries(jobContext());
    await pruneEvents(jobContext());
  }
  const countOld = async () => (await db.all(sql`select id from security_events where at = 1`)).length;

  it("is done but for one part if whether a restore runs cannot be read for that part", async () => {
    await letBe("done");
    await addOld();
    const isRead = ({ queries }: Pick<BindingCall, "queries">) =>
      queries.some((query) => query.startsWith("select") && query.includes('from "imports"'));
    let reads = 0;
    const { env: faulty } = faultyBindings(env, (call) =>
      isRead(call) && ++reads === 1 ? "before" : undefined,
    );
    const execution = createExecutionContext();
    const controller = createScheduledController({ cron: NIGHT, scheduledTime: new Date() });
    await expect(tick(controller, faulty, execution)).rejects.toThrow(/^1 of \d+ failed/);
    expect(reads).toBeGreaterThan(1);
    expect(await countOld()).toBe(0);
  });

  it("is sent on the free plan also during a restore, whose end each message checks", async () => {
    await addOld();
    await letBe("paused");
    const sent: JobMessage[] = [];
    const JOBS = {
      sendBatch: async (messages: MessageSendRequest<JobMessage>[]) =>
        void sent.push(...messages.map(({ body }) => body)),
    };
    const freeEnv = { ...env, PLAN: "free", JOBS } as unknown as Env;
    const controller = createScheduledController({ cron: NIGHT, scheduledTime: new Date() });
    await tick(controller, freeEnv, createExecutionContext());
    const body = sent.find(({ id }) => id === "events")!;
    const deliver = async () => {
      const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body };
      await consume(createMessageBatch("rostrum-jobs", [message]), freeEnv, createExecutionContext());
    };
    await deliver();
    expect(await countOld()).toBe(1);
    await letBe("done");
    await deliver();
    expect(await countOld()).toBe(0);
  });

  it.each(["free", "paid"])(
    "that a restore has held back is sent in the minute after it, once (%s)",
    async (PLAN) => {
      const sent: JobMessage[] = [];
      const JOBS = {
        sendBatch: async (messages: MessageSendRequest<JobMessage>[]) =>
          void sent.push(...messages.map(({ body }) => body)),
      };
      const itsEnv = { ...env, PLAN, JOBS } as unknown as Env;
      const tickNow = async (cron: string) => {
        sent.length = 0;
        await tick(
          createScheduledController({ cron, scheduledTime: new Date() }),
          itsEnv,
          createExecutionContext(),
        );
        return sent.map(({ id }) => id);
      };
      await letBe("running");
      for (const id of PLAN === "free" ? await tickNow(NIGHT) : (await tickNow(NIGHT), [])) {
        const message = {
          id: crypto.randomUUID(),
          timestamp: new Date(),
          attempts: 1,
          body: { kind: "tick", id },
        };
        await consume(
          createMessageBatch("rostrum-jobs", [message as never]),
          itsEnv,
          createExecutionContext(),
        );
      }
      expect(await tickNow("* * * * *")).not.toContain("bin");
      await letBe("done");
      const ids = await tickNow("* * * * *");
      expect(ids).toEqual(expect.arrayContaining(["bin", "files", "unconfirmedSubscribers"]));
      expect(ids).not.toContain("copy");
      expect(await tickNow("* * * * *")).not.toContain("bin");
    },
  );

  it("hashes files also during a restore, which compares them", async () => {
    const { key } = await storedAudio();
    await letBe("paused");
    await tickAt(Date.now() + 24 * HOUR);
    expect(await db.all(sql`select key from object_hashes where key = ${key}`)).toHaveLength(1);
  });
});

describe("the cancellation of a restore that has started", () => {
  const at = new Date(Date.now() + HOUR);
  const plan = { status: "scheduled", scheduledFor: at } as const;

  async function scheduled() {
    const article = await createArticle(ownerContext(), {
      title: "Planned",
      ...plan,
      scheduledFor: at.getTime(),
    });
    const audioFileId = (await storedAudio()).id;
    const episode = await createEpisode(
      ownerContext(),
      anEpisode({ ...plan, scheduledFor: at.getTime(), audioFileId }),
    );
    const { domain } = await subscribed([{}]);
    const { id } = await aLetterTo(domain);
    await db.update(letters).set(plan).where(eq(letters.id, id));
    const states = async () => {
      const [[one], [two], [three]] = await Promise.all([
        db.select().from(articles).where(eq(articles.id, article.id)),
        db.select().from(episodes).where(eq(episodes.id, episode.id)),
        db.select().from(letters).where(eq(letters.id, id)),
      ]);
      return [one, two, three].map((row) => [row!.status, row!.scheduledFor]);
    };
    const reason = async () => (await db.select().from(letters).where(eq(letters.id, id)))[0]!.pausedReason;
    return { states, reason };
  }
  const start = () =>
    db.update(imports).set({ state: "paused", startedAt: new Date() }).where(eq(imports.id, restore));
  const drafts = Array.from({ length: 3 }, () => ["draft", null]);

  it.each([
    ["", cancelImport],
    [" by its deletion", deleteImport],
  ])("turns what is scheduled into drafts%s, also if the bucket then fails", async (_, end) => {
    const { states, reason } = await scheduled();
    await start();
    const ctx = ownerContext();
    const media = new Proxy(ctx.media, {
      get: () => () => Promise.reject(new Error("R2 does not answer")),
    });
    await end({ ...ctx, media }, restore);
    expect(await states()).toEqual(drafts);
    expect(await reason()).toContain("subscribers may be missing");
    await tickAt(at.getTime() + HOUR);
    expect(await states()).toEqual(drafts);
  });

  it("leaves what is scheduled if the restore is not started, or still runs", async () => {
    const { states } = await scheduled();
    const before = await states();
    await db.update(imports).set({ state: "running", startedAt: new Date() }).where(eq(imports.id, restore));
    await expect(deleteImport(ownerContext(), restore)).rejects.toMatchObject({ code: "conflict" });
    expect(await states()).toEqual(before);
    await db.update(imports).set({ state: "open", startedAt: null }).where(eq(imports.id, restore));
    await cancelImport(ownerContext(), restore);
    expect(await states()).toEqual(before);
  });

  it("expires what visitors were answered while rows were missing", async () => {
    const version = async () =>
      (await db.all<{ version: number }>(sql`select version from cache_tags where tag = 'press'`))[0]
        ?.version ?? 0;
    await start();
    const before = await version();
    await cancelImport(ownerContext(), restore);
    expect(await version()).toBeGreaterThan(before);
  });

  it("marks the bucket, and the later deletion of its entry does not mark it again", async () => {
    await start();
    await cancelImport(ownerContext(), restore);
    expect(await isHalfRestored(jobContext())).toBe(true);
    await env.MEDIA.delete("restoring/half");
    await deleteImport(ownerContext(), restore);
    expect(await isHalfRestored(jobContext())).toBe(false);
  });
});

test("until a restore has ended, an email to the Worker is refused", async () => {
  for (const state of ["running", "paused"] as const) {
    await letBe(state);
    const refusals: string[] = [];
    const message = { raw: new Response("").body, setReject: (reason: string) => void refusals.push(reason) };
    await receiveMail(message as unknown as ForwardableEmailMessage, env, createExecutionContext());
    expect(refusals, state).toEqual(["This site is being restored. Please try again later."]);
  }
});

describe("until a restore has ended, the admin API", () => {
  const param = () => ({ id: String(restore) });

  it("refuses to send, resume and change anything, with what to do", async () => {
    const { api } = await signedIn("super_admin");
    const { id } = await createArticle(ownerContext(), { title: "One" });
    const { domain } = await subscribed([{}]);
    const letter = { id: String((await aLetterTo(domain)).id) };
    for (const state of ["running", "paused"] as const) {
      await letBe(state);
      const answers = [
        await api.newsletters[":id"].send.$post({ param: letter, json: { scheduledFor: null } }),
        await api.newsletters[":id"].resume.$post({ param: letter }),
        await api.articles[":id"].$patch({ param: { id: String(id) }, json: { title: "Two" } }),
        await api.articles[":id"].$delete({ param: { id: String(id) } }),
        await api.restores.$post({ json: { source: "b.zip", manifest: {} as never } }),
        await api.imports[":id"].resume.$post({ param: { id: String(restore + 1) } }),
      ];
      for (const answer of answers) {
        expect(answer.status, answer.url).toBe(409);
        expect(await answer.json()).toMatchObject({ error: { message: DURING_RESTORE } });
      }
    }
    await letBe("open");
    expect(
      (await api.articles[":id"].$patch({ param: { id: String(id) }, json: { title: "Two" } })).status,
    ).toBe(200);
  });

  it("lets a user set up the second factor that their role needs, and then cancels the restore", async () => {
    const { api } = await signedIn("super_admin");
    await letBe("running");
    const since = new Date(Date.now() - 24 * HOUR);
    await db.insert(factorRules).values({ role: "super_admin", since, graceDays: 0 });
    await db.update(users).set({ createdAt: since }).where(eq(users.role, "super_admin"));
    try {
      expect((await api.imports[":id"].cancel.$post({ param: param() })).status).toBe(403);
      const begun = await api.account["second-factor"].$post();
      const { secret } = (await begun.json()) as { secret: string };
      const json = { code: codeAt(secret, Date.now()) };
      expect((await api.account["second-factor"].$put({ json })).status).toBe(200);
      expect((await api.imports[":id"].cancel.$post({ param: param() })).status).toBe(200);
    } finally {
      await db.delete(factorRules);
    }
  });

  it("pauses, resumes and cancels the restore, and signs out", async () => {
    const { api } = await signedIn("super_admin");
    await letBe("running");
    expect((await api.imports[":id"].pause.$post({ param: param() })).status).toBe(200);
    expect((await api.imports[":id"].resume.$post({ param: param() })).status).toBe(200);
    expect((await api.imports[":id"].$get({ param: param() })).status).toBe(200);
    expect((await api.session.$delete()).ok).toBe(true);
    const again = await signedIn("super_admin");
    expect((await again.api.imports[":id"].cancel.$post({ param: param() })).status).toBe(200);
    expect((await again.api.articles.$post({ json: { title: "After it" } })).status).toBe(201);
  });
});
