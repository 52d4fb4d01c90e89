import { createDoors } from "#worker/doors.ts";

/** An isolate starts with the little that stands here, and reads the rest when something is to be made. */
export default createDoors({
  loadSite: () => import("#worker/site.ts"),
  loadJobs: () => import("#worker/jobs.ts"),
});
