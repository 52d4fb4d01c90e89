import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { chooseCopies, lockCopies, withCopies } from "../../scripts/deployment-copies.ts";
import { Stopped } from "../../scripts/deployment-plan.ts";

const choose = async (
  answers: string[],
  {
    args = [],
    known,
    isAsking = true,
    exists = false,
  }: { args?: string[]; known?: string; isAsking?: boolean; exists?: boolean } = {},
) => {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answers.shift() ?? null;
  };
  return { wanted: await chooseCopies({ args, known, isAsking, hasBucket: async () => exists, ask }), asked };
};

describe("the copies of a deployment", () => {
  test("are asked for on the first run, and Enter means yes", async () => {
    const { wanted, asked } = await choose([""]);
    assert.equal(wanted, true);
    assert.match(asked[0]!, /every night into a second bucket/);
    assert.equal((await choose(["No"])).wanted, false);
  });

  test("are asked for again after another answer", async () => {
    const { wanted, asked } = await choose(["perhaps", "yes"]);
    assert.equal(wanted, true);
    assert.match(asked[1]!, /"perhaps" is not yes or no/);
  });

  test("are not created without an answer", async () => {
    assert.equal((await choose([])).wanted, false);
    const { wanted, asked } = await choose(["yes"], { isAsking: false });
    assert.deepEqual([wanted, asked.length], [false, 0]);
  });

  test("continue without an answer if their bucket exists, as in a deployment without .deploy.json", async () => {
    assert.equal((await choose([], { isAsking: false, exists: true })).wanted, true);
    assert.equal((await choose([], { known: "no", isAsking: false, exists: true })).wanted, false);
  });

  test("are locked in both folders; the command of each refused lock is returned", async () => {
    const bound = { r2_buckets: [{ binding: "BACKUP", bucket_name: "b" }], d1_databases: [] };
    const refuse = async () => Promise.reject(new Error("This account has no locks."));
    const commands = await lockCopies(bound, refuse);
    assert.deepEqual(
      commands.map((command) => command.match(/lock add b \S+ (\S+)/)?.[1]),
      ["copies/", "files/"],
    );
    assert.deepEqual(await lockCopies(bound, async () => "rostrum-copies rostrum-files"), []);
  });

  test("are remembered, or given by an argument, which comes first", async () => {
    assert.equal((await choose([], { known: "yes", isAsking: false })).wanted, true);
    assert.equal((await choose([], { known: "yes", args: ["--copies=no"] })).wanted, false);
    assert.equal((await choose([], { args: ["--plan", "free", "--copies", "yes"] })).wanted, true);
    await assert.rejects(choose([], { args: ["--copies"] }), Stopped);
    await assert.rejects(choose([], { known: "maybe" }), /is not yes or no/);
  });

  test("leave nothing bound if they are not wanted", () => {
    const configuration = {
      vars: { PLAN: "paid" },
      r2_buckets: [
        { binding: "MEDIA", bucket_name: "m" },
        { binding: "BACKUP", bucket_name: "b" },
      ],
      d1_databases: [{ binding: "DB" }, { binding: "DRILL" }],
    };
    assert.deepEqual(withCopies(true, configuration), configuration);
    assert.deepEqual(withCopies(false, configuration), {
      vars: { PLAN: "paid", COPIES: "no" },
      r2_buckets: [{ binding: "MEDIA", bucket_name: "m" }],
      d1_databases: [{ binding: "DB" }],
    });
  });
});
