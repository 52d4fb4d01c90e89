import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { subscriberStates } from "#worker/newsletter/contract.ts";
import { ApiError } from "../../src/api.ts";
import {
  dateOf,
  guessMapping,
  isHeader,
  readRow,
  sourceOf,
  statusOf,
} from "../../src/admin/newsletter/subscribers-import/columns.ts";
import { encodingOf, NotText, textOf } from "../../src/admin/imports/file-text.ts";
import { inspect } from "../../src/admin/newsletter/subscribers-import/inspect.ts";
import {
  guessDelimiter,
  recordsOf,
  type FileRecord,
} from "../../src/admin/newsletter/subscribers-import/records.ts";
import { Report } from "../../src/admin/newsletter/subscribers-import/report.ts";
import { sendUntilAnswered } from "../../src/admin/imports/retry.ts";
import { runImport, type ImportPlan, type Send } from "../../src/admin/newsletter/subscribers-import/run.ts";

const utf16 = (text: string, isLittle: boolean, mark: boolean) => {
  const bytes = Buffer.from((mark ? "\ufeff" : "") + text, "utf16le");
  return new Blob([isLittle ? bytes : bytes.swap16()]);
};

const textIn = async (file: Blob) => {
  let text = "";
  for await (const part of textOf(file, await encodingOf(file))) text += part.text;
  return text;
};

describe("the encoding of a file", () => {
  const text = "email,name\njürgen@example.com,Jürgen Müller\n";
  test.each([
    ["utf-8", new Blob([text])],
    ["utf-8", new Blob(["\ufeff", text])],
    ["utf-16le", utf16(text, true, true)],
    ["utf-16be", utf16(text, false, true)],
    ["utf-16le", utf16(text, true, false)],
    ["utf-16be", utf16(text, false, false)],
    ["windows-1252", new Blob([Buffer.from(text, "latin1")])],
  ])("is found: %s", async (encoding, file) => {
    assert.equal(await encodingOf(file), encoding);
    assert.equal(await textIn(file), text);
  });

  test("is that of the whole file: a letter of Latin-1 may come late", async () => {
    const file = new Blob(["a@example.com\n".repeat(50_000), Buffer.from("jürgen\n", "latin1")]);
    assert.equal(await encodingOf(file), "windows-1252");
  });

  test("is none for a spreadsheet or a picture", async () => {
    for (const bytes of [
      [0x50, 0x4b, 3, 4, 20, 0],
      [0xff, 0xd8, 0, 0, 1],
    ]) {
      await assert.rejects(encodingOf(new Blob([new Uint8Array(bytes)])), NotText);
    }
  });

  test("says in words what is no list", async () => {
    const errorOf = async (bytes: BlobPart) => {
      const found = await inspect(new File([bytes], "a.csv"));
      return "error" in found ? found.error : null;
    };
    assert.match((await errorOf(new Uint8Array([0x50, 0x4b, 3, 4]))) ?? "", /isn’t a CSV file/);
    assert.match((await errorOf("")) ?? "", /This file is empty/);
    assert.match((await errorOf("email,name\n")) ?? "", /nothing below its first line/);
    assert.equal(await errorOf("a@example.com"), null);
  });
});

/** The records of a text that comes in parts of so many characters. */
async function recordsIn(text: string, size = 1000) {
  async function* parts() {
    for (let at = 0; at < text.length; at += size) {
      yield { text: text.slice(at, at + size), bytes: Math.min(text.length, at + size) };
    }
  }
  const all: FileRecord[] = [];
  for await (const { records } of recordsOf(parts(), guessDelimiter(text.slice(0, 1000))))
    all.push(...records);
  return all;
}

describe("the records of a file", () => {
  const text =
    'email,name\r\n"a@x.com","A, B"\r\n"open,b@x.com\r\nc@x.com,"C"\r\n"d@x.com","two\r\nlines"\r\n\r\n' +
    'e@x.com,E "quoted" in\r\nf@x.com,"open';
  const records = [
    { line: 1, cells: ["email", "name"] },
    { line: 2, cells: ["a@x.com", "A, B"] },
    { line: 3, broken: '"open,b@x.com' },
    { line: 4, cells: ["c@x.com", "C"] },
    { line: 5, cells: ["d@x.com", "two\nlines"] },
    { line: 8, cells: ["e@x.com", 'E "quoted" in'] },
    { line: 9, broken: 'f@x.com,"open' },
  ];

  test("lose no more than the line whose quotation marks are broken, wherever the parts end", async () => {
    for (let size = 1; size <= text.length; size++) {
      assert.deepEqual(await recordsIn(text, size), records, `parts of ${size}`);
    }
  });

  test("are told apart by semicolons, tabs and old line breaks", async () => {
    assert.deepEqual(await recordsIn("email;name\ra@x.com;A\r"), [
      { line: 1, cells: ["email", "name"] },
      { line: 2, cells: ["a@x.com", "A"] },
    ]);
    assert.deepEqual(await recordsIn("email\tname\na@x.com\tA\n", 3), [
      { line: 1, cells: ["email", "name"] },
      { line: 2, cells: ["a@x.com", "A"] },
    ]);
  });

  test("leave out a line without an end, and go on behind it", async () => {
    const endless = `a@x.com,A\n${"x".repeat(500_000)}\nb@x.com,B\n`;
    const found = await recordsIn(endless, 10_000);
    assert.deepEqual(
      found.map((record) => ("cells" in record ? record.cells[0] : "broken")),
      ["a@x.com", "broken", "b@x.com"],
    );
    assert.deepEqual(
      found.map(({ line }) => line),
      [1, 2, 3],
    );
  });
});

const NOW = Date.UTC(2026, 10, 25);
const at = (...date: Parameters<typeof Date.UTC>) => Date.UTC(...date);

describe("the columns", () => {
  test.each([
    [
      "Mailchimp",
      "Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,TAGS",
      { email: 0, subscribedAt: 4, confirmedAt: 6, status: null, source: null },
    ],
    [
      "Mailchimp's unsubscribed",
      "Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME",
      { email: 0, subscribedAt: 2, confirmedAt: 3, status: 4, source: null },
    ],
    [
      "Mailchimp's cleaned",
      "Email Address,First Name,Last Name,Address,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID,LEID,EUID,NOTES,TAGS",
      { email: 0, subscribedAt: 5, confirmedAt: 7, status: 14, source: null },
    ],
    [
      "Buttondown",
      "email,notes,metadata,tags,referrer_url,creation_date,secondary_id,subscriber_type,source,unsubscription_date,unsubscription_reason",
      { email: 0, subscribedAt: 5, confirmedAt: null, status: 7, source: 8 },
    ],
    [
      "Buttondown's API",
      "id,email_address,creation_date,type,source,unsubscription_date",
      { email: 1, subscribedAt: 2, confirmedAt: null, status: 5, source: 4 },
    ],
    [
      "Substack",
      "email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at",
      { email: 0, subscribedAt: 5, confirmedAt: null, status: 4, source: null },
    ],
    [
      "beehiiv",
      "id,email,status,created_at,subscription_tier,utm_source,utm_medium",
      { email: 1, subscribedAt: 3, confirmedAt: null, status: 2, source: 5 },
    ],
    [
      "Kit",
      "id,first_name,email,status,created_at,tags",
      { email: 2, subscribedAt: 4, confirmedAt: null, status: 3, source: null },
    ],
    [
      "Ghost",
      "id,email,name,note,subscribed_to_emails,complimentary_plan,created_at",
      { email: 1, subscribedAt: 6, confirmedAt: null, status: 4, source: null },
    ],
    [
      "this site",
      "email,status,subscribed_at,confirmed_at,unsubscribed_at,paused_until,blocked_at,blocked_reason,source,consent",
      { email: 0, subscribedAt: 2, confirmedAt: 3, status: 1, source: 8 },
    ],
  ])("of %s are known by their headers", (_service, header, mapping) => {
    assert.deepEqual(guessMapping(header.split(","), []), mapping);
    assert.equal(isHeader(header.split(",")), true);
  });

  test.each([
    ["regular", 1],
    ["spammy", 1],
    ["unactivated", 1],
    ["html", 2],
    ["", 2],
  ])("take a type for the status where it is one, before a date: %j", (word, status) => {
    const header = ["email", "type", "unsubscription_date"];
    assert.equal(guessMapping(header, [["a@x.com", word, ""]]).status, status);
  });

  test("take a type for no status where it is none, and for one where nothing says so", () => {
    assert.equal(guessMapping(["email", "type"], [["a@x.com", "html"]]).status, null);
    assert.equal(guessMapping(["email", "type"], [["a@x.com", ""]]).status, 1);
    assert.equal(guessMapping(["email", "type", "status"], [["a@x.com", "regular", "active"]]).status, 2);
  });

  test("take a word for the status before a date that stands in front of it", () => {
    assert.equal(guessMapping(["email", "unsubscribed_at", "status"], []).status, 2);
  });

  test("are known by what stands in them where none is named", () => {
    const rows = [["Ada", "ada@example.com"]];
    assert.equal(isHeader(rows[0]!), false);
    assert.equal(guessMapping(["", ""], rows).email, 1);
    assert.equal(guessMapping(["Contact", "Reach at"], rows).email, 1);
  });

  test.each([
    ["Subscribed", "Status", "active"],
    ["validating", "status", "pending"],
    ["inactive", "status", "unsubscribed"],
    ["Cancelled", "state", "unsubscribed"],
    ["cleaned", "status", "bounced"],
    ["Marked as spam", "status", "complained"],
    ["", "status", "active"],
    ["true", "email_disabled", "unsubscribed"],
    ["false", "email_disabled", "active"],
    ["2024-05-06 10:00:00", "UNSUB_TIME", "unsubscribed"],
    ["", "UNSUB_TIME", "active"],
    ["2025-08-01T09:30:00Z", "unsubscription_date", "unsubscribed"],
    ["", "unsubscription_date", "active"],
    ["2025-08-01 09:30:00", "CLEAN_TIME", "bounced"],
    ["0000-00-00 00:00:00", "CLEAN_TIME", "active"],
    ["", "CLEAN_TIME", "active"],
    ["regular", "subscriber_type", "active"],
    ["gifted", "subscriber_type", "active"],
    ["past_due", "type", "active"],
    ["unactivated", "subscriber_type", "pending"],
    ["unsubscribed", "type", "unsubscribed"],
    ["removed", "type", "unsubscribed"],
    ["spammy", "type", "complained"],
    ["undeliverable", "type", "bounced"],
    ["false", "subscribed_to_emails", "unsubscribed"],
    ["true", "subscribed_to_emails", "active"],
    ["something", "status", undefined],
  ])("say of %j below %s: %s", (cell, header, status) => {
    assert.equal(statusOf(cell, header), status);
  });

  test.each([
    ["2024-05-06 15:42:19", at(2024, 4, 6, 15, 42, 19)],
    ["2024-05-06", at(2024, 4, 6)],
    ["2024/05/06", at(2024, 4, 6)],
    ["2024-05-06T15:42:19.123456Z", at(2024, 4, 6, 15, 42, 19, 123)],
    ["2024-05-06 15:42:19 UTC", at(2024, 4, 6, 15, 42, 19)],
    ["2024-05-06T15:42:19+0200", at(2024, 4, 6, 13, 42, 19)],
    ["", null],
    ["5/6/2024", undefined],
    ["2024-13-40", undefined],
    ["2031-01-01", undefined],
    ["yesterday", undefined],
  ])("have the date %j", (cell, date) => {
    assert.equal(dateOf(cell, NOW), date);
  });

  test.each([
    ["Google Ads (2024)", "google-ads-2024"],
    ["2024 fair", "fair"],
    ["  ", null],
    ["日本", null],
  ])("make of the source %j a word: %s", (cell, source) => assert.equal(sourceOf(cell), source));

  test("make a row, which says so where its date was not read", () => {
    const mapping = { email: 0, subscribedAt: 1, confirmedAt: null, status: 2, source: null };
    assert.deepEqual(readRow([" A@x.com ", "6.5.2024", "active"], 7, mapping, [], NOW), {
      row: {
        line: 7,
        email: "A@x.com",
        status: "active",
        source: null,
        subscribedAt: null,
        confirmedAt: null,
      },
      isDateUnread: true,
    });
    assert.deepEqual(readRow(["a@x.com", "", "mystery"], 7, mapping, [], NOW), { unknownStatus: "mystery" });
    assert.equal("row" in readRow(["a@x.com"], 7, mapping, [], NOW), true);
  });
});

describe("a file of another service", () => {
  /** The address and the status of each line, as an import of the file reads it. */
  async function statusesIn(text: string) {
    const found = await inspect(new File([text], "list.csv"));
    if ("error" in found) throw new Error(found.error);
    const records = await recordsIn(text);
    return records.slice(1).map((record) => {
      const read = "cells" in record && readRow(record.cells, record.line, found.mapping, found.first, NOW);
      return read && "row" in read ? [read.row.email, read.row.status] : null;
    });
  }

  test("of Mailchimp's cleaned addresses makes nobody active", async () => {
    const text =
      `"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID,LEID,EUID,NOTES,TAGS\n` +
      `ada@example.com,Ada,Oakleigh,2,"2023-03-01 09:00:00",,"2023-03-01 09:05:00",192.0.2.31,1,2,Europe/Berlin,de,be,"2024-03-04 10:00:00","Rents, explained",a1b2c3d4e5,512345678,9f8e7d6c5b,,"""fair"""\n` +
      `ben@example.com,,,2,,,"2022-11-09 17:40:12",192.0.2.32,,,,,,"2023-01-20 06:00:31","January",f6e5d4c3b2,512345679,1a2b3c4d5e,,\n`;
    assert.deepEqual(await statusesIn(text), [
      ["ada@example.com", "bounced"],
      ["ben@example.com", "bounced"],
    ]);
  });

  test("of Mailchimp's unsubscribed addresses makes nobody active", async () => {
    const text =
      `"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER,LEID,EUID,NOTES,TAGS\n` +
      `ada@example.com,Ada,Oakleigh,2,"2023-03-01 09:00:00","2023-03-01 09:05:00","2024-02-03 10:00:00",January,a1b2c3d4e5,"NORMAL (No longer interested)",,512345678,9f8e7d6c5b,,\n`;
    assert.deepEqual(await statusesIn(text), [["ada@example.com", "unsubscribed"]]);
  });

  test("of Buttondown tells who left, never confirmed or was shut out", async () => {
    const text =
      "email,notes,metadata,tags,referrer_url,creation_date,secondary_id,subscriber_type,source,unsubscription_date,unsubscription_reason\n" +
      "ada@example.com,,{},,,2024-05-06T15:42:19.123456Z,1,regular,embedded_form,,\n" +
      "ben@example.com,,{},,,2024-05-06T15:42:19.123456Z,2,unsubscribed,embedded_form,2025-01-02T08:00:00Z,\n" +
      "cem@example.com,,{},,,2024-05-06T15:42:19.123456Z,3,unactivated,api,,\n" +
      "dag@example.com,,{},,,2024-05-06T15:42:19.123456Z,4,spammy,api,,\n";
    const statuses = [
      ["ada@example.com", "active"],
      ["ben@example.com", "unsubscribed"],
      ["cem@example.com", "pending"],
      ["dag@example.com", "complained"],
    ];
    assert.deepEqual(await statusesIn(text), statuses);
    assert.deepEqual(await statusesIn(text.replace("subscriber_type", "type")), statuses);
  });

  test("that says only when somebody left makes those active who did not", async () => {
    const text = "email,unsubscription_date\nada@example.com,\nben@example.com,2025-01-02T08:00:00Z\n";
    assert.deepEqual(await statusesIn(text), [
      ["ada@example.com", "active"],
      ["ben@example.com", "unsubscribed"],
    ]);
  });
});

const plan = (file: Blob, more: Partial<ImportPlan> = {}): ImportPlan => ({
  file,
  encoding: "utf-8",
  delimiter: ",",
  header: ["email"],
  hasHeader: true,
  mapping: { email: 0, subscribedAt: null, confirmedAt: null, status: null, source: null },
  about: {
    importId: "3f1f1b0a-0000-4000-8000-000000000000",
    fileName: "a.csv",
    source: "import",
    consent: "Words",
    isConfirmed: true,
  },
  ...more,
});

/** A server that knows each address once. */
function server() {
  const known = new Map<string, number>();
  const requests: number[] = [];
  const send: Send = async ({ rows }) => {
    requests.push(rows.length);
    return {
      items: rows.map(({ line, email }) => {
        const first = known.get(email) ?? line;
        known.set(email, first);
        return {
          line,
          outcome: first === line ? { kind: "added", state: "confirmed" } : { kind: "double" },
        };
      }),
    };
  };
  return { send, requests, known };
}

const quiet = () => ({ onProgress: () => {}, signal: new AbortController().signal });

describe("an import", () => {
  test("sends 500 rows at most at a time, and reports each line", async () => {
    const { send, requests } = server();
    const rows = Array.from({ length: 1200 }, (_, index) => `reader${index}@example.com`);
    const file = new Blob([`email\n${rows.join("\n")}\n"broken,x@example.com\nlast@example.com,"A"\n`]);
    const report = await runImport(plan(file), { send, ...quiet() });
    assert.deepEqual(requests, [500, 500, 201]);
    assert.equal(report.counts.confirmed, 1201);
    assert.equal(report.counts.invalid, 1);
    assert.deepEqual(report.inOrder(), [
      { line: 1202, text: '"broken,x@example.com', what: "This line has an unmatched quotation mark." },
    ]);
  });

  test("reports 10,000 doubles, each by its line", async () => {
    const { send } = server();
    const file = new Blob([`email\n${"same@example.com\n".repeat(10_001)}`]);
    const report = await runImport(plan(file), { send, ...quiet() });
    assert.equal(report.counts.confirmed, 1);
    assert.equal(report.counts.double, 10_000);
    assert.equal(report.inOrder().length, 10_000);
    assert.deepEqual(report.inOrder()[0], {
      line: 3,
      text: "same@example.com",
      what: "An earlier line has the same address.",
    });
    assert.equal(report.toCsv().split("\r\n").length, 10_002);
  });

  test("stops where it is cancelled, and has what was done until then", async () => {
    const { send, requests } = server();
    const control = new AbortController();
    const file = new Blob(["email\n", "reader@example.com\n".repeat(5000)]);
    const report = await runImport(plan(file), {
      signal: control.signal,
      onProgress: () => {},
      send: async (input) => {
        const answer = await send(input);
        control.abort();
        return answer;
      },
    });
    assert.deepEqual(requests, [500]);
    assert.equal(report.counts.lines, 500);
  });

  test("reads 200 MB without holding them", async () => {
    const row = `${"reader".repeat(4)}@example.com,${"x".repeat(150)}\n`;
    const part = new TextEncoder().encode(row.repeat(5000));
    const parts = Math.ceil((200 * 1024 * 1024) / part.byteLength);
    let given = 0;
    const file = {
      size: parts * part.byteLength,
      stream: () =>
        new ReadableStream<Uint8Array<ArrayBuffer>>({
          pull(controller) {
            if (given++ < parts) controller.enqueue(part);
            else controller.close();
          },
        }),
    } as Blob;
    let rows = 0;
    let most = 0;
    const before = process.memoryUsage().heapUsed;
    const report = await runImport(plan(file, { hasHeader: false }), {
      ...quiet(),
      send: async ({ rows: sent }) => {
        rows += sent.length;
        if (rows % 100_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed - before);
        return { items: sent.map(({ line }) => ({ line, outcome: { kind: "added", state: "pending" } })) };
      },
    });
    assert.equal(rows, parts * 5000);
    assert.equal(report.counts.pending, rows);
    assert.ok(most < 150 * 1024 * 1024, `${Math.round(most / 1e6)} MB`);
  });

  test("counts those who were here by what they are", () => {
    const report = new Report();
    for (const [index, state] of subscriberStates.entries()) {
      report.addResult({ line: index + 1, outcome: { kind: "known", state } }, "reader@example.com");
    }
    const { known, unconfirmed, left, pending } = report.counts;
    assert.deepEqual(
      { known, unconfirmed, left, pending },
      { known: 1, unconfirmed: 1, left: 3, pending: 0 },
    );
  });

  test("names 50,000 problems at most, and counts the others", () => {
    const report = new Report();
    for (let line = 1; line <= 50_010; line++) report.addInvalid(line, "", "");
    assert.deepEqual([report.inOrder().length, report.unnamed, report.counts.invalid], [50_000, 10, 50_010]);
  });

  test("writes no formula into its report", () => {
    const report = new Report();
    report.addInvalid(1, "=cmd|' /C calc'!A0", "No.");
    report.addInvalid(2, "=1+1\nin two lines", "No.");
    report.addInvalid(3, " ＝SUM(A1)", "No.");
    const csv = report.toCsv();
    for (const cell of ["'=cmd", "'=1+1\nin", "' ＝SUM"]) assert.ok(csv.includes(cell), cell);
  });
});

describe("a lost connection", () => {
  const error = (status: number) => new ApiError(status, { code: "internal", message: "No" });

  test("is waited out, and said", async () => {
    const told: (string | null)[] = [];
    const waits: number[] = [];
    const failures = [new TypeError("Failed to fetch"), error(401), error(503), error(429)];
    const answer = await sendUntilAnswered(
      () => {
        const failure = failures.shift();
        return failure ? Promise.reject(failure) : Promise.resolve("answered");
      },
      {
        signal: new AbortController().signal,
        onWaiting: (reason) => told.push(reason),
        wait: async (milliseconds) => void waits.push(milliseconds),
      },
    );
    assert.equal(answer, "answered");
    assert.deepEqual(waits, [1000, 2000, 4000, 8000]);
    assert.match(told[0] ?? "", /connection was lost/);
    assert.match(told[1] ?? "", /Sign in in another tab/);
    assert.equal(told.at(-1), null);
  });

  test("is no reason to go on once it is cancelled, nor is an answer that will not change", async () => {
    const control = new AbortController();
    const waiting = sendUntilAnswered(() => Promise.reject(new TypeError("Failed to fetch")), {
      signal: control.signal,
      onWaiting: () => control.abort(),
      wait: () => new Promise(() => {}),
    });
    await assert.rejects(waiting, { name: "AbortError" });
    const options = { signal: new AbortController().signal, onWaiting: () => {} };
    await assert.rejects(
      sendUntilAnswered(() => Promise.reject(error(422)), options),
      ApiError,
    );
  });
});
