import type { Plugin } from "vite";

/** All but the contracts, their helpers, and the table of addresses. */
const workerCode =
  /\/worker\/(?!addresses\.ts$|.*\/(?:beginning|contract|costly-markdown|csv-cells|direction|for-markdown|frames?|graphemes|landform|limits|paragraphs|ranges|recurrence|taxonomy)\.ts$)[^?]+\.tsx?$/;

/** Fails the build if code that runs on the Worker would be shipped to the browser. */
export function keepWorkerOutOfBrowser(): Plugin {
  return {
    name: "keep-worker-out-of-browser",
    enforce: "pre",
    load(id) {
      if (this.environment.name !== "client" || !workerCode.test(id.replaceAll("\\", "/"))) return;
      this.error(
        `${id} runs on the Worker and would be shipped to the browser. ` +
          "Import types from it, a contract.ts beside it, or call its use case inside a loader.",
      );
    },
  };
}
