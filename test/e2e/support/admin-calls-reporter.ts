import { globSync } from "node:fs";
import { basename } from "node:path";
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestResult,
} from "@playwright/test/reporter";
import { testsOfCalls, unsentCalls, type SentRequest } from "./admin-calls.ts";
import { SENT } from "./record-requests.ts";

/**
 * Fails a run of the whole suite in which no test sent one of the admin area's requests with success. A run of a part is
 * not judged: of some files, or without what only `npm run test:full` runs.
 */
export default class AdminCallsReporter implements Reporter {
  #isWhole = false;
  #sent: (SentRequest & { test: string })[] = [];

  onBegin(config: FullConfig, suite: Suite) {
    const files = new Set(suite.allTests().map(({ location }) => location.file));
    this.#isWhole =
      files.size === globSync(`${config.rootDir}/*.spec.ts`).length &&
      String(config.grep) === String(/.*/) &&
      config.grepInvert === null;
  }

  onTestEnd({ location, title }: TestCase, { annotations }: TestResult) {
    const test = `${basename(location.file)}: ${title}`;
    for (const { type, description } of annotations)
      if (type === SENT) this.#sent.push({ ...(JSON.parse(description!) as SentRequest), test });
  }

  async onEnd({ status }: FullResult) {
    if (process.env["ADMIN_REQUESTS"] === "list") console.log(testsOfCalls(this.#sent));
    if (!this.#isWhole || status !== "passed") return;
    const unsent = unsentCalls(this.#sent);
    if (unsent.length === 0) return;
    console.error(`No browser test sends these requests of the admin area:\n${unsent.join("\n")}`);
    return { status: "failed" as const };
  }
}
