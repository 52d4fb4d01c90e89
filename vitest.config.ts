import { builtinModules } from "node:module";
import { availableParallelism } from "node:os";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vitest/config";
import { describedApi } from "./scripts/described-api.ts";
import { inlineScripts } from "./scripts/inline-scripts.ts";
import { trackerFile } from "./scripts/tracker-file.ts";
import { answerWithShareFont } from "./test/support/share-fonts.ts";
import { migratedSchema } from "./test/support/migrated-schema.ts";
import { trustTestAuthority } from "./test/support/smtp-certificate.ts";

await trustTestAuthority();
const { cloudflareTest, readD1Migrations } = await import("@cloudflare/vitest-plugin");

// Vitest leaves a core to itself, of two as well; it has little to do while a file runs.
const maxWorkers = Math.max(2, availableParallelism() - 1);

/** Milliseconds. No test is about the machine's speed: this only ends what hangs. */
const TEST_TIMEOUT = 900_000;

export default defineConfig({
  test: {
    fsModuleCache: false,
    maxWorkers,
    // What a passed test logs is expected: an error that it provokes would look like one of the run.
    silent: "passed-only",
    // Without the summary that redraws itself: `npm test` shows the browser tests in the same terminal.
    reporters: [["default", { summary: false }]],
    projects: [
      {
        // Logic that needs no binding, and the repository's own scripts.
        test: {
          name: "node",
          include: ["test/node/*.test.{ts,tsx}"],
          pool: "threads",
          // Each file's imports, read again, took a tenth of the time of all.
          isolate: false,
          testTimeout: TEST_TIMEOUT,
          hookTimeout: TEST_TIMEOUT,
          setupFiles: ["./test/support/restore.ts"],
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Fixtures that no browser shows or plays.
        assetsInclude: [
          "**/*.gz",
          "**/*.oga",
          "**/*.heic",
          "**/*.aiff",
          "**/*.3gp",
          "**/fixtures/made/recordings/*",
        ],
        plugins: [
          cloudflareTest(async () => ({
            main: "./test/support/worker.ts",
            wrangler: { configPath: "./wrangler.toml" },
            remoteBindings: false,
            miniflare: {
              bindings: {
                EDGE_CACHE: "off",
                // React's production build, which renders a page in half of the time.
                NODE_ENV: "production",
                MIGRATIONS: await readD1Migrations("migrations"),
                SCHEMA: migratedSchema(await readD1Migrations("migrations")),
                SWEEPS: process.env["SWEEPS"] ?? "",
                FAULTS_SEED: process.env["FAULTS_SEED"] ?? "",
                RESEND_WEBHOOK_SECRET: "whsec_cm9zdHJ1bS10ZXN0cy1zaWduaW5nLXNlY3JldA==",
              },
              // Of the built files the Worker asks only for these, and nothing is built before these tests.
              serviceBindings: { ASSETS: answerWithShareFont },
              // Not EMAIL, by which all mails would leave.
              email: { send_email: [{ name: "TEST_EMAIL" }] },
            },
          })),
          inlineScripts(),
          trackerFile(),
          describedApi(),
          reactRouter(),
          // React Router's plugin compiles for React's development build unless Vite builds.
          { name: "production-jsx", config: () => ({ oxc: { jsx: { development: false } } }) },
        ],
        test: {
          name: "workerd",
          include: ["test/*.test.{ts,tsx}"],
          // The files of one workerd share its modules: reading the whole site takes longer than most files' tests.
          isolate: false,
          testTimeout: TEST_TIMEOUT,
          hookTimeout: TEST_TIMEOUT,
          globalSetup: [
            "./test/support/smtp-server.ts",
            "./test/support/hub-server.ts",
            "./test/support/webhook-server.ts",
            "./test/support/podcast-host.ts",
            "./test/support/html-validator.ts",
            "./test/support/resend-server.ts",
            "./test/support/stripe-server.ts",
            "./test/support/turnstile-server.ts",
            "./test/support/leaked-passwords-server.ts",
            "./test/support/linkedin-server.ts",
            "./test/support/transcription-server.ts",
            "./test/support/text-model-server.ts",
          ],
          setupFiles: ["./test/support/restore.ts", "./test/support/setup.ts"],
          sequence: { groupOrder: 1 },
          deps: {
            optimizer: {
              // CommonJS that requires an ES module does not load in workerd unless it is bundled first; and icons are
              // nearly two thousand modules.
              ssr: {
                enabled: true,
                include: ["podcast-partytime", "lucide-react"],
                rolldownOptions: { external: [...builtinModules, /^node:/] },
              },
            },
          },
        },
      },
    ],
  },
});
