import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { goBack, noteMigrations, noteWayBack, readWayBack } from "../../scripts/deployment-back.ts";

/** `deployment.test.ts` does the same with the real wrangler; here its answers are given. */

const site = { worker: "rostrum", database: { name: "rostrum", id: "db" } };
const NONE = "✅ No migrations to apply!";
const ONE = "About to apply 1 migration(s)\n│ 0070_bin.sql │ ✅ │\n0070_bin.sql";

let folder: string;
let file: string;
let live: string;
let letters: number;
let commands: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rostrum-back-"));
  file = join(folder, ".deploy-back.json");
  live = "one";
  letters = 0;
  commands = [];
});
afterEach(() => rm(folder, { recursive: true }));

async function wrangler(command: string[]) {
  const name = command.slice(0, 2).join(" ");
  if (name !== "deployments status") commands.push(command.slice(0, 3).join(" "));
  if (name === "deployments status") {
    if (live === "") throw new Error("The Worker rostrum has no deployments.");
    return JSON.stringify({ versions: [{ version_id: live, percentage: 100 }] });
  }
  if (name === "d1 execute") return JSON.stringify([{ results: [{ letters }] }]);
  if (command[2] === "restore") return JSON.stringify({ previous_bookmark: "now" });
  return JSON.stringify({ bookmark: `before-${commands.length}` });
}

async function deploy(version: string, migrated: string) {
  await noteWayBack(file, site, wrangler);
  noteMigrations(file, migrated);
  live = version;
}

/** Answers in turn; returns the questions. */
async function goBackWith(...answers: string[]) {
  const questions: string[] = [];
  commands = [];
  const ask = async (question: string) => {
    questions.push(question);
    return answers.shift() ?? "";
  };
  await goBack({ file, wrangler, ask });
  return questions;
}

describe("going back from a deployment", () => {
  test("changes only the version if the deployment did not change the database", async () => {
    await deploy("two", NONE);
    const questions = await goBackWith("data", "code");
    assert.match(questions[0]!, /did not change the database, so all data stays/);
    assert.match(questions[1]!, /^"data" is not an answer here/);
    assert.deepEqual(commands, ["rollback one --message"]);
    assert.equal(existsSync(file), false);
  });

  test("restores the database only if that is the answer", async () => {
    await deploy("two", ONE);
    const [question] = await goBackWith("code");
    assert.match(question!, /changed the database \(0070_bin\)/);
    assert.deepEqual(commands, ["d1 execute rostrum", "rollback one --message"]);

    live = "one";
    await deploy("two", ONE);
    letters = 2;
    const [warning] = await goBackWith("data");
    assert.match(
      warning!,
      /\(2 were sent\s+since\)\. People who unsubscribed or\s+had their data deleted since are back/,
    );
    assert.deepEqual(commands, [
      "d1 execute rostrum",
      "rollback one --message",
      "d1 time-travel restore",
      "d1 execute rostrum",
    ]);
  });

  test("changes nothing after Enter, and can be asked again", async () => {
    await deploy("two", ONE);
    await assert.rejects(goBackWith(""), /Nothing was changed/);
    assert.deepEqual(commands, ["d1 execute rostrum"]);
    assert.notEqual(readWayBack(file), null);
  });

  test("names the database of before a failed deployment after it was repeated", async () => {
    await deploy("one", ONE);
    const noted = readWayBack(file);
    await deploy("two", NONE);
    assert.equal(readWayBack(file)?.bookmark, noted?.bookmark);
    assert.deepEqual(readWayBack(file)?.migrations, ["0070_bin"]);
  });

  test("says that the database may have changed if the deployment ended during its migration", async () => {
    await noteWayBack(file, site, wrangler);
    const [question] = await goBackWith("code");
    assert.match(question!, /may have changed the database/);
    assert.deepEqual(commands, ["d1 execute rostrum"]);
  });

  test("is refused before a second deployment", async () => {
    live = "";
    await deploy("one", ONE);
    await assert.rejects(goBackWith("code"), /There is nothing to go back to/);
  });

  test("reports a version that cannot be asked for, before anything is changed", async () => {
    const failing = () => Promise.reject(new Error("Authentication error"));
    await assert.rejects(noteWayBack(file, site, failing), /Authentication error/);
    assert.equal(existsSync(file), false);
  });
});
