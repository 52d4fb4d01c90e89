import { readdirSync, readFileSync } from "node:fs";

/**
 * Milliseconds of processor time that this process's workerds have used so far. A machine with other work to do takes
 * longer by the clock, but hardly by this. NaN if there is no /proc.
 */
export function processorTime() {
  const workerds = findWorkerds();
  if (workerds.length === 0) return Number.NaN;
  return workerds.reduce((sum, id) => sum + timeOf(id), 0);
}

/**
 * Milliseconds of processor time of all threads of a process, by the scheduler, which counts nanoseconds; `stat` counts
 * hundredths of a second.
 */
export function timeOf(id: string) {
  const threads = readdirSync(`/proc/${id}/task`);
  return threads.reduce((sum, thread) => sum + nanosecondsOf(`/proc/${id}/task/${thread}`), 0) / 1e6;
}

/** The same of its main thread: in workerd, the one that runs all JavaScript. V8 compiles and collects in others, too. */
export const timeOfMainThread = (id: string) => nanosecondsOf(`/proc/${id}`) / 1e6;

/** A thread may end while the list is read. */
function nanosecondsOf(path: string) {
  try {
    return Number(readFileSync(`${path}/schedstat`, "utf8").split(" ")[0]);
  } catch {
    return 0;
  }
}

/** The process ids of this process's workerds; empty without /proc. */
export function findWorkerds() {
  try {
    return readdirSync("/proc").filter((id) => /^\d+$/.test(id) && isWorkerd(id));
  } catch {
    return [];
  }
}

/** A process may end while the list is read. */
function isWorkerd(id: string) {
  try {
    const isOurs = statOf(id)[1] === String(process.pid);
    return isOurs && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("workerd");
  } catch {
    return false;
  }
}

/** The fields after the name, which may hold anything but ends in the last parenthesis: state, parent, … */
const statOf = (id: string) => readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)!.split(" ");
