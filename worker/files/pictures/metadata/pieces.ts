/** Writes bytes of the file into `target`, from `at` within the piece. */
type Piece = {
  length: number;
  write: (target: Uint8Array, at: number, source: Blob) => Promise<void> | void;
};

/** What is held in memory of a file that is written. */
const CHUNK = 1024 * 1024;

/** A file put together from stretches of another and a few bytes of our own. */
export class Pieces {
  readonly #list: Piece[] = [];
  /** Where the stretch at the end of the list ends in the source. */
  #stretch: { piece: Piece; end: number } | null = null;
  size = 0;

  /** Takes over a stretch of the source. */
  keep(start: number, end: number) {
    if (end <= start) return;
    if (this.#stretch?.end === start && this.#stretch.piece === this.#list.at(-1)) {
      this.#stretch.piece.length += end - start;
      this.#stretch.end = end;
      this.size += end - start;
      return;
    }
    const piece: Piece = {
      length: end - start,
      write: async (target, at, source) => {
        const from = start + at;
        target.set(new Uint8Array(await source.slice(from, from + target.length).arrayBuffer()));
      },
    };
    this.#push(piece);
    this.#stretch = { piece, end };
  }

  add(bytes: Uint8Array) {
    this.#push({
      length: bytes.length,
      write: (target, at) => target.set(bytes.subarray(at, at + target.length)),
    });
  }

  /** One byte again and again. */
  fill(byte: number, length: number) {
    if (length > 0) this.#push({ length, write: (target) => void target.fill(byte) });
  }

  append(others: Pieces) {
    for (const piece of others.#list) this.#push(piece);
  }

  #push(piece: Piece) {
    this.#list.push(piece);
    this.size += piece.length;
  }

  /** The whole file, in chunks of about a megabyte. */
  async *chunks(source: Blob): AsyncGenerator<Uint8Array> {
    let chunk = new Uint8Array(Math.min(CHUNK, this.size));
    let filled = 0;
    let left = this.size;
    for (const piece of this.#list) {
      for (let at = 0; at < piece.length;) {
        const length = Math.min(piece.length - at, chunk.length - filled);
        await piece.write(chunk.subarray(filled, filled + length), at, source);
        at += length;
        filled += length;
        if (filled < chunk.length) continue;
        yield chunk;
        left -= filled;
        chunk = new Uint8Array(Math.min(CHUNK, left));
        filled = 0;
      }
    }
  }

  /** Any stretch of the whole file. */
  async read(source: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(end - start);
    let at = 0;
    for (const piece of this.#list) {
      const from = Math.max(start, at);
      const to = Math.min(end, at + piece.length);
      if (from < to) await piece.write(bytes.subarray(from - start, to - start), from - at, source);
      at += piece.length;
      if (at >= end) break;
    }
    return bytes;
  }

  /** The whole file, or as much of its beginning. */
  async bytes(source: Blob, most = this.size): Promise<Uint8Array<ArrayBuffer>> {
    const beginning = new Uint8Array(Math.min(most, this.size));
    let at = 0;
    for await (const chunk of this.chunks(source)) {
      beginning.set(chunk.subarray(0, beginning.length - at), at);
      at += chunk.length;
      if (at >= beginning.length) break;
    }
    return beginning;
  }
}
