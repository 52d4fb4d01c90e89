import { chromium } from "./chromium.ts";
import { build } from "./local.ts";
import { run, runNode } from "./tools.ts";

const browser = await chromium();
await runNode("scripts/check.ts");
await runNode(["--test", "test/node/*.test.ts"]);
await run("vitest", ["run"]);
await build();
await runNode("test/load/soak.ts", { SOAK_MINUTES: "0.5" });
// How long an answer takes is the machine's business here.
await runNode("test/load/fuzz.ts", { FUZZ_REQUESTS: "2000", FUZZ_LONGEST_MS: "20000" });
await run("playwright", ["test"], { packageName: "@playwright/test", env: { CHROMIUM_PATH: browser } });
