import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { root } from "../scripts/tools.ts";
import type { CallFrame, Sample } from "./isolate-time.ts";
import type { MeasuredSite } from "./site.ts";

const WARM_UP = 150;
const REQUESTS = 300;
const SHOWN = 20;

/**
 * What an uncached request spends the isolate's time on: per cent, by package, folder, or function of V8 and workerd,
 * largest first. Needs a build with source maps.
 */
export async function profilePage({ url, timer }: MeasuredSite, path: string) {
  const ask = async () => (await fetch(url + path)).arrayBuffer();
  for (let n = 0; n < WARM_UP; n++) await ask();
  const requests = await timer.measure(Array.from({ length: REQUESTS }, () => ask));
  return partsOf(requests.flatMap(({ samples }) => samples));
}

function partsOf(samples: Sample[]) {
  // A function may be called `constructor`.
  const parts = new Map<string, number>();
  for (const { frame, microseconds } of samples) {
    const part = partOf(frame);
    parts.set(part, (parts.get(part) ?? 0) + microseconds);
  }
  const sorted = [...parts].toSorted(([, a], [, b]) => b - a);
  const sumOf = (of: typeof sorted) => of.reduce((sum, [, time]) => sum + time, 0);
  const all = sumOf(sorted);
  const shown = [...sorted.slice(0, SHOWN), ["the rest", sumOf(sorted.slice(SHOWN))] as const];
  return Object.fromEntries(shown.map(([part, time]) => [part, Number(((100 * time) / all).toFixed(1))]));
}

/** A package, a folder of the project, or what V8 and workerd call a function of their own. */
function partOf({ functionName, url, lineNumber, columnNumber }: CallFrame) {
  const source = sourceOf(url, lineNumber, columnNumber);
  if (!source) return url.startsWith("cloudflare-internal:") ? url : functionName || "(nameless)";
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(source);
  if (inPackage) return inPackage[1]!;
  return source.split("/").slice(0, -1).slice(0, 3).join("/");
}

const maps = new Map<string, SourceMap | null>();

/** The path of a function's source below the project's root; undefined outside of the built Worker. */
function sourceOf(url: string, line: number, column: number) {
  const [file] = /(?:assets\/[^/]+|index)\.js$/.exec(url) ?? [];
  if (!file) return undefined;
  const known = maps.get(file);
  const map = known === undefined ? readMap(file) : known;
  maps.set(file, map);
  const entry = map?.findEntry(line, column);
  const source =
    entry && "originalSource" in entry ? (entry.originalSource as string | undefined) : undefined;
  return source?.replace(/^(?:\.\.\/)+/, "");
}

function readMap(file: string) {
  const path = join(root, "build", "server", `${file}.map`);
  return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, "utf8"))) : null;
}
