import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { limitsDocument } from "./limits-table.ts";
import { root, run } from "./tools.ts";

const FILE = join(root, "docs", "limits.md");

writeFileSync(FILE, await limitsDocument());
await run("oxfmt", [FILE]);
