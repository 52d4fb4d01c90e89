import { cutOff, tooManyParts } from "#worker/files/invalid.ts";

const WINDOW = 256 * 1024;
/** Segments, chunks or boxes of a file. A photograph has tens, a long animation thousands. */
const MOST_STEPS = 20_000;

/** Reads a file at the offsets that parsing its structure needs, one window at a time. */
export class Reader {
  readonly size: number;
  readonly #file: Blob;
  #start = 0;
  #window: Uint8Array = new Uint8Array();
  #steps = 0;

  constructor(file: Blob) {
    this.#file = file;
    this.size = file.size;
  }

  /** Counts one part of the file. @throws InvalidFileError when there are too many. */
  step() {
    if (++this.#steps > MOST_STEPS) throw tooManyParts();
  }

  /** @throws InvalidFileError when the file ends before `end`. */
  async bytes(start: number, end: number): Promise<Uint8Array> {
    return (await this.ahead(start, end - start)).subarray(0, end - start);
  }

  /** Bytes for the caller alone, who may change them. @throws InvalidFileError when the file ends before `end`. */
  async take(start: number, end: number) {
    if (end > this.size) throw cutOff();
    return new Uint8Array(await this.#file.slice(start, end).arrayBuffer());
  }

  async view(start: number, length: number): Promise<DataView> {
    const bytes = await this.bytes(start, start + length);
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  }

  /** What the window holds from here on, but no less than asked. */
  async ahead(start: number, least = 1): Promise<Uint8Array> {
    if (start + least > this.size) throw cutOff();
    if (start < this.#start || start + least > this.#start + this.#window.length) {
      const end = Math.min(this.size, start + Math.max(least, WINDOW));
      this.#window = new Uint8Array(await this.#file.slice(start, end).arrayBuffer());
      this.#start = start;
    }
    return this.#window.subarray(start - this.#start);
  }
}
