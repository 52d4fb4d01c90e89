import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "../scripts/local.ts";
import { root } from "../scripts/tools.ts";
import { seed, seedEssays, USUAL } from "./content.ts";
import { FEW_ESSAYS, parts } from "./parts.ts";
import { startBench } from "./site.ts";

/** `npm run bench cached cold` measures these two, prints them, and leaves the file as it is. */
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  throw new Error(`No ${unknown.join(", ")}. There are ${Object.keys(parts).join(", ")}.`);
}
const isAsked = (name: keyof typeof parts) => asked.length === 0 || asked.includes(name);

await build();
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
  const results: Record<string, unknown> = {};
  for (const name of (Object.keys(parts) as (keyof typeof parts)[]).filter(isAsked)) {
    const { title, take } = parts[name];
    const { found, rows } = await take({ ...content, bench, pages });
    results[name] = found;
    console.log(`\n${title}`);
    console.table(rows);
  }
  if (asked.length === 0) {
    writeFileSync(join(root, "bench", "results.json"), `${JSON.stringify(results, null, 2)}\n`);
  }
} finally {
  await bench.stop();
}
