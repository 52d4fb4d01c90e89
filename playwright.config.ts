import { defineConfig } from "@playwright/test";

/** Each file starts its own site with its own storage: see test/e2e/support/site.ts. */
export default defineConfig({
  testDir: "test/e2e",
  timeout: 120_000,
  expect: { timeout: 10_000 },
  workers: 1,
  retries: 0,
  reporter: [["list"]],
  use: {
    actionTimeout: 15_000,
    trace: "retain-on-failure",
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
