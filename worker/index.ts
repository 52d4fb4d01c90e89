import { createWorker } from "#worker/entry.ts";

/** Worker entry. Imports the site on the first cache miss, so that cache hits skip its start-up cost. */
export default createWorker({
  loadSite: () => import("#worker/site.ts"),
  loadJobs: () => import("#worker/jobs.ts"),
});
