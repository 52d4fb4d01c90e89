import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";

/** Milliseconds. Only ends what hangs. */
const START = 120_000;

/** Whether a program is in the shell's PATH. */
export const has = (program: string) =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** The Debian packages, out of those by program, whose program is missing; null when nothing is. */
export function missingOf(packages: Record<string, string>) {
  const missing = Object.keys(packages).filter((program) => !has(program));
  return missing.length > 0 ? missing.map((program) => packages[program]).join(" ") : null;
}

/** Starts a program that ends with this process at the latest. */
export function startProgram(program: string, args: string[], options: SpawnOptions = {}) {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "ignore"], ...options });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
}

/** What the program says on one of its streams in a line like this: the pattern's first group. */
export function said(child: ChildProcess, stream: Readable, pattern: RegExp) {
  return new Promise<string>((resolve, reject) => {
    let text = "";
    const fail = (reason: string) => reject(new Error(`${child.spawnfile} ${reason}. It said: ${text}`));
    const late = setTimeout(() => fail("did not start in time"), START);
    child.once("error", reject);
    child.once("exit", (code) => fail(`ended with ${code}`));
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      const found = pattern.exec(text)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(found);
    });
  });
}

/** Ends a program and waits until it has. */
export async function endProgram(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await ended;
}
