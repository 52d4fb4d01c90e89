import { engines } from "../test/engines/engines.ts";
import { build } from "./local.ts";
import { runNode } from "./tools.ts";

/**
 * `npm run test:engines`: builds, then takes a listener's and the owner's journeys in each engine that is installed, or in
 * those named.
 */
const missing = engines.flatMap(({ name, missing: missingOf }) => {
  const packages = missingOf();
  return packages === null ? [] : [{ name, packages }];
});
for (const { name, packages } of missing)
  console.log(`${name} is left out. To have it on Debian: apt-get install ${packages}`);
if (missing.length === engines.length) throw new Error("No engine is installed: nothing was tested.");
await build();
await runNode(["test/engines/run.ts", ...process.argv.slice(2)]);
