/** A queue that runs one task at a time, in order. A failed task does not stop the next one. */
export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task, task);
    last = result;
    return result;
  };
}
