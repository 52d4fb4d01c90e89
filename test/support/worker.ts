import "#worker/api.ts";
import { createWorker } from "#worker/entry.ts";
import { loadZipLibrary } from "#worker/exports/zip.ts";
import * as jobs from "#worker/jobs.ts";
import * as site from "#worker/site.ts";

// Vitest asks its server at each import, also of a loaded module. A download that is cancelled before the answer would
// leave all later imports of the library waiting for it.
await loadZipLibrary();

/**
 * The Worker with all of it read at the start: a queue may deliver when a test file has ended, and loads nothing more.
 * What tests of other things have counted is dropped there: its consumer is called by its own tests.
 */
const worker = createWorker({
  loadSite: () => Promise.resolve(site),
  loadJobs: () => Promise.resolve(jobs),
});

export default {
  ...worker,
  queue: async (...[batch, env, execution]: Parameters<typeof worker.queue>) => {
    if (batch.queue === "rostrum-events") batch.ackAll();
    else await worker.queue(batch, env, execution);
  },
} satisfies ExportedHandler<Env, never>;
