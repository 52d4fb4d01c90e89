import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tick } from "#worker/jobs.ts";
import { createContext } from "#worker/platform/context.ts";
import { describeError } from "#worker/platform/log.ts";
import { MAIL_TOPIC, mailRow } from "#worker/mail/message.ts";
import { deliverMail } from "#worker/mail/transports.ts";
import { deliverOutbox, outboxRow, type Deliver } from "#worker/platform/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { signUnsubscribe } from "#worker/newsletter/confirmation.ts";
import readme from "../README.md?raw";
import { send } from "./support/accounts.ts";
import { fetchSite, jobContext, visitorContext } from "./support/client.ts";

const SECRET = "secret-4d1f";
const { db } = jobContext();

let printed: string[] = [];
const print = (...words: unknown[]) => {
  // As the platform's log has it: an error with its message, its stack and its cause.
  printed.push(
    ...words.map((word) =>
      word instanceof Error ? `${word.message} ${word.stack} ${String(word.cause)}` : String(word),
    ),
  );
};

beforeEach(() => {
  printed = [];
  for (const method of ["log", "warn", "error"] as const) vi.spyOn(console, method).mockImplementation(print);
});
afterEach(() => vi.restoreAllMocks());

/** Fails, with a secret among its parameters. */
const failingStatement = () => db.run(sql`insert into no_such_table values (${SECRET})`);

/** Does work while a table is away. */
async function without(table: string, work: () => Promise<unknown>) {
  await env.DB.exec(`alter table ${table} rename to away`);
  try {
    await work();
  } finally {
    await env.DB.exec(`alter table away rename to ${table}`);
  }
}

describe("a failed statement", () => {
  it("is described by its cause and its SQL, without its parameters", async () => {
    const error: unknown = await failingStatement().catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(SECRET);
    expect(describeError(error)).toMatch(
      /^Error: D1_ERROR: no such table: no_such_table.* in: insert into no_such_table values \(\?\)$/,
    );
    const wrapped = new Error("It did not work.", { cause: error });
    expect(describeError(wrapped)).toContain("It did not work. (Error: D1_ERROR");
    expect(describeError(wrapped)).not.toContain(SECRET);
  });

  it("in a job leaves no parameter on the console nor in the outbox", async () => {
    const { id, statement } = outboxRow(jobContext(), "test", {});
    await statement;
    const failing: Deliver = async () => void (await failingStatement());
    await deliverOutbox(jobContext(), id, { test: failing });
    const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
    expect(row?.lastError).toContain("no such table");
    expect(row?.lastError).toContain("insert into no_such_table");
    expect(row?.lastError).not.toContain(SECRET);
    expect(printed.join()).toContain("no such table");
    expect(printed.join()).not.toContain(SECRET);
  });

  it("in the API is logged without its parameters", async () => {
    await without("outbox", async () => {
      const response = await send("POST", "/password-reset", { email: `${SECRET}@example.com` });
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain("outbox");
    });
    expect(printed.join()).toContain('insert into "outbox"');
    expect(printed.join()).not.toContain(SECRET);
  });

  it("in a page's loader is logged without its parameters", async () => {
    const token = await signUnsubscribe(visitorContext(), { id: SECRET });
    await without("subscribers", async () => {
      expect((await fetchSite(`/unsubscribe?token=${token}`)).status).toBe(500);
    });
    expect(printed.join()).toContain('from "subscribers"');
    expect(printed.join()).not.toContain(SECRET);
  });

  it("after the answer is logged without its parameters", async () => {
    const work: Promise<unknown>[] = [];
    const ctx = createContext(env, {
      actor: { kind: "visitor" },
      later: (promise) => void work.push(promise),
    });
    ctx.later(failingStatement());
    await Promise.all(work);
    expect(printed.join()).toContain("no such table");
    expect(printed.join()).not.toContain(SECRET);
  });

  it("fails a run of the crons in words without parameters, and keeps none of its other parts", async () => {
    const { id, statement } = outboxRow(jobContext({ now: new Date(0) }), "test", {});
    await statement;
    await db
      .update(outbox)
      .set({ doneAt: new Date(0) })
      .where(eq(outbox.id, id));
    const execution = { waitUntil() {} } as unknown as ExecutionContext;
    const controller = { cron: "17 3 * * *", scheduledTime: Date.now(), noRetry() {} };
    await without("login_attempts", async () => {
      await expect(tick(controller as ScheduledController, env, execution)).rejects.toThrow(
        /^1 of \d+ failed\.$/,
      );
    });
    expect(printed.join()).toContain("no such table: login_attempts");
    expect(await db.select().from(outbox).where(eq(outbox.id, id))).toEqual([]);
  });
});

describe("a mail in the outbox", () => {
  async function deliverAt(siteUrl: string) {
    const ctx = jobContext();
    const { id, statement } = mailRow(ctx, {
      to: "owner@example.net",
      subject: "A subject",
      parts: [{ label: "Open", href: `https://example.com/?token=${SECRET}` }],
    });
    await statement;
    await deliverOutbox({ ...ctx, config: { ...ctx.config, siteUrl } }, id, { [MAIL_TOPIC]: deliverMail });
    const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
    expect(row?.doneAt).not.toBeNull();
  }

  it.each(["http://localhost:8787", "http://127.0.0.1:8787", "http://[::1]:8787", "http://site.localhost"])(
    "is printed at %s",
    async (siteUrl) => {
      await deliverAt(siteUrl);
      expect(printed.join()).toContain(`link=https://example.com/?token=${SECRET}`);
    },
  );

  it.each(["https://example.com", "https://localhost.example.com", "https://127.0.0.1.example.com"])(
    "leaves nothing on the console at %s",
    async (siteUrl) => {
      await deliverAt(siteUrl);
      expect(printed).toEqual([]);
    },
  );

  it("is found there by the command of the README", async () => {
    const [, command = ""] = /d1 execute rostrum --remote --command "([^"]+)"/.exec(readme) ?? [];
    await deliverAt("https://example.com");
    const { results } = await env.DB.prepare(command).all();
    expect(results[0]).toEqual({ to: "owner@example.net", link: `https://example.com/?token=${SECRET}` });
  });
});
