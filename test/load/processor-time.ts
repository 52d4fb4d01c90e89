import { median } from "../../bench/load.ts";
import { timeOf } from "../../bench/processor.ts";
import { startMeasuredSite, type MeasuredSite } from "../../bench/site.ts";
import { preparedState } from "../../scripts/prepared-state.ts";
import { root } from "../../scripts/tools.ts";
import { newAddress, pause } from "./client.ts";
import { REFERENCE } from "./reference-work.ts";

/**
 * Fails if an uncached answer costs much more processor time than it did: as a multiple of a fixed amount of work in the
 * same process, measured in turns, so that the machine and its other work affect both. After a deliberate change, copy the
 * ratios that `npm test -- processor-time` prints. `npm run bench processor` has the times.
 */
const usual = {
  "/": 3.95,
  "/essays/write-the-last-page-first": 2.95,
  "/episode/5": 3.25,
  "/podcast": 3.8,
  "/rss/podcast.xml": 2.1,
  "/sitemap.xml": 1.65,
} as const;
/** Between the noise, of some 6 % at a load of 13 on two cores, and a page that costs 1.5 times as much. */
const ALLOWED = 1.3;

/** Requests after which V8 has compiled the measured code. */
const WARM_UP = 60;
const ROUNDS = 7;
const REQUESTS = 8;
/** Of the pages that seem more expensive: a disturbance passes, and the median of all samples falls. */
const TRIES = 4;
/**
 * Processes in which a page must seem more expensive: V8 compiles the reference work better in some than in others, and all
 * ratios of one process may be a quarter higher.
 */
const PROCESSES = 3;
/** Milliseconds in which a process finishes what it does after an answer, and Linux counts it. */
const REST = 3;

type Path = keyof typeof usual;
const paths = Object.keys(usual) as Path[];

if (process.platform === "linux") await measure();
else console.log("Processor time: only Linux tells that of another process.");
process.exit();

async function measure() {
  const ratios = new Map<Path, number>();
  let left = paths;
  for (let count = 0; count < PROCESSES && left.length > 0; count++) left = await measureIn(left, ratios);
  const rows = paths.map((path) => [
    path,
    { ratio: Number(ratios.get(path)!.toFixed(2)), usual: usual[path] },
  ]);
  console.table(Object.fromEntries(rows));
  const cheaper = paths.filter((path) => ratios.get(path)! * ALLOWED < usual[path]);
  if (cheaper.length > 0)
    console.log(`Processor time: ${cheaper.join(", ")} became cheaper. Copy the ratio.`);
  if (left.length === 0) return;
  console.error(`Processor time: ${left.join(", ")} became more expensive.`);
  process.exitCode = 1;
}

/** Measures these in a new process, and returns those that seem more expensive. */
async function measureIn(asked: Path[], ratios: Map<Path, number>) {
  const site = await startMeasuredSite(root, REFERENCE, await preparedState());
  for (const url of [site.beside, ...asked.map((path) => site.url + path)]) await ask(url, WARM_UP);
  if (timeOf(site.process) === 0)
    throw new Error("This Linux counts no processor time: /proc/…/schedstat is empty.");
  const samples = Object.fromEntries(paths.map((path): [Path, number[]] => [path, []]));
  let left = asked;
  for (let tries = 0; tries < TRIES && left.length > 0; tries++) {
    await takeTurns(site, left, samples);
    left = left.filter((path) => median(samples[path]!) > ALLOWED * usual[path]);
  }
  for (const path of asked) ratios.set(path, median(samples[path]!));
  await site.stop();
  return left;
}

/** Each round asks for each page between two turns of the reference, and adds the ratio to the page's samples. */
async function takeTurns(site: MeasuredSite, asked: Path[], samples: Record<string, number[]>) {
  for (let round = 0; round < ROUNDS; round++) {
    let before = await timeFor(site, site.beside);
    for (const path of asked) {
      const page = await timeFor(site, site.url + path);
      const after = await timeFor(site, site.beside);
      samples[path]!.push((2 * page) / (before + after));
      before = after;
    }
  }
}

async function timeFor({ process: id }: MeasuredSite, url: string) {
  await pause(REST);
  const start = timeOf(id);
  await ask(url, REQUESTS);
  await pause(REST);
  return timeOf(id) - start;
}

async function ask(url: string, times: number) {
  for (let n = 0; n < times; n++) {
    const { ok, status } = await get(url);
    // Once more: a request to the local D1 may fail on a busy machine.
    if (!ok && !(await get(url)).ok) throw new Error(`${url} answered ${status}.`);
  }
}

async function get(url: string) {
  const answer = await fetch(url, { headers: { "CF-Connecting-IP": newAddress() } });
  await answer.arrayBuffer();
  return answer;
}
