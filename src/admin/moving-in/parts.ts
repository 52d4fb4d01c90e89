import { ITEMS_A_REQUEST, type NewItem } from "#worker/imports/contract.ts";

type Limits<T> = {
  most: number;
  /** Of the JSON of a part; a longer item is a part alone. */
  characters: number;
  /** What of an item is sent. */
  of?: (item: T) => unknown;
};

/** Splits items into the bounded requests that they are sent in. */
export async function* partsOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  { most, characters, of = (item) => item }: Limits<T>,
): AsyncGenerator<T[]> {
  let part: T[] = [];
  let size = 0;
  for await (const item of items) {
    const length = JSON.stringify(of(item)).length;
    if (part.length === most || (part.length > 0 && size + length > characters)) {
      yield part;
      [part, size] = [[], 0];
    }
    part.push(item);
    size += length;
  }
  if (part.length > 0) yield part;
}

/** The requests in which the items of an import are sent: far below what the API takes, whatever they are made of. */
export const requestsOf = (items: Iterable<NewItem> | AsyncIterable<NewItem>) =>
  partsOf(items, { most: ITEMS_A_REQUEST, characters: 800_000 });
