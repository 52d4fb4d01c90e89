import type { Plugin } from "vite";

/** Files of worker/ that contracts, the browser and its service worker need; they import each other only. */
export const pureHelpers =
  "(platform/(plan-limits|artwork/generated-artwork|artwork/numerals|http/csv-cells|http/honeypot|text/cjk|text/costly-markdown|text/direction|text/email-address|text/excerpt|text/fold|text/graphemes|text/html-before-markdown|text/id-in-path|text/typed-link|text/web-addresses|time/zoned-time)|campaigns/frames|embeds/frame|(comments|enquiries)/limits|episodes/(chapter-input/(lines|read-chapter-file)|paragraphs|recurrence|taxonomy|transcript-input/times)|files/(audio/(frames|mp3-head|walk)|ranges)|imports/(beginning-of-xml|foreign-date|references)|settings/podcast-apps|sharing/quote-address|webauthn/words)[.]ts";

/** The importers, in the browser, write the same Markdown as the Worker reads. */
export const markdownSyntax = "platform/text/markdown-syntax[.]ts";

/** All but the contracts, their helpers, and the table of addresses. */
const workerCode = new RegExp(
  `/worker/(?!addresses[.]ts$|.+/contract[.]ts$|(?:${pureHelpers}|${markdownSyntax})$)[^?]+[.]tsx?$`,
);

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
