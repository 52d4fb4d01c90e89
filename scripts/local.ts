import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { capture, captureNode, start } from "./tools.ts";

/** Where local D1, R2, KV and Queues store their data. */
export const STATE = ".wrangler/state";
export const PORT = Number(process.env["PORT"] ?? 8787);

/** Builds the site for workerd; with source maps of the Worker only if asked. Prints only if it fails. */
export async function build({ sourceMaps = false } = {}) {
  const options = sourceMaps ? ["--sourcemapServer"] : [];
  await capture("react-router", ["build", ...options], { packageName: "@react-router/dev" });
}

/** Migrates the local database, and fills a new one with the demo. Prints only if it fails. */
export async function prepare(state = STATE) {
  await captureNode(["demo/load.ts", state]);
}

type Serve = {
  port?: number;
  /** Wrangler finds a free port itself, but two servers that start at the same moment find the same one. */
  inspectorPort?: number;
  state?: string;
  vars?: Record<string, string>;
  output?: "inherit" | "pipe";
};

/** Serves the production build in workerd. */
export function serve({ port = PORT, inspectorPort, state = STATE, vars = {}, output }: Serve = {}) {
  const settings = Object.entries({ SITE_URL: `http://localhost:${port}`, ...vars });
  const args = [
    "dev",
    `--port=${port}`,
    ...(inspectorPort ? [`--inspector-port=${inspectorPort}`] : []),
    `--persist-to=${state}`,
    "--show-interactive-dev-session=false",
    ...settings.flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
  return start("wrangler", args, { output });
}

/** The hot-reloading server. */
export const serveHot = () => start("vite", ["dev", "--port", String(PORT), "--strictPort"]);

/** Resolves once the site answers; throws when the server ends first. */
export async function ready(server: ChildProcess, port = PORT) {
  for (let tries = 0; tries < 600; tries++) {
    if (server.exitCode !== null)
      throw new Error("The server ended before it answered; its last words are above.");
    const answer = await fetch(`http://localhost:${port}/api/health`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("The server did not answer within two minutes.");
}

/** Wrangler's line for each request. The crons alone would print one each minute. */
const REQUEST_LINE = /^\[wrangler:info\] [A-Z]+ \//;

type ServerOutput = Pick<ChildProcess, "stdout" | "stderr">;

/**
 * Holds back the output of a server with piped output until the caller reports that the site answers: wrangler's
 * bindings, its modules, and its warning that crons do not run locally (this script fires them). `showHeld` prints it
 * for a server that ended too early. Afterwards everything is printed except the lines of requests.
 */
export function holdOutput({ stdout, stderr }: ServerOutput, show = (line: string) => console.log(line)) {
  const held: string[] = [];
  let isHolding = true;
  for (const stream of [stdout!, stderr!]) {
    createInterface({ input: stream }).on("line", (line) => {
      if (isHolding) held.push(line);
      else if (!REQUEST_LINE.test(line)) show(line);
    });
  }
  return {
    showHeld: () => held.forEach(show),
    release() {
      isHolding = false;
      held.length = 0;
    },
  };
}

/** The crons of wrangler.toml. */
export const MINUTE = "* * * * *";
export const DAILY = "17 3 * * *";

const DAY_MS = 24 * 60 * 60 * 1000;
/** 03:17 UTC, in milliseconds of the day. */
const DAILY_MS = (3 * 60 + 17) * 60_000;

/**
 * The crons that became due since the last look. Timers drift and machines sleep, so that no look may happen at 03:17;
 * and a machine that is off at night gets its daily run at the start.
 */
export function dueCrons(now: Date, lastLook?: Date) {
  const lastDaily = Math.floor((now.getTime() - DAILY_MS) / DAY_MS) * DAY_MS + DAILY_MS;
  return !lastLook || lastLook.getTime() < lastDaily ? [MINUTE, DAILY] : [MINUTE];
}

/** Fires the crons now and when they are due, because local servers do not. */
export function tickEachMinute(port = PORT) {
  let lastLook: Date | undefined;
  const tick = async () => {
    const now = new Date();
    const due = dueCrons(now, lastLook);
    lastLook = now;
    for (const cron of due) await fire(port, cron);
  };
  setInterval(() => void tick(), 60_000).unref();
  void tick();
}

/** Runs one cron trigger of the local server. */
export async function fire(port: number, cron: string) {
  const query = new URLSearchParams({ cron });
  await fetch(`http://localhost:${port}/cdn-cgi/handler/scheduled?${query}`).catch((error: unknown) =>
    console.error(`The cron "${cron}" was not fired:`, error),
  );
}

/** Ends the server with this process, and this process with the server. */
export function tie(server: ChildProcess) {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => server.kill(signal));
  server.once("close", (code) => process.exit(code ?? 0));
}

export function greet(port = PORT) {
  console.log(`
  Rostrum is running. Stop it with Ctrl+C.
    the site     http://localhost:${port}
    the feed     http://localhost:${port}/rss/podcast.xml
    the admin    http://localhost:${port}/admin  (first time: /admin/setup, as ADMIN_EMAIL in wrangler.toml)
    emails       stay on this machine and are printed here as "[mail] …"
`);
}
