import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq, isNotNull, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handlers, tick } from "#worker/jobs.ts";
import { listMails, readMail } from "#worker/mail/log.ts";
import {
  copyRows,
  mailOf,
  mailRow,
  sharedBody,
  slotsOf,
  type Mail,
  type MailCopy,
  type MailHeaders,
} from "#worker/mail/message.ts";
import {
  deliverOutbox,
  outboxBody,
  outboxRow,
  outboxRows,
  pruneBodies,
  pruneOutbox,
  readBody,
  enqueue,
} from "#worker/platform/work/outbox.ts";
import { outbox, outboxBodies } from "#worker/platform/table.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { plansOf } from "./support/plans.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-03-01T00:00:00Z");
const ctx = jobContext();
const { db } = ctx;

const at = (time: number) => jobContext({ now: new Date(time) });

let printed: string[] = [];

beforeEach(async () => {
  await db.delete(outbox);
  await db.delete(outboxBodies);
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line) => void printed.push(String(line)));
});
afterEach(() => vi.restoreAllMocks());

type NewMail = Parameters<typeof mailRow>[1];

const aMail = (fields: Partial<NewMail> = {}): NewMail => ({
  to: "reader@example.com",
  subject: "A subject",
  parts: ["Hello."],
  ...fields,
});

async function written(fields: Partial<NewMail>) {
  const { id, statement } = mailRow(ctx, aMail(fields));
  await statement;
  const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
  return row!.payload as Mail;
}

describe("an email", () => {
  it("comes from the site's own address unless another is given", async () => {
    expect(await written({})).toMatchObject({ from: { address: env.MAIL_FROM }, replyTo: null, headers: {} });
    const from = { address: "letters@example.net", name: "Plain Ground" };
    const replyTo = { address: "imogen@example.net" };
    expect(await written({ from, replyTo })).toMatchObject({ from, replyTo });
  });

  it("does not come from the admin's address", async () => {
    expect((await written({})).from.address).not.toBe(ctx.config.adminEmail);
  });

  it("has the headers of a one-click unsubscribe", async () => {
    const headers = {
      "List-Unsubscribe": "<https://example.com/api/newsletter/unsubscribe?token=a.b-c_d>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": "Plain Ground <letters.example.com>",
    };
    expect((await written({ headers })).headers).toEqual(headers);
  });

  it.each<[string, MailHeaders]>([
    ["a line break", { "List-Unsubscribe": "<https://a>\r\nBcc: all@example.com" }],
    ["a bare line feed", { "List-Id": "a\nTo: all@example.com" }],
    ["a carriage return", { Precedence: "bulk\rX-A: b" }],
    ["a line break at the end", { Precedence: "bulk\n" }],
    ["a null character", { "X-Issue": "a\0b" }],
    ["a line separator", { "X-Issue": "a\u2028b" }],
    ["letters beyond ASCII", { "X-Issue": "Zoë" }],
    ["more than a line", { "X-Issue": "a".repeat(990) }],
    ["the name of another header", { Bcc: "all@example.com" } as MailHeaders],
    ["a second recipient", { To: "all@example.com" } as MailHeaders],
    ["another content type", { "Content-Type": "text/html" } as MailHeaders],
    ["a name with a line break", { "X-A: b\r\nBcc": "all@example.com" } as MailHeaders],
    ["a name with a colon", { "X-A:": "b" } as MailHeaders],
  ])("refuses a header with %s", async (_what, headers) => {
    expect(() => mailRow(ctx, aMail({ headers }))).toThrow(/header/);
  });

  it.each(["a@example.com\r\nBcc: b@example.com", "A <a@example.com>", "a@example.com, b@example.com", ""])(
    "has neither the sender nor the reply address %j",
    (address) => {
      expect(() => mailRow(ctx, aMail({ from: { address } }))).toThrow("one plain address");
      expect(() => mailRow(ctx, aMail({ replyTo: { address } }))).toThrow("one plain address");
    },
  );

  it("keeps a sender's name on one line", async () => {
    const name = "Plain\r\nBcc: all@example.com\u2028Ground";
    const { from } = await written({ from: { address: "a@example.com", name } });
    expect(from.name).toBe("Plain Bcc: all@example.com Ground");
  });
});

describe("an email to many", () => {
  /** A letter of about 20 kB, and its copies. */
  async function letterTo(count: number, time = NOW) {
    const writing = at(time);
    const body = sharedBody(writing, ["name", "token"], (slot) => {
      const href = `https://example.com/unsubscribe?token=${slot("token")}`;
      return {
        from: { address: "letters@example.net", name: "Plain Ground" },
        subject: "The letter of March",
        parts: [
          `Dear ${slot("name")},`,
          "word ".repeat(2000),
          { label: "Read on", href: "https://example.com/1" },
        ],
        footer: { text: "To stop:", label: "Unsubscribe", href },
        headers: {
          "List-Unsubscribe": `<${href}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      };
    });
    await body.statement;
    const copies = copyRows(
      writing,
      body,
      Array.from({ length: count }, (_, n) => ({
        to: `reader-${n}@example.com`,
        values: { name: `<b>Zoë & ${n}</b>`, token: `t-${n}` },
      })),
    );
    await copies.statement;
    return { ...body, ids: copies.ids };
  }

  async function mailIn(id: string) {
    const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
    return mailOf(row!.payload, await readBody(ctx, row!));
  }

  it("is stored once, and each row has only its own values", async () => {
    const { ids } = await letterTo(1000);
    const [sizes] = await db.all<{ rows: number; bytes: number; body: number }>(
      sql`select count(*) as rows, max(length(payload)) as bytes,
        (select sum(length(content)) from outbox_bodies) as body from outbox`,
    );
    expect(sizes!.rows).toBe(1000);
    expect(sizes!.bytes).toBeLessThan(250);
    expect(sizes!.body).toBeGreaterThan(20_000);
    expect(await db.select().from(outboxBodies)).toHaveLength(1);
    const messageIds = await db.all<{ n: number }>(
      sql`select count(distinct payload ->> 'messageId') as n from outbox`,
    );
    expect(messageIds[0]!.n).toBe(1000);
    expect(new Set(ids).size).toBe(1000);
  });

  it("is completed at delivery, escaped in HTML", async () => {
    const { ids } = await letterTo(2);
    const mail = await mailIn(ids[1]!);
    expect(mail).toMatchObject({
      to: "reader-1@example.com",
      subject: "The letter of March",
      from: { address: "letters@example.net", name: "Plain Ground" },
      link: "https://example.com/1",
      headers: {
        "List-Unsubscribe": "<https://example.com/unsubscribe?token=t-1>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    });
    expect(mail.text).toContain("Dear <b>Zoë & 1</b>,");
    expect(mail.text).toContain("https://example.com/unsubscribe?token=t-1");
    expect(mail.html).toContain("Dear &#60;b&#62;Zoë &#38; 1&#60;/b&#62;,");
    expect(mail.html).toContain('href="https://example.com/unsubscribe?token=t-1"');
    expect(JSON.stringify(mail)).not.toContain("{{");
  });

  it("is delivered by the outbox, copy by copy", async () => {
    const { ids } = await letterTo(2);
    for (const id of ids) await deliverOutbox(at(NOW), id, handlers);
    expect(printed).toEqual(
      [0, 1].map(
        (n) => `[mail] to=reader-${n}@example.com subject="The letter of March" link=https://example.com/1`,
      ),
    );
    expect(await db.select().from(outbox).where(isNotNull(outbox.doneAt))).toHaveLength(2);
  });

  it("is listed and read like any other", async () => {
    const { ids } = await letterTo(1);
    const { items: mails } = await listMails(ownerContext());
    expect(mails).toMatchObject([{ to: "reader-0@example.com", subject: "The letter of March" }]);
    const { content } = await readMail(ownerContext(), ids[0]!);
    expect(content?.text).toContain("token=t-0");
    expect(content?.html).toContain("token=t-0");
  });

  it("does not fill in the names of slots that an author or a value has", async () => {
    const body = sharedBody(ctx, ["a", "b"], (slot) => ({
      subject: "S {{a}}",
      preheader: "P {{a}}",
      parts: [`${slot("a")} {{b}}`, "{{constructor}}", { label: "L", href: "https://example.com/?{{a}}" }],
      headers: { "X-Name": "{{a}}" },
    }));
    await body.statement;
    const values = { a: "{{b}}", b: "secret" };
    const { statement, ids } = copyRows(ctx, body, [{ to: "a@example.com", values }]);
    await statement;
    const mail = await mailIn(ids[0]!);
    expect(mail.text).toBe("{{b}} {{b}}\n\n{{constructor}}\n\nL:\nhttps://example.com/?{{a}}\n");
    expect(mail).toMatchObject({
      subject: "S {{a}}",
      headers: { "X-Name": "{{a}}" },
      link: "https://example.com/?{{a}}",
    });
    expect(mail.html).toContain("P {{a}}");
    expect(JSON.stringify(mail)).not.toContain("secret");
  });

  it("is filled in as before if its body was stored before bodies had marks", async () => {
    const slot = slotsOf({});
    const { id, statement } = outboxBody(ctx, {
      from: { address: "letters@example.net" },
      replyTo: null,
      subject: "S",
      text: `${slot("name")} {{other}}`,
      html: `<p>${slot("name")}</p>`,
      link: `https://example.com/?t=${slot("token")}`,
      headers: { "List-Unsubscribe": `<https://example.com/?t=${slot("token")}>` },
      isKey: false,
    });
    await statement;
    const slots = ["name", "token"];
    const copy = { to: "a@example.com", values: { name: "<b>", token: "t-1" } };
    const copies = copyRows(ctx, { id, slots }, [copy]);
    await copies.statement;
    expect(await mailIn(copies.ids[0]!)).toMatchObject({
      text: "<b> {{other}}",
      html: "<p>&#60;b&#62;</p>",
      link: "https://example.com/?t=t-1",
      headers: { "List-Unsubscribe": "<https://example.com/?t=t-1>" },
    });
  });

  it("is not completed with a slot that is left unfilled", async () => {
    const body = sharedBody(ctx, ["a"], (slot) => ({ subject: "S", parts: [slot("a"), slot("b")] }));
    await body.statement;
    const { statement, ids } = copyRows(ctx, body, [{ to: "a@example.com", values: { a: "A" } }]);
    await statement;
    await expect(mailIn(ids[0]!)).rejects.toThrow('lacks its "b"');
  });

  it.each<[string, Partial<MailCopy>, string]>([
    ["lacks a value", { values: { name: "A" } }, 'lacks its "token"'],
    ["has a line break in a value", { values: { name: "A", token: "t>\r\nBcc: b@example.com" } }, "one line"],
    ["goes to two addresses", { to: "a@example.com, b@example.com" }, "one plain address"],
  ])("has no copy that %s", (_what, fields, message) => {
    const copy = { to: "a@example.com", values: { name: "A", token: "t" }, ...fields };
    expect(() => copyRows(ctx, { id: "body", slots: ["name", "token"] }, [copy])).toThrow(message);
  });

  it("has no header that a value would make invalid", () => {
    const body = { headers: { "X-Name": slotsOf({})("name") }, text: "", html: "", link: "" };
    const copy = { to: "a@example.com", messageId: "", values: { name: "Zoë" } };
    expect(() => mailOf(copy, body)).toThrow("X-Name");
  });

  it("keeps its body as long as a row needs it", async () => {
    const body = await letterTo(3);
    const bodies = () => db.select({ id: outboxBodies.id }).from(outboxBodies);
    const [delivered, ...waiting] = body.ids;
    await db
      .update(outbox)
      .set({ doneAt: new Date(NOW) })
      .where(eq(outbox.id, delivered!));
    const later = at(NOW + 31 * DAY);
    await pruneOutbox(later);
    await pruneBodies(later);
    expect(await db.select().from(outbox)).toHaveLength(2);
    expect(await bodies()).toEqual([{ id: body.id }]);
    for (const id of waiting) {
      await db
        .update(outbox)
        .set({ failedAt: new Date(NOW) })
        .where(eq(outbox.id, id));
    }
    const controller = createScheduledController({ cron: "17 3 * * *", scheduledTime: later.now });
    await tick(controller, env, createExecutionContext());
    expect(await bodies()).toEqual([]);
  });

  it("keeps a body whose rows are yet to be written, for a day", async () => {
    const { id, statement } = outboxBody(at(NOW), {});
    await statement;
    await pruneBodies(at(NOW + DAY));
    expect(await db.select().from(outboxBodies)).toMatchObject([{ id }]);
    await pruneBodies(at(NOW + DAY + 1));
    expect(await db.select().from(outboxBodies)).toEqual([]);
    await expect(outboxRows(at(NOW), "mail", [{}], { bodyId: id }).statement).rejects.toThrow();
  });

  it("finds a body's rows by an index", async () => {
    expect((await plansOf(pruneBodies)).join()).toContain("outbox_by_body");
  });
});

describe("the outbox queue", () => {
  it("gets at most 100 messages in one batch", async () => {
    const sizes: number[] = [];
    const sendBatch = async (messages: Iterable<unknown>) => void sizes.push([...messages].length);
    enqueue(
      jobContext({ jobs: { sendBatch } as never }),
      ...Array.from({ length: 205 }, () => crypto.randomUUID()),
    );
    expect(sizes).toEqual([100, 100, 5]);
  });

  it("delivers a row that has no shared body", async () => {
    const { id, statement } = outboxRow(ctx, "test", { a: 1 });
    await statement;
    const deliver = vi.fn(async () => {});
    await deliverOutbox(jobContext(), id, { test: deliver });
    expect(deliver).toHaveBeenCalledWith(
      expect.anything(),
      { a: 1 },
      expect.objectContaining({ bodyId: null }),
    );
  });
});
