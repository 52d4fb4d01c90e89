import type { Engine } from "./browser.ts";
import { firefox } from "./firefox.ts";
import { webkit } from "./webkit.ts";

/** Chromium has its own tests, `test/e2e`. */
export const engines: Engine[] = [firefox, webkit];
