import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";

const LOCK = new URL("../../scripts/lock.ts", import.meta.url).href;

let state: string;
beforeAll(async () => void (state = await mkdtemp(join(tmpdir(), "rostrum-lock-"))));
afterAll(() => rm(state, { recursive: true }));

const file = () => join(state, "server.json");

/** A process that locks the folder, reports it, and runs until it is ended. */
async function holder(port: number) {
  const script = `const { lockState } = await import(${JSON.stringify(LOCK)});
    lockState(${JSON.stringify(state)}, ${port});
    console.log("taken");
    process.once("SIGTERM", () => process.exit()); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said] = (await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")])) as [Buffer];
  return { child, said: said.toString().trim() };
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

test("a second server on one state folder is refused, with the id of the process that has it", async () => {
  const first = await holder(8787);
  assert.equal(first.said, "taken");
  const second = await holder(8788);
  assert.equal(
    second.said,
    `Process ${first.child.pid} on port 8787 already serves ${state}. Stop it first, or delete ${state} to begin anew.`,
  );
  await end(first.child, "SIGTERM");
  assert.equal(existsSync(file()), false);
});

test("the lock of a killed server is ignored", async () => {
  const first = await holder(8787);
  await end(first.child, "SIGKILL");
  assert.equal(existsSync(file()), true);
  const second = await holder(8788);
  assert.equal(second.said, "taken");
  await end(second.child, "SIGTERM");
});

test("a file that names no process is ignored", async () => {
  await writeFile(file(), "");
  const { child, said } = await holder(8787);
  assert.equal(said, "taken");
  await end(child, "SIGTERM");
});
