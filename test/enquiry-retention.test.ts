import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, test } from "vitest";
import { commentStatuses, type CommentStatus } from "#worker/comments/contract.ts";
import { pruneComments } from "#worker/comments/retention.ts";
import { comments } from "#worker/comments/table.ts";
import { pruneEnquiries } from "#worker/enquiries/retention.ts";
import { enquiries, enquiryMails } from "#worker/enquiries/table.ts";
import { tick } from "#worker/jobs.ts";
import { monthsBefore } from "#worker/platform/time/calendar.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { env } from "cloudflare:workers";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { jobContext, ownerContext } from "./support/client.ts";
import { aComment, anEnquiry } from "./support/people.ts";
import { plansOf } from "./support/plans.ts";

const { db } = jobContext();
const at = (time: string) => jobContext({ now: new Date(time) });
const keep = (retention: { enquiries: number | null; comments: number | null }) =>
  updateSite(ownerContext(), { retention });

beforeEach(() => keep({ enquiries: 24, comments: 12 }));

test("months are counted by the calendar", () => {
  const before = (time: string, months: number) => monthsBefore(new Date(time), months).toISOString();
  expect(before("2026-11-25T03:17:00.000Z", 12)).toBe("2025-11-25T03:17:00.000Z");
  expect(before("2026-03-31T03:17:00.000Z", 1)).toBe("2026-02-28T03:17:00.000Z");
  expect(before("2028-03-31T23:59:59.999Z", 1)).toBe("2028-02-29T23:59:59.999Z");
  expect(before("2026-01-15T00:00:00.000Z", 1)).toBe("2025-12-15T00:00:00.000Z");
  expect(before("2028-02-29T00:00:00.000Z", 24)).toBe("2026-02-28T00:00:00.000Z");
});

describe("an enquiry", () => {
  const isThere = async (id: number) =>
    (await db.select().from(enquiries).where(eq(enquiries.id, id))).length === 1;
  const mailsOf = (id: number) => db.select().from(enquiryMails).where(eq(enquiryMails.enquiryId, id));

  it("is deleted after its months, with its emails, in any status", async () => {
    const id = await anEnquiry({ status: "approved", createdAt: new Date("2024-03-10T12:00:00Z") });
    const sentAt = new Date("2026-03-01");
    await db
      .insert(enquiryMails)
      .values({ enquiryId: id, subject: "S", body: "B", sentBy: "The Owner", sentAt, outboxId: "o" });
    await pruneEnquiries(at("2026-03-10T11:59:00Z"));
    expect(await isThere(id)).toBe(true);
    expect(await mailsOf(id)).toHaveLength(1);
    await pruneEnquiries(at("2026-03-10T12:01:00Z"));
    expect(await isThere(id)).toBe(false);
    expect(await mailsOf(id)).toEqual([]);
  });

  it("is kept for ever if the owner chooses so", async () => {
    const id = await anEnquiry({ createdAt: new Date("1999-01-01") });
    await keep({ enquiries: null, comments: null });
    await pruneEnquiries(jobContext());
    expect(await isThere(id)).toBe(true);
  });

  it("that is spam is deleted 30 days after it was marked, whatever the settings", async () => {
    await keep({ enquiries: null, comments: null });
    const updatedAt = new Date("2026-03-01T12:00:00Z");
    const ids: number[] = [];
    for (const kind of ["application", "message", "booking"] as const) {
      ids.push(await anEnquiry({ kind, isSpam: true, createdAt: new Date("2025-01-01"), updatedAt }));
    }
    const other = await anEnquiry({ createdAt: updatedAt, updatedAt });
    await pruneEnquiries(at("2026-03-31T11:59:00Z"));
    expect(await Promise.all(ids.map(isThere))).toEqual([true, true, true]);
    await pruneEnquiries(at("2026-03-31T12:01:00Z"));
    expect(await Promise.all(ids.map(isThere))).toEqual([false, false, false]);
    expect(await isThere(other)).toBe(true);
    const plans = await plansOf((ctx) => pruneEnquiries(ctx));
    expect(plans).toContainEqual(expect.stringContaining("enquiries_by_box"));
    expect(plans.filter((plan) => plan.startsWith("SCAN"))).toEqual([]);
  });

  it("is deleted with up to 2,000 a run, found by its age", async () => {
    await db.delete(enquiries);
    await db.run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2100)
      insert into enquiries (kind, status, name, email, title, fields, digest, created_at, updated_at)
      select 'message', 'new', 'A', 'a@example.com', 'T', '{}', i, 1000, 1000 from n`);
    await pruneEnquiries(jobContext());
    expect(await db.$count(enquiries)).toBe(100);
    await pruneEnquiries(jobContext());
    expect(await db.$count(enquiries)).toBe(0);
    const plans = await plansOf((ctx) => pruneEnquiries(ctx));
    expect(plans).toContainEqual(expect.stringContaining("enquiries_by_age"));
    expect(plans.filter((plan) => plan.startsWith("SCAN"))).toEqual([]);
  });
});

describe("a comment", () => {
  const old = new Date("2025-06-30T12:00:00Z");
  const statusesLeft = async () => new Set((await db.select().from(comments)).map(({ status }) => status));

  it("that is not shown is deleted after its months; a shown one is kept", async () => {
    await db.delete(comments);
    for (const status of commentStatuses) {
      await aComment({ status, createdAt: old, updatedAt: new Date("2026-06-30T12:00:00Z") });
    }
    await pruneComments(at("2026-06-30T11:59:00Z"));
    expect(await statusesLeft()).toEqual(new Set(commentStatuses));
    await pruneComments(at("2026-06-30T12:01:00Z"));
    expect(await statusesLeft()).toEqual(new Set<CommentStatus>(["approved", "spam"]));
  });

  it("that is spam is deleted 30 days after it was marked, whatever the settings", async () => {
    await db.delete(comments);
    await keep({ enquiries: null, comments: null });
    for (const status of commentStatuses) await aComment({ status, createdAt: old, updatedAt: old });
    await pruneComments(at("2025-07-30T11:59:00Z"));
    expect(await statusesLeft()).toEqual(new Set(commentStatuses));
    await pruneComments(at("2025-07-30T12:01:00Z"));
    expect(await statusesLeft()).toEqual(new Set(commentStatuses.filter((status) => status !== "spam")));
  });

  it("is kept for ever if the owner chooses so", async () => {
    await db.delete(comments);
    await aComment({ status: "rejected", createdAt: new Date("1999-01-01") });
    await keep({ enquiries: null, comments: null });
    await pruneComments(jobContext());
    expect(await statusesLeft()).toEqual(new Set(["rejected"]));
  });

  it("is deleted with up to 500 of its status a run, found by an index", async () => {
    await db.delete(comments);
    await db.run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 700)
      insert into comments (content_type, content_id, name, email, text, status, created_at, updated_at)
      select 'article', 1, 'A', 'a@example.com', 'T', 'spam', 1000, 1000 from n`);
    await pruneComments(jobContext());
    expect(await db.$count(comments)).toBe(200);
    await pruneComments(jobContext());
    expect(await db.$count(comments)).toBe(0);
    const plans = await plansOf((ctx) => pruneComments(ctx));
    expect(plans.filter((plan) => plan.includes("comments_by_status"))).toHaveLength(4);
    expect(plans.filter((plan) => /^SCAN (?!\(subquery)/.test(plan))).toEqual([]);
  });
});

test("the day's run takes both", async () => {
  await db.delete(comments);
  const id = await anEnquiry({ createdAt: new Date("1999-01-01") });
  await aComment({ status: "pending", createdAt: new Date("1999-01-01") });
  const execution = createExecutionContext();
  const scheduledTime = new Date("2026-11-25T03:17:00Z").getTime();
  await tick({ cron: "17 3 * * *", scheduledTime, noRetry() {} } as ScheduledController, env, execution);
  await waitOnExecutionContext(execution);
  expect(await db.select().from(enquiries).where(eq(enquiries.id, id))).toEqual([]);
  expect(await db.$count(comments)).toBe(0);
});
