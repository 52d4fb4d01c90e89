import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Nothing asks the network, a question is never waited for, and what Node compiled is compiled once: Wrangler is long. */
export const quiet = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  REACT_ROUTER_SEND_TELEMETRY: "false",
  NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"),
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
  /** Whether its output is shown, shown with its end repeated in the error of a failure, or piped to the caller. */
  output?: "inherit" | "repeat" | "pipe";
  /** Whether it may ask something. */
  input?: "inherit" | "ignore";
};

/** Starts a package's command. */
export function start(command: string, args: string[], options: Options = {}): ChildProcess {
  const { packageName, ...others } = options;
  return startNode([scriptOf(command, packageName), ...args], others);
}

function startNode(args: string[], { env = {}, output = "inherit", input = "ignore" }: Options = {}) {
  const stdio = output === "inherit" ? "inherit" : "pipe";
  return spawn(process.execPath, args, {
    cwd: root,
    stdio: [input, stdio, stdio],
    env: { ...process.env, ...quiet, ...env },
  });
}

type Shown = Omit<Options, "output"> & { output?: "inherit" | "repeat" };

/** Runs a package's command to its end; throws when it fails. */
export async function run(command: string, args: string[], options: Shown = {}) {
  await shown(start(command, args, options), nameOf(command, args));
}

/**
 * Runs a package's command silently to its end, and returns its standard output.
 * @throws an error with all of its output if it fails
 */
export const capture = (command: string, args: string[], options: Omit<Options, "output"> = {}) =>
  captured(start(command, args, { ...options, output: "pipe" }), nameOf(command, args));

/** Runs Node in the project's folder to its end; throws when it fails. */
export async function runNode(script: string | string[], options: Omit<Shown, "packageName"> = {}) {
  const args = [script].flat();
  await shown(startNode(args, options), nameOf("node", args));
}

/** The same without a word; `capture` for Node. */
export const captureNode = (args: string[]) =>
  captured(startNode(args, { output: "pipe" }), nameOf("node", args));

const nameOf = (command: string, args: string[]) => `${command} ${args.join(" ")}`;

async function captured(child: ChildProcess, name: string) {
  let output = "";
  let everything = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    everything += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (everything += text));
  try {
    await ended(child, name);
  } catch (error) {
    throw new Error(`${everything.trim()}\n\n${String(error)}`, { cause: error });
  }
  return output;
}

/** Characters of a failed command's output that its error repeats. */
const REPEATED = 4000;

/** Without pipes, the child itself writes to this terminal. */
async function shown(child: ChildProcess, name: string) {
  let end = "";
  const show = (to: NodeJS.WriteStream) => (text: string) => {
    to.write(text);
    end = (end + text).slice(-REPEATED);
  };
  child.stdout?.setEncoding("utf8").on("data", show(process.stdout));
  child.stderr?.setEncoding("utf8").on("data", show(process.stderr));
  try {
    await ended(child, name);
  } catch (error) {
    throw end ? new Error(end.trim(), { cause: error }) : error;
  }
}

/** Once it has ended and all that it wrote has arrived. */
function ended(child: ChildProcess, name: string) {
  return new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${name} ended with ${signal ?? code}.`)),
    );
  });
}

/** Runs npm, which is no package here, to its end; through the shell, since it is a script with another name on Windows. */
export const npm = (command: string) =>
  spawnSync(`npm ${command}`, { cwd: root, shell: true, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
