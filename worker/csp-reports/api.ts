import { recordCspReport } from "#worker/csp-reports/commands.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readBytes, router } from "#worker/platform/http/router.ts";
import { logError } from "#worker/platform/log.ts";

/** Bytes. Each of Chrome's reports includes the whole policy. */
const MAX_REPORTS_BYTES = 64 * 1024;

/** The content types of the Reporting API, and of CSP's own format. */
const REPORT = /^application\/(?:reports\+json|csp-report)\s*(?:;|$)/i;

/** A browser ignores the answer, so it is 204 for everything that arrives. */
export const cspReportsApi = router().post("/", async (c) => {
  const { body } = c.req.raw;
  if (body !== null && REPORT.test(c.req.header("Content-Type") ?? "")) {
    const recording = readBytes(body, MAX_REPORTS_BYTES).then(async (bytes) =>
      recordCspReport(c.var.ctx, await bytes.text()),
    );
    await recording.catch((error: unknown) => {
      // Too large: no browser's.
      if (!(error instanceof AppError)) logError("csp: a report was not counted", error);
    });
  }
  return c.body(null, 204);
});
