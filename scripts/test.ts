import { chromium } from "./chromium.ts";
import { build } from "./local.ts";
import { run, runScript } from "./tools.ts";

const browser = await chromium();
await runScript("scripts/check.ts");
await run("vitest", ["run"]);
await build();
await run("playwright", ["test"], { packageName: "@playwright/test", env: { CHROMIUM_PATH: browser } });
