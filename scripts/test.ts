import { chromium } from "./chromium.ts";
import { build } from "./local.ts";
import { run, runNode } from "./tools.ts";

const browser = await chromium();
await runNode("scripts/check.ts");
await runNode("--test", "test/node/*.test.ts");
await run("vitest", ["run"]);
await build();
await run("playwright", ["test"], { packageName: "@playwright/test", env: { CHROMIUM_PATH: browser } });
