import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tick } from "#worker/jobs.ts";
import { createContext } from "#worker/platform/context.ts";
import { describeError, inScope, logError, scopeOf } from "#worker/platform/log.ts";
import { MAIL_TOPIC, mailRow } from "#worker/mail/message.ts";
import { deliverMail } from "#worker/mail/transports.ts";
import { deliverOutbox, outboxRow, type Deliver } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { signUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import deployment from "../docs/deploy.md?raw";
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
    expect(printed.join()).toContain('insert into \\"outbox\\"');
    expect(printed.join()).not.toContain(SECRET);
  });

  it("in a page's loader is logged without its parameters", async () => {
    const token = await signUnsubscribe(visitorContext(), { id: SECRET });
    await without("subscribers", async () => {
      expect((await fetchSite(`/unsubscribe?token=${token}`)).status).toBe(500);
    });
    expect(printed.join()).toContain("no such table: subscribers");
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

  it("logs a failed part of the crons without parameters, and runs the other parts", async () => {
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

describe("a log entry", () => {
  const RAY = "8f1c2a3b4d5e6f70-VIE";
  const entries = () => printed.map((line) => JSON.parse(line) as Record<string, unknown>);

  it("is a line of JSON that names the request, its route and its status", async () => {
    await without("outbox", async () => {
      const response = await send(
        "POST",
        "/password-reset",
        { email: "somebody@example.net" },
        { "CF-Ray": RAY },
      );
      expect(await response.json()).toEqual({
        error: { code: "internal", message: "Something went wrong.", requestId: RAY },
      });
    });
    expect(entries()).toEqual([
      expect.objectContaining({
        level: "error",
        message: expect.stringMatching(/^http: failed: Error: D1_ERROR/),
        requestId: RAY,
        route: "POST /api/admin/password-reset",
        status: 500,
        stack: expect.stringMatching(/^at /),
      }),
    ]);
  });

  it("of a page names the request too, and leaves ids out of its route", async () => {
    await without("episodes", async () => {
      await fetchSite("/episode/4711", { headers: { "CF-Ray": RAY } });
    });
    expect(entries()).toContainEqual(
      expect.objectContaining({ requestId: RAY, route: "GET /episode/:id", status: 500 }),
    );
  });

  it("of a job names the job", async () => {
    const execution = { waitUntil() {} } as unknown as ExecutionContext;
    const controller = { cron: "17 3 * * *", scheduledTime: Date.now(), noRetry() {} };
    await without("login_attempts", async () => {
      await expect(tick(controller as ScheduledController, env, execution)).rejects.toThrow();
    });
    expect(entries()[0]).toMatchObject({ level: "error", route: "cron 17 3 * * *" });
    expect(entries()[0]?.["requestId"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("has a new request id if Cloudflare sent none, or a forged one", () => {
    const headers = { "CF-Ray": 'x","level":"info' };
    for (const request of [new Request("https://a.net"), new Request("https://a.net", { headers })]) {
      const scope = scopeOf(request);
      expect(scope().requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(scope()).toEqual(scope());
    }
  });

  const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
  const HASH = "a3f5".repeat(16);
  const personal = ["nadia@okafor.net", "203.0.113.77", "2001:db8:85a3::8a2e:370:7334", TOKEN, HASH];

  it.each(personal)("removes %s from the error messages of libraries", (secret) => {
    const error = new Error(`550 ${secret} refused, see https://a.net/verify?token=${secret}`);
    inScope(scopeOf(new Request(`https://a.net/verify/${secret}?token=${secret}`)), () =>
      logError("mail: failed", error),
    );
    expect(printed.join()).toContain("550");
    expect(printed.join()).not.toContain(secret);
    expect(printed.join()).not.toContain("?token=");
  });

  it("keeps the SQL, the code positions and our own ids", () => {
    const id = crypto.randomUUID();
    const error = new Error(
      `no such table: outbox in: select "id" from "outbox" where "id" = ? and "n" in (?, ?) ${id}`,
    );
    logError("outbox: failed", error);
    expect(entries()[0]?.["message"]).toBe(`outbox: failed: ${String(error)}`);
    expect(entries()[0]?.["stack"]).toMatch(/:\d+:\d+/);
  });

  it("contains no email address or link token, whichever part fails", async () => {
    const signed = await signUnsubscribe(visitorContext(), { id: SECRET });
    const headers = { "CF-Connecting-IP": "203.0.113.77", "X-Forwarded-For": "203.0.113.77" };
    const email = "nadia@okafor.net";
    for (const table of ["subscribers", "users", "outbox", "cache_tags", "settings"]) {
      await without(table, async () => {
        for (const path of [
          `/unsubscribe?token=${signed}`,
          `/verify?token=${signed}`,
          `/nobody/${email}?a=${email}`,
        ]) {
          await fetchSite(path, { headers });
        }
        await send("POST", "/session", { email, password: SECRET }, headers);
        await send("POST", "/password-reset", { email }, headers);
        await send(
          "POST",
          "/password-reset/confirm",
          { token: signed, password: `${SECRET}-long-enough` },
          headers,
        );
      });
    }
    expect(printed.length).toBeGreaterThan(5);
    for (const secret of [email, encodeURIComponent(email), "203.0.113.77", signed, SECRET]) {
      expect(printed.join()).not.toContain(secret);
    }
  });
});

describe("an email in the outbox", () => {
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

  it("is found there by the command of docs/deploy.md", async () => {
    const [, command = ""] = /d1 execute rostrum --remote --command "([^"]+)"/.exec(deployment) ?? [];
    await deliverAt("https://example.com");
    const { results } = await env.DB.prepare(command).all();
    expect(results[0]).toEqual({ to: "owner@example.net", link: `https://example.com/?token=${SECRET}` });
  });
});
