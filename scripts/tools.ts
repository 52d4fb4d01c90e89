import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Nothing asks the network, and a question is never waited for. */
export const quiet = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  REACT_ROUTER_SEND_TELEMETRY: "false",
};

/** The script behind a package's command, so that this very Node runs it, on any system. */
function scriptOf(command: string, packageName = command) {
  const folder = join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const path = typeof bin === "string" ? bin : bin[command];
  if (!path) throw new Error(`${packageName} has no command ${command}.`);
  return join(folder, path);
}

type Options = {
  env?: Record<string, string>;
  packageName?: string;
  /** What becomes of its output: shown, or piped to the caller. */
  output?: "inherit" | "pipe";
};

/** Starts a package's command. */
export function start(command: string, args: string[], options: Options = {}): ChildProcess {
  const { env = {}, packageName, output = "inherit" } = options;
  return spawn(process.execPath, [scriptOf(command, packageName), ...args], {
    cwd: root,
    stdio: ["ignore", output, output],
    env: { ...process.env, ...quiet, ...env },
  });
}

/** Runs a package's command to its end; throws when it fails. */
export async function run(command: string, args: string[], options: Options = {}) {
  await ended(start(command, args, options), `${command} ${args.join(" ")}`);
}

/** Runs Node in the project's folder to its end. */
export async function runNode(script: string | string[], env: Record<string, string> = {}) {
  const args = [script].flat();
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...quiet, ...env },
  });
  await ended(child, `node ${args.join(" ")}`);
}

function ended(child: ChildProcess, name: string) {
  return new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${name} ended with ${signal ?? code}.`)),
    );
  });
}
