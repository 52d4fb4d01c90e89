import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { dayWithVisitors, firstLimit, planTable, type Costs, type Measured } from "../../bench/plan-table.ts";
import { root } from "../../scripts/tools.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the table of docs/deploy.md is that of the stored measurement", () => {
  const measured = JSON.parse(read("bench/plan.json")) as Measured;
  assert.ok(
    read("docs/deploy.md").includes(`<!-- plan -->\n\n${planTable(measured)}\n\n<!-- end of plan -->`),
  );
});

describe("a day with visitors", () => {
  const nothing: Costs = { rowsRead: 0, rowsWritten: 0, roundTrips: 0, messages: 0, kvWrites: 0 };
  const measured: Measured = {
    rendered: { ...nothing, rowsRead: 100 },
    cached: { ...nothing, rowsRead: 1 },
    beacon: { ...nothing, rowsRead: 10, rowsWritten: 8, messages: 1 },
    tick: { ...nothing, rowsRead: 50 },
    night: { ...nothing, rowsWritten: 4 },
    signUp: nothing,
    letter: nothing,
  };

  test("is the sum of its ticks, its pages and what readers report of them", () => {
    assert.deepEqual(dayWithVisitors(measured, 100), {
      // 1,440 ticks and one at night; 200 pages, with 3.5 others, a report and its message on each.
      requests: 1441 + 200 * (1 + 3.5 + 1 + 1),
      rowsRead: 1440 * 50 + 20 * 100 + 200 * 1 + 200 * 10,
      rowsWritten: 4 + 200 * 8,
      queueOperations: 200 * 3,
      kvWrites: 0,
    });
  });

  test("first uses up the amount of which it takes the largest share", () => {
    assert.deepEqual(firstLimit(dayWithVisitors(measured, 10_000)), { name: "queueOperations", share: 6 });
  });
});
