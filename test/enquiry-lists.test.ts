import { env } from "cloudflare:workers";
import Papa from "papaparse";
import { beforeAll, describe, expect, test } from "vitest";
import { securityEvents } from "#worker/accounts/table.ts";
import { listAllComments } from "#worker/comments/owner-queries.ts";
import type { EnquiryKind } from "#worker/enquiries/contract.ts";
import type { EnquiryListQuery } from "#worker/enquiries/owner/contract.ts";
import { exportEnquiries } from "#worker/enquiries/owner/export.ts";
import { listEnquiries, readEnquiryCounts } from "#worker/enquiries/owner/queries.ts";
import { createContext } from "#worker/platform/context.ts";
import { jobContext, ownerContext, signedIn } from "./support/client.ts";
import { asPlainCell, hostileTexts } from "./support/hostile.ts";
import { savedEnquiry } from "./support/enquiries.ts";

const ROWS = 10_000;

/**
 * Of each ten applications seven are spam; of the others most are pending, the newest approved, and few rejected. There
 * are as many messages, as many bookings of which most are done, and 50,000 pending comments.
 */
beforeAll(async () => {
  await env.DB.batch([
    env.DB.prepare("delete from enquiries"),
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      insert into enquiries (kind, status, name, email, title, fields, digest, confirmed_at, is_spam, created_at, updated_at)
      select 'application', case when i > 9000 then 'approved' when i % 1000 = 8 then 'rejected' else 'pending' end,
        iif(i % 500 = 8, '王伟', iif(i = 77, 'Zoë 100%_"x"', 'Guest ' || i)), 'guest' || i || '@example.com',
        'Topic ' || i, '{"linkedinProfile":"https://example.com/","topic":"T","position":"P"}', 'd' || i,
        iif(i % 997 = 0, null, i), i % 10 < 7 and i < 9900, i, i from n`,
    ),
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      insert into enquiries (kind, status, name, email, title, fields, digest, confirmed_at, created_at, updated_at)
      select 'message', 'new', 'Guest ' || i, 'guest' || i || '@example.com', 'Subject', '{}', 'm' || i, i, i, i from n`,
    ),
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
      insert into enquiries (kind, status, name, email, title, fields, digest, confirmed_at, is_spam, created_at, updated_at)
      select 'booking', case when i % 100 = 0 then 'new' when i % 1000 = 7 then 'read' else 'done' end, 'Guest ' || i,
        'guest' || i || '@example.com', 'Fair ' || i,
        '{"organization":"O","eventName":"F","eventDate":"","engagementType":"panel","honorarium":"paid"}', 'b' || i, iif(i % 997 = 0, null, i), i % 10 = 3, i, i
      from n`,
    ),
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000)
      insert into comments (content_type, content_id, name, email, text, status, created_at, updated_at)
      select 'article', 1, 'A', 'a@example.com', 'Words', 'pending', i, i from n`,
    ),
    // The background indexing, which these rows would get within minutes, is not needed here.
    env.DB.prepare("delete from search_pending"),
  ]);
});

/** A context of the owner that counts the rows that D1 reads. */
const counting = () => createContext(env, { actor: ownerContext().actor, reads: { since: null } });

const queries: EnquiryListQuery[] = [
  {},
  { box: "pending" },
  { box: "approved" },
  { box: "rejected" },
  { box: "spam" },
  { box: "unconfirmed" },
  { q: "guest" },
  { q: "guest7" },
  { q: "topic 12", box: "pending" },
  { q: "guest", box: "rejected" },
  { q: "zzzz" },
  { q: "王伟" },
  { q: "zz" },
];

/** Reads the first three pages of a list. */
async function expectFewReads(kind: EnquiryKind, query: EnquiryListQuery) {
  let before: string | undefined;
  for (let page = 0; page < 3; page++) {
    const ctx = counting();
    // The counts beside the tabs are part of each page.
    await readEnquiryCounts(ctx);
    const { items, next } = await listEnquiries(ctx, kind, { ...query, before });
    expect(ctx.d1.statements).toBe(query.q !== undefined && query.q.length >= 3 ? 3 : 2);
    expect(ctx.d1.rowsRead, `page ${page}`).toBeLessThanOrEqual(200);
    expect(items.length).toBeLessThanOrEqual(30);
    if (next === null) return;
    before = next;
  }
}

const ofAnyKind: EnquiryListQuery[] = [
  {},
  { box: "new" },
  { box: "read" },
  { box: "done" },
  { box: "spam" },
  { box: "unconfirmed" },
  { q: "guest" },
  { q: "guest77", box: "new" },
  { q: "fair 12", box: "read" },
  { q: "zzzz" },
  { q: "zz" },
];

describe.each(["message", "booking"] as const)("the page of 10,000 enquiries: %s", (kind) => {
  test.each(ofAnyKind)("%j is listed with all counts in 3 statements and 200 rows at most", (query) =>
    expectFewReads(kind, query),
  );
});

describe("the page of 10,000 applications", () => {
  test.each(queries)("%j is listed with all counts in 3 statements and 200 rows at most", (query) =>
    expectFewReads("application", query),
  );

  test("has exact counts, including comments", async () => {
    const { results } = await env.DB.prepare(
      "select kind, box, count(*) as count from enquiries group by kind, box",
    ).all<{ kind: "application" | "message"; box: "pending"; count: number }>();
    const counts = await readEnquiryCounts(ownerContext());
    expect(results.length).toBeGreaterThan(5);
    for (const { kind, box, count } of results) expect(counts[kind][box], `${kind} ${box}`).toBe(count);
    expect(counts.comments).toBe(50_000);
  });
});

test.each([{}, { box: "spam" }, { email: "a@example.com" }, { email: "nobody@example.com" }] as const)(
  "the page of 50,000 comments, %j, is listed with all counts of the tabs in 3 statements and 200 rows at most",
  async (query) => {
    let before: string | undefined;
    for (let page = 0; page < 3; page++) {
      const ctx = counting();
      await readEnquiryCounts(ctx);
      const { items, next } = await listAllComments(ctx, { ...query, before });
      expect(ctx.d1.statements).toBeLessThanOrEqual(3);
      expect(ctx.d1.rowsRead, `page ${page}`).toBeLessThanOrEqual(200);
      expect(items.length).toBeLessThanOrEqual(30);
      if (next === null) return;
      before = next;
    }
  },
);

/** All pages of a list. */
async function allOf(query: EnquiryListQuery) {
  const found = [];
  let before: string | undefined;
  for (let page = 0; page < 500; page++) {
    const { items, next } = await listEnquiries(ownerContext(), "application", { ...query, before });
    found.push(...items);
    if (next === null) return found;
    before = next;
  }
  throw new Error("The list does not end.");
}

describe("the list", () => {
  test("shows the newest first, without spam and unconfirmed enquiries unless they are requested", async () => {
    const all = await allOf({});
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
    );
    expect(new Set(all.map(({ box }) => box))).toEqual(new Set(["pending", "approved", "rejected"]));
    expect(new Set((await allOf({ box: "spam" })).map(({ box }) => box))).toEqual(new Set(["spam"]));
    expect(await allOf({ box: "unconfirmed" })).toHaveLength(10);
  });

  test.each([
    ["a part of the address", { q: "guest9777@" }, [9777]],
    ["a part of the topic, in any case", { q: "TOPIC 9777" }, [9777]],
    ["letters without their marks", { q: "zoe 100" }, [77]],
    ["what FTS would read as syntax", { q: '%_"x"' }, [77]],
    ["a name of two characters, among the latest", { q: "王伟", box: "approved" as const }, [9508, 9008]],
    ["nothing of another box", { q: "guest9777@", box: "spam" as const }, []],
    ["nothing of another kind", { q: "Subject" }, []],
  ])("finds %s", async (_what, query, times) => {
    expect((await allOf({ ...query })).map(({ createdAt }) => createdAt)).toEqual(times);
  });

  test("refuses an invalid cursor", async () => {
    for (const query of [{}, { q: "guest" }]) {
      await expect(
        listEnquiries(ownerContext(), "application", { ...query, before: "x" }),
      ).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

describe("the export", () => {
  const exported = async (kind: "application" | "booking" | "message") =>
    new Response(await exportEnquiries(ownerContext(), kind)).text();

  test("contains all of a kind in columns of its own, and is a security event", async () => {
    const { data } = Papa.parse<Record<string, string>>(await exported("application"), {
      header: true,
      skipEmptyLines: true,
    });
    expect(data).toHaveLength(ROWS);
    expect(data[0]).toEqual({
      name: "Guest 1",
      email: "guest1@example.com",
      status: "spam",
      linkedin_profile: "https://example.com/",
      topic: "T",
      position: "P",
      notes: "",
      sent_at: new Date(1).toISOString(),
      updated_at: new Date(1).toISOString(),
    });
    expect(await jobContext().db.select().from(securityEvents)).toMatchObject([
      { kind: "enquiries_exported", email: "owner@example.com", detail: "application" },
    ]);
  });

  test("contains no formulas and no invisible characters", async () => {
    await savedEnquiry("booking", {
      name: '=HYPERLINK("http://evil.example","x")',
      email: "+1@example.com",
      fields: {
        organization: " =1+1",
        eventName: "＝SUM(A1)",
        additionalInfo: "line\n=cmd|' /C calc'!A0",
        engagementType: "panel",
      } as never,
      notes: "@x \u202etxt.exe\u0000",
    });
    const text = await exported("booking");
    const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
    expect(data.at(-1)).toMatchObject({
      name: '\'=HYPERLINK("http://evil.example","x")',
      email: "'+1@example.com",
      organization: "' =1+1",
      event_name: "'＝SUM(A1)",
      additional_info: "line\n'=cmd|' /C calc'!A0",
      notes: "'@x \ufffdtxt.exe\ufffd",
    });
    expect(text).toContain(`"line\n'=cmd`);
  });

  test("contains each hostile text in one cell of its row, and not as a formula", async () => {
    const texts = hostileTexts("alert");
    for (const text of texts) {
      await savedEnquiry("message", {
        name: text,
        notes: text,
        fields: { subject: text, message: text } as never,
      });
    }
    const csv = await exported("message");
    expect(csv).not.toMatch(/[\u202a-\u202e\u2066-\u2069\0]/);
    const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
    const rows = data.slice(-texts.length);
    for (const [index, text] of texts.entries()) {
      const { name, subject, message, notes } = rows[index]!;
      expect([name, subject, message, notes]).toEqual(Array.from({ length: 4 }, () => asPlainCell(text)));
    }
  });

  test("is a file named by date, and forbidden to editors", async () => {
    const admin = await signedIn("admin");
    const answer = await admin.api["speaking-bookings"].export.$get();
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="speaking-bookings-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    await answer.text();
    const editor = await signedIn("editor");
    expect((await editor.api["speaking-bookings"].export.$get()).status).toBe(403);
  });
});
