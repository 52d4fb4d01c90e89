import { defineConfig } from "@playwright/test";
import { sweepsAll } from "./test/e2e/support/windows.ts";

const isTranslated = Boolean(process.env["TRANSLATED"]);

/** Each worker has a site of its own for the files that share one (test/e2e/support/demo.ts); the others start theirs. */
export default defineConfig({
  testDir: "test/e2e",
  // It translates its pages itself, among them one that does what our lint rule refuses.
  testIgnore: isTranslated ? "translation.spec.ts" : [],
  // What repeats the check of another test, or is rare, is left to `npm run test:full`.
  ...(sweepsAll || isTranslated ? {} : { grepInvert: /@full\b/ }),
  // No test is about the machine's speed: these only end what hangs.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  // One more than the cores of a small machine: a browser often waits for a server, and a server for a browser.
  workers: 3,
  globalSetup: "./test/e2e/support/prepare.ts",
  // A busy machine, or a socket that the server closes while a request is sent: the report names what passed the second time.
  retries: 1,
  reporter: [["list"], ["./test/e2e/support/admin-calls-reporter.ts"]],
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // A trace reads each response again, which takes an eighth of the time: use `--trace on` if needed.
    screenshot: "only-on-failure",
    // Pages come from the network: only test/e2e/offline.spec.ts tests cached ones.
    serviceWorkers: "block",
    launchOptions: {
      executablePath: process.env["CHROMIUM_PATH"],
      args: [
        // Root, as in a container, has no sandbox.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--autoplay-policy=no-user-gesture-required",
      ],
    },
  },
});
