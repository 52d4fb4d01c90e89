import type { useStore, WritableAtom } from "jotai";

export type Store = ReturnType<typeof useStore>;

export type Change<T> = (value: T) => T;

/** What the server has, and what it was asked to make of that without having answered yet, oldest first. */
export type Held<T> = { kept: T; asked: readonly Change<T>[] };

export const hold = <T>(kept: T): Held<T> => ({ kept, asked: [] });

/** As it will be when all is granted. */
export const shown = <T>({ kept, asked }: Held<T>) => asked.reduce((value, change) => change(value), kept);

export const ask = <T>({ kept, asked }: Held<T>, change: Change<T>): Held<T> => ({
  kept,
  asked: [...asked, change],
});

export const granted = <T>(held: Held<T>, change: Change<T>): Held<T> =>
  refused({ ...held, kept: change(held.kept) }, change);

export const refused = <T>({ kept, asked }: Held<T>, change: Change<T>): Held<T> => ({
  kept,
  asked: asked.filter((one) => one !== change),
});

/** Shows the change at once, while `work` asks for it; takes it back when that fails. */
export async function optimistically<T>(
  store: Store,
  at: WritableAtom<Held<T>, [Change<Held<T>>], void>,
  change: Change<T>,
  work: () => Promise<unknown>,
) {
  store.set(at, (held) => ask(held, change));
  try {
    await work();
  } catch (error) {
    store.set(at, (held) => refused(held, change));
    throw error;
  }
  store.set(at, (held) => granted(held, change));
}
