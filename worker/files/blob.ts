const KB = 1024;
const FIRST_READ = 256 * KB;
const LONGEST_READ = 16 * 1024 * KB;

type Source = { bucket: R2Bucket; key: string; size: number };
type Read = (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>;
type Window = { start: number; end: number; bytes: Uint8Array<ArrayBuffer> };

/** R2 did not answer: the file may be intact, and reading it may be retried. */
export class StorageError extends Error {}

/** An object in R2 as a Blob: a slice costs nothing until it is read, and then only the bytes around it. */
export class StoredBlob implements Blob {
  readonly size: number;
  readonly type: string;
  readonly #read: Read;
  readonly #start: number;

  constructor(read: Read, { start, size, type }: { start: number; size: number; type: string }) {
    this.#read = read;
    this.#start = start;
    this.size = size;
    this.type = type;
  }

  slice(start = 0, end = this.size, type = this.type) {
    const from = Math.min(start, this.size);
    const to = Math.max(from, Math.min(end, this.size));
    return new StoredBlob(this.#read, { start: this.#start + from, size: to - from, type });
  }

  bytes() {
    return this.#read(this.#start, this.#start + this.size);
  }

  async arrayBuffer() {
    return (await this.bytes()).slice().buffer;
  }

  async text() {
    return new TextDecoder().decode(await this.bytes());
  }

  stream() {
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: async (controller) => {
        controller.enqueue(await this.bytes());
        controller.close();
      },
    });
  }
}

/** `longest`: bytes of one fetch when a file is read from start to end. */
export const openStored = (source: Source, type: string, longest = LONGEST_READ) =>
  new StoredBlob(readAhead(source, longest), { start: 0, size: source.size, type });

/**
 * Read-ahead: parsers read a few bytes at a time, and each read of R2 costs milliseconds. Each fetch is larger than
 * requested, doubles while the parser reads sequentially, and the last two windows stay in memory.
 */
function readAhead(source: Source, longest: number): Read {
  let windows: Window[] = [];
  let ahead = FIRST_READ;
  return async (start, end) => {
    let window = windows.find((candidate) => candidate.start <= start && end <= candidate.end);
    if (!window) {
      ahead = windows.some((last) => last.start < start && start - last.end <= ahead)
        ? ahead * 2
        : FIRST_READ;
      ahead = Math.min(ahead, longest);
      window = await readWindow(source, start, Math.max(end, start + ahead));
      windows = [window, ...windows.slice(0, 1)];
    }
    return window.bytes.subarray(start - window.start, end - window.start);
  };
}

async function readWindow({ bucket, key, size }: Source, wanted: number, wantedEnd: number): Promise<Window> {
  const end = Math.min(wantedEnd, size);
  // Trailers are read backwards from the end of a file, so its last part is fetched in one read.
  const start = end === size ? Math.min(wanted, Math.max(0, size - FIRST_READ)) : wanted;
  if (end - start > 2 * LONGEST_READ) throw new RangeError(`${end - start} bytes are too many for one read.`);
  const object = await bucket
    .get(key, { range: { offset: start, length: end - start } })
    .catch((cause: unknown) => {
      throw new StorageError(`${key} could not be read`, { cause });
    });
  if (!object) throw new StorageError(`${key} is not in storage`);
  return { start, end, bytes: new Uint8Array(await object.arrayBuffer()) };
}
