import { createWorker } from "#worker/entry.ts";
import * as jobs from "#worker/jobs.ts";
import * as site from "#worker/site.ts";

/** The Worker with all of it read at the start: a queue may deliver when a test file has ended, and loads nothing more. */
export default createWorker({
  loadSite: () => Promise.resolve(site),
  loadJobs: () => Promise.resolve(jobs),
});
