/** Milliseconds of processor time that this thread takes for the work: a busy machine does not change them. */
export function processorTime(work: () => void) {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
