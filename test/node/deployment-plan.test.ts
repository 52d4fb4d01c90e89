import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { choosePlan, configurationFor, refuseLargeWorker, Stopped } from "../../scripts/deployment-plan.ts";
import { root } from "../../scripts/tools.ts";
import { freeBounds, included, planOf } from "../../worker/platform/plan-limits.ts";

/** Answers the questions in turn; then there is no answer. */
function answering(...answers: string[]) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answers.shift() ?? null;
  };
  return { ask, asked };
}

const choose = async (
  answers: string[],
  { args = [], known, isAsking = true }: { args?: string[]; known?: string; isAsking?: boolean } = {},
) => {
  const { ask, asked } = answering(...answers);
  return { plan: await choosePlan({ args, known, isAsking, ask }), asked };
};

describe("the plan of a deployment", () => {
  test("is asked for on the first run, and Enter means paid", async () => {
    const { plan, asked } = await choose([""]);
    assert.equal(plan, "paid");
    assert.match(asked[0]!, /free or paid\?/);
    assert.match(asked[0]!, /password/);
    assert.equal((await choose(["free"])).plan, "free");
    assert.equal((await choose(["Free"])).plan, "free");
  });

  test("is asked for again after another answer", async () => {
    const { plan, asked } = await choose(["cheap", "free"]);
    assert.equal(plan, "free");
    assert.equal(asked.length, 2);
    assert.match(asked[1]!, /"cheap" is not free or paid/);
  });

  test("is paid without a terminal", async () => {
    assert.equal((await choose([])).plan, "paid");
  });

  test("is not asked for by a deployment that asks nothing else, which stays paid", async () => {
    const { plan, asked } = await choose(["free"], { isAsking: false });
    assert.deepEqual([plan, asked.length], ["paid", 0]);
  });

  test("is remembered, or set by the environment, without a question", async () => {
    const { plan, asked } = await choose([], { known: "free" });
    assert.deepEqual([plan, asked.length], ["free", 0]);
  });

  test.each([[["--plan", "free"]], [["--plan=free"]]])(
    "is that of %s before a remembered one",
    async (args) => {
      assert.equal((await choose([], { args, known: "paid" })).plan, "free");
    },
  );

  test.each([[["--plan"]], [["--plan", "cheap"]], [["--plan="]]])("%s is refused", async (args) => {
    await assert.rejects(choose([], { args }), (error) => {
      assert.ok(error instanceof Stopped);
      assert.match(error.message, /is not free or paid/);
      return true;
    });
  });

  test("is paid for a Worker that does not know it", () => {
    assert.deepEqual([planOf(undefined), planOf("other"), planOf("free")], ["paid", "paid", "free"]);
  });
});

describe("the configuration of the free plan", () => {
  const configuration = {
    vars: { SITE_URL: "https://okafor.net" },
    limits: { cpu_ms: 100 },
    triggers: { crons: ["* * * * *"] },
  };

  test("has no limit of processor time, which that plan refuses; the paid one keeps it", () => {
    assert.deepEqual(configurationFor("free", configuration), {
      vars: { SITE_URL: "https://okafor.net", PLAN: "free" },
      triggers: configuration.triggers,
    });
    assert.deepEqual(configurationFor("paid", configuration), {
      ...configuration,
      vars: { SITE_URL: "https://okafor.net", PLAN: "paid" },
    });
  });

  test("is refused with more crons than the plan allows", () => {
    const crons = Array.from({ length: 6 }, (_, hour) => `0 ${hour} * * *`);
    const many = { ...configuration, triggers: { crons } };
    assert.throws(() => configurationFor("free", many), /6 crons, and the free plan allows 5/);
    assert.equal(planOf((configurationFor("paid", many).vars as Record<string, string>)["PLAN"]), "paid");
  });

  test("fits the project's own wrangler.toml, which says nothing that only the paid plan takes", () => {
    const own = unstable_readConfig({ config: join(root, "wrangler.toml") });
    assert.equal(own.limits, undefined);
    assert.equal(own.vars["PLAN"], "paid");
    const { limits: _none, ...rest } = own;
    const planned = configurationFor("free", { ...own, vars: own.vars as Record<string, string> });
    assert.deepEqual({ ...planned, vars: own.vars }, rest);
  });
});

describe("a built Worker", () => {
  const withWorker = async (bytes: number, use: (folder: string) => void) => {
    const folder = await mkdtemp(join(tmpdir(), "rostrum-size-"));
    try {
      // Random bytes do not compress.
      await writeFile(join(folder, "index.js"), "export default {};");
      await writeFile(join(folder, "large.wasm"), randomBytes(bytes));
      await writeFile(join(folder, "style.css"), randomBytes(4e6));
      use(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test("of more than 3 MB gzipped is refused for the free plan, with its size and the other plan", () =>
    withWorker(3_100_000, (folder) => {
      assert.throws(
        () => refuseLargeWorker("free", folder),
        (error) =>
          error instanceof Stopped &&
          /3\.10 MB gzipped, and the free plan allows 3\.00 MB.*--plan paid/.test(error.message),
      );
      refuseLargeWorker("paid", folder);
    }));

  test("of less is not; files that are not code do not count", () =>
    withWorker(2_900_000, (folder) => refuseLargeWorker("free", folder)));
});

test("each figure of the plans names its page and the day it was seen", () => {
  for (const { source, seen } of [...Object.values(included), ...Object.values(freeBounds)]) {
    assert.match(source, /^[a-z0-9]+\/[a-z0-9/#-]+$/);
    assert.match(seen, /^20\d\d-\d\d-\d\d$/);
  }
});
