import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "../scripts/local.ts";
import { root } from "../scripts/tools.ts";
import { seed, seedEssays, USUAL } from "./content.ts";
import { measurePageCosts, pageCostRows } from "./page-costs.ts";
import { FEW_ESSAYS, parts } from "./parts.ts";
import { measurePlan, savePlan } from "./plan.ts";
import { planTable } from "./plan-table.ts";
import { startBench } from "./site.ts";
import { measureWorkCosts, workCostRows } from "./work-costs.ts";

type Name = keyof typeof parts | (typeof apart)[number];

/** Measured on sites of their own. */
const PROCESSOR = "processor";
const WORK = "work";
const PLAN = "plan";
const apart = [PROCESSOR, WORK, PLAN] as const;
const names = [...apart, ...Object.keys(parts)] as Name[];

/**
 * `npm run bench cached cold` measures these two, prints them, and leaves the file unchanged. `npm run bench processor
 * ../before` compares with another built checkout.
 */
const given = process.argv.slice(2);
const asked = given.filter((name) => !isCheckout(name));
const unknown = asked.filter((name) => !names.includes(name as Name));
if (unknown.length > 0) throw new Error(`No ${unknown.join(", ")}. There are ${names.join(", ")}.`);
const isAsked = (name: Name) => asked.length === 0 || asked.includes(name);

await build({ sourceMaps: isAsked(PROCESSOR) });
const results: Record<string, unknown> = {};
if (isAsked(PROCESSOR)) await measureProcessor();
if (isAsked(WORK)) await measureWork();
if (isAsked(PLAN)) await measureLimits();
if (names.some((name) => isAsked(name) && Object.hasOwn(parts, name))) await measureParts();
if (given.length === 0)
  writeFileSync(join(root, "bench", "results.json"), `${JSON.stringify(results, null, 2)}\n`);

async function measureProcessor() {
  const others = given.filter(isCheckout).map((folder) => resolve(folder));
  const { costs, profiles } = await measurePageCosts(others);
  results[PROCESSOR] = { ...costs, profiles };
  for (const [content, of] of Object.entries(costs)) {
    console.log(`\nProcessor time of the site's process for an uncached request: ${content}`);
    console.table(pageCostRows(of));
  }
  for (const [path, of] of Object.entries(profiles)) {
    console.log(`\nPer cent of the isolate's time for an uncached request, by part: ${path}`);
    console.table(of);
  }
}

async function measureWork() {
  const costs = await measureWorkCosts();
  results[WORK] = costs;
  console.log("\nThe isolate's time for a write, a batch of messages or a tick, in ms");
  console.table(workCostRows(costs));
}

async function measureLimits() {
  const measured = await measurePlan();
  results[PLAN] = measured;
  console.log("\nWhat an action costs of the amounts that Cloudflare's plans include");
  console.table(measured);
  console.log(planTable(measured));
  savePlan(measured);
}

async function measureParts() {
  const bench = await startBench();
  try {
    const content = await seed(bench.env, { ...USUAL, essays: FEW_ESSAYS });
    if (isAsked("growth")) await bench.keepSmall();
    await seedEssays(bench.env, content.language, FEW_ESSAYS + 1, USUAL.essays);
    const pages = {
      home: "/",
      episode: content.episodePath,
      essay: content.essayPath,
      search: `/search?q=${content.language.word(1000)}`,
      "podcast feed": "/rss/podcast.xml",
      "essays feed": "/rss/essays.xml",
    };
    for (const name of (Object.keys(parts) as (keyof typeof parts)[]).filter(isAsked)) {
      const { title, take } = parts[name];
      const { found, rows } = await take({ ...content, bench, pages });
      results[name] = found;
      console.log(`\n${title}`);
      console.table(rows);
    }
  } finally {
    await bench.stop();
  }
}

function isCheckout(name: string) {
  return existsSync(join(name, "wrangler.toml"));
}
