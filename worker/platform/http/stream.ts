/** A UTF-8 body of these parts, each produced on demand. */
export function streamOf(parts: AsyncIterable<string> | Iterable<string>) {
  const encoder = new TextEncoder();
  const iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
