import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { exceptions } from "../../scripts/audit-exceptions.ts";
import { DAYS_TO_FIX, judgeAudit, readAudit, type Exception } from "../../scripts/audit-report.ts";
import { root } from "../../scripts/tools.ts";

/** What npm 11.19.1 printed: for a tree with weaknesses, one without, and two registries that gave no answer. */
const recorded = (name: string) => readFileSync(join(root, "test/fixtures/audit", `${name}.json`), "utf8");

function reportOf(name: string) {
  const audit = readAudit(recorded(name));
  assert.ok(!("unreachable" in audit));
  return audit;
}

const TODAY = "2026-11-30";
const MODERATE = "GHSA-vh95-rmgr-6w4m";
const CRITICAL = "GHSA-xvch-5gv4-984h";
const exception = (advisory: string, others: Partial<Exception> = {}): Exception => ({
  advisory,
  package: "minimist",
  reason: "A test.",
  since: "2026-11-25",
  until: "2026-12-05",
  ...others,
});
const judged = (...entries: Exception[]) => judgeAudit(reportOf("found"), entries, TODAY);

describe("the audit of the shipped packages", () => {
  test("accepts a tree without known weaknesses", () => {
    assert.deepEqual(judgeAudit(reportOf("none"), [], TODAY), []);
  });

  test("refuses each advisory once, and not the packages that only depend on one that has it", () => {
    assert.deepEqual(judged(), [
      `minimist: Prototype Pollution in minimist (moderate, https://github.com/advisories/${MODERATE}). Update the package, or add a dated exception.`,
      `minimist: Prototype Pollution in minimist (critical, https://github.com/advisories/${CRITICAL}). Update the package, or add a dated exception.`,
    ]);
  });

  test("accepts an advisory with an exception until its last day", () => {
    assert.deepEqual(judged(exception(MODERATE), exception(CRITICAL, { until: TODAY })), []);
  });

  test("refuses an advisory on the day after its exception ended", () => {
    assert.match(judged(exception(MODERATE), exception(CRITICAL, { until: "2026-11-29" })).join(), /ended/);
  });

  test("refuses an exception that lasts longer than the severity allows", () => {
    const since = "2026-11-16";
    assert.deepEqual(judged(exception(MODERATE), exception(CRITICAL, { since, until: TODAY })), []);
    const [refusal] = judged(exception(MODERATE), exception(CRITICAL, { since, until: "2026-12-01" }));
    assert.match(refusal!, new RegExp(`critical ends after ${DAYS_TO_FIX.critical} days`));
  });

  test("refuses an exception that no advisory needs, also one for another package", () => {
    const unneeded = judgeAudit(reportOf("none"), [exception(MODERATE)], TODAY);
    assert.deepEqual(unneeded, [`${MODERATE} no longer concerns minimist: remove its exception.`]);
    const ofOther = judged(exception(MODERATE, { package: "mkdirp" }), exception(CRITICAL));
    assert.equal(ofOther.length, 2);
  });

  for (const name of ["refused-connection", "refused-method"])
    test(`reports why there was no audit: ${name}`, () => {
      const audit = readAudit(recorded(name));
      assert.ok("unreachable" in audit);
      assert.match(audit.unreachable, /ECONNREFUSED|405/);
    });

  test("has a reason and two days in each exception", () => {
    for (const { reason, since, until } of exceptions) {
      assert.ok(reason.length > 20, reason);
      for (const day of [since, until]) assert.match(day, /^\d{4}-\d\d-\d\d$/);
    }
  });
});
