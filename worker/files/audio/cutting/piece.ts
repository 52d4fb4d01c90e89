/** Where the next piece of a recording begins: a byte, or in an MP4 a sample; and the time that its first sound is played. */
export type Position = {
  at: number;
  /** From the start of the recording, as players count it. May be slightly negative: encoders begin with silence. */
  seconds: number;
  /** Of an Ogg: the bytes of its stream's headers, and the count of samples before this page. */
  stream?: { head: [start: number, end: number]; samples: number };
};

/** A piece begins `overlap` seconds before the end of the one before it. */
export type Limits = { seconds: number; overlap: number; bytes: number };

/** A file of its own that any program decodes, and its time in the recording. */
export type Piece = {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  extension: string;
  start: number;
  end: number;
  /** Null behind the last piece. */
  next: Position | null;
};

/** A frame, page or sample, with its time. */
export type Unit = { at: number; bytes: number; start: number; stop: number; canBegin?: boolean };

/**
 * Collects consecutive units until a piece is full. `next` is the last unit that can begin a piece with the whole overlap, so that
 * each sound of the recording is whole in at least one piece.
 */
export class Collector {
  readonly #limits: Limits;
  #first: Unit | null = null;
  #last: Unit | null = null;
  /** Units that may begin the next piece: those of the last `overlap` seconds, and one before. */
  #starts: Unit[] = [];
  /** The unit that no longer fits. */
  #refused: Unit | null = null;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** False if the unit no longer fits. */
  add(unit: Unit) {
    this.#first ??= unit;
    const { seconds, overlap, bytes } = this.#limits;
    const isFirst = unit === this.#first;
    const isOver = unit.stop - this.#first.start > seconds || this.#bytes + unit.bytes > bytes;
    if (isOver && !isFirst) {
      this.#refused = unit;
      return false;
    }
    this.#bytes += unit.bytes;
    this.#last = unit;
    if (!isFirst && unit.canBegin !== false) {
      this.#starts.push(unit);
      while ((this.#starts[1]?.start ?? Infinity) <= unit.stop - overlap) this.#starts.shift();
    }
    return true;
  }

  get first() {
    return this.#first;
  }

  get last() {
    return this.#last;
  }

  /** The unit with which the next piece begins; null if all fit. */
  get next() {
    return this.#refused && (this.#starts[0] ?? this.#refused);
  }
}

export function joinBytes(...parts: Uint8Array[]) {
  const joined = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
