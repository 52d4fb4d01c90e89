import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./tools.ts";

type Holder = { pid: number; port: number };

const fileOf = (state: string) => join(resolve(root, state), "server.json");

/**
 * Locks a state folder for this process until it ends. Two servers on one folder lose each other's writes: D1 reports
 * that the database is locked. If another running process has it, this one reports that and exits.
 */
export function lockState(state: string, port: number) {
  const file = fileOf(state);
  mkdirSync(resolve(root, state), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, port } satisfies Holder);
  if (!create(file, mine)) {
    const holder = holderOf(file);
    if (holder && isRunning(holder.pid)) refuse(state, holder);
    // Left behind by a process that was killed.
    rmSync(file, { force: true });
    if (!create(file, mine)) refuse(state, holderOf(file));
  }
  process.once("exit", () => {
    if (holderOf(file)?.pid === process.pid) rmSync(file, { force: true });
  });
}

/** If two processes create it simultaneously, one fails. */
function create(file: string, content: string) {
  try {
    writeFileSync(file, content, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function holderOf(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return null;
  }
}

function isRunning(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function refuse(state: string, holder: Holder | null): never {
  const who = holder ? `Process ${holder.pid} on port ${holder.port}` : "Another process";
  console.error(`${who} already serves ${state}. Stop it first, or delete ${state} to begin anew.`);
  process.exit(1);
}
