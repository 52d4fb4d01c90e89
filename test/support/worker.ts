import { createDoors } from "#worker/doors.ts";
import * as jobs from "#worker/jobs.ts";
import * as site from "#worker/site.ts";

/** The Worker with all of it read at the start: a queue may deliver when a test file has ended, and loads nothing more. */
export default createDoors({
  loadSite: () => Promise.resolve(site),
  loadJobs: () => Promise.resolve(jobs),
});
