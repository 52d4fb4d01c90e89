import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, test } from "vitest";
import { subscriberStates } from "#worker/newsletter/contract.ts";
import { ApiError } from "../../src/api.ts";
import { sendUntilAnswered } from "../../src/admin/moving-in/retry.ts";
import { NO_ANSWERS } from "../../src/admin/moving-in/subscribers/columns.ts";
import { Report } from "../../src/admin/moving-in/subscribers/report.ts";
import { runImport, type ImportPlan, type Send } from "../../src/admin/moving-in/subscribers/run.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Reachable bytes: when garbage is collected depends on the machine. */
function usedHeap() {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** An import plan for a list, without a survey. */
const plan = (file: Blob, facts = { header: ["email"], headerLine: 1 }): ImportPlan => ({
  list: {
    file: Object.assign(file, { name: "a.csv" }) as File,
    encoding: "utf-8",
    delimiter: ",",
    rows: [],
    ...facts,
  },
  survey: {
    layout: {
      byName: new Map(),
      nameOf: () => "",
      mapping: { email: 0, subscribedAt: null, confirmedAt: null, source: null },
      roles: [{ reads: "nothing" }],
      changedAt: null,
      known: null,
      isOfMembers: false,
      saysWhoLeft: true,
    },
    chosen: new Map(),
    cutLine: null,
    otherMentions: { keys: new Set() },
  } as unknown as ImportPlan["survey"],
  answers: NO_ANSWERS,
  about: {
    importId: "3f1f1b0a-0000-4000-8000-000000000000",
    fileName: "a.csv",
    source: "import",
    consent: "Words",
    isConfirmed: true,
  },
});

/** A server that adds each address once. */
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

describe("a subscriber import", () => {
  test("sends at most 500 rows at a time, and reports each line", async () => {
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

  test("reports 10,000 duplicates, each by its line", async () => {
    const { send } = server();
    const file = new Blob([`email\n${"same@example.com\n".repeat(10_001)}`]);
    const report = await runImport(plan(file), { send, ...quiet() });
    assert.equal(report.counts.confirmed, 1);
    assert.equal(report.counts.double, 10_000);
    assert.equal(report.inOrder().length, 10_000);
    assert.deepEqual(report.inOrder()[0], {
      line: 3,
      text: "same@example.com",
      what: "Another line has the same address.",
    });
    assert.equal(report.toCsv().split("\r\n").length, 10_002);
  });

  test("stops when it is cancelled, with a report until then", async () => {
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

  test("reads 60 MB without holding them in memory", async () => {
    const row = `${"reader".repeat(4)}@example.com,${"x".repeat(150)}\n`;
    const part = new TextEncoder().encode(row.repeat(5000));
    const parts = Math.ceil((60 * 1024 * 1024) / part.byteLength);
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
    const before = usedHeap();
    const report = await runImport(plan(file, { header: [], headerLine: 0 }), {
      ...quiet(),
      send: async ({ rows: sent }) => {
        rows += sent.length;
        if (rows % 100_000 === 0) most = Math.max(most, usedHeap() - before);
        return { items: sent.map(({ line }) => ({ line, outcome: { kind: "added", state: "pending" } })) };
      },
    });
    assert.equal(rows, parts * 5000);
    assert.equal(report.counts.pending, rows);
    assert.ok(most < 40 * 1024 * 1024, `${Math.round(most / 1e6)} MB`);
  });

  test("counts existing subscribers by status", () => {
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

  test("lists at most 50,000 problems, and counts the others", () => {
    const report = new Report();
    for (let line = 1; line <= 50_010; line++) report.addInvalid(line, "", "");
    assert.deepEqual([report.inOrder().length, report.unnamed, report.counts.invalid], [50_000, 10, 50_010]);
  });

  test("has no formula in its report", () => {
    const report = new Report();
    report.addInvalid(1, "=cmd|' /C calc'!A0", "No.");
    report.addInvalid(2, "=1+1\nin two lines", "No.");
    report.addInvalid(3, " ＝SUM(A1)", "No.");
    report.addInvalid(4, "a;=2+2\n=3+3\t=4+4", "No.");
    const csv = report.toCsv();
    for (const cell of ["'=cmd", "'=1+1\nin", "' ＝SUM", ";'=2+2", "\n'=3+3", "\t'=4+4"])
      assert.ok(csv.includes(cell), cell);
  });
});

describe("a lost connection during an import", () => {
  const error = (status: number) => new ApiError(status, { code: "internal", message: "No" });

  test("is waited for, and shown", async () => {
    const reasons: (string | null)[] = [];
    const waits: number[] = [];
    const failures = [new TypeError("Failed to fetch"), error(401), error(503), error(429)];
    const answer = await sendUntilAnswered(
      () => {
        const failure = failures.shift();
        return failure ? Promise.reject(failure) : Promise.resolve("answered");
      },
      {
        signal: new AbortController().signal,
        onWaiting: (reason) => reasons.push(reason),
        wait: async (milliseconds) => void waits.push(milliseconds),
      },
    );
    assert.equal(answer, "answered");
    assert.deepEqual(waits, [1000, 2000, 4000, 8000]);
    assert.match(reasons[0] ?? "", /connection was lost/);
    assert.match(reasons[1] ?? "", /Sign in in another tab/);
    assert.equal(reasons.at(-1), null);
  });

  test("says that the day’s limit is reached, and asks again within an hour", async () => {
    const reasons: (string | null)[] = [];
    const waits: number[] = [];
    const body = { code: "unavailable", message: "This site has reached its limit for today." } as const;
    let asked = 0;
    const send = () =>
      asked++ === 0 ? Promise.reject(new ApiError(503, body, 7200)) : Promise.resolve(null);
    await sendUntilAnswered(send, {
      signal: new AbortController().signal,
      onWaiting: (reason) => reasons.push(reason),
      wait: async (milliseconds) => void waits.push(milliseconds),
    });
    assert.deepEqual(reasons, [
      "The site has reached its limit for today. The import continues after midnight UTC.",
      null,
    ]);
    assert.deepEqual(waits, [3_600_000]);
  });

  test("does not wait for a database that is full", async () => {
    const body = { code: "full", message: "This site’s database is full, so this didn’t work." } as const;
    let asked = 0;
    const sending = sendUntilAnswered(() => Promise.reject(new ApiError(asked++ < 3 ? 507 : 422, body)), {
      signal: new AbortController().signal,
      onWaiting: () => {},
      wait: async () => {},
    });
    await assert.rejects(sending, { message: body.message });
    assert.equal(asked, 1);
  });

  test("is not waited for once the import is cancelled, nor is an error that would not change", async () => {
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
