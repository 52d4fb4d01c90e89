import type { useStore, WritableAtom } from "jotai";

export type Store = ReturnType<typeof useStore>;

export type Change<T> = (value: T) => T;

/** The server's value, and the pending changes, oldest first. */
export type Optimistic<T> = { confirmed: T; pending: readonly Change<T>[] };

export const optimistic = <T>(confirmed: T): Optimistic<T> => ({ confirmed, pending: [] });

/** The value with all pending changes applied. */
export const optimisticValue = <T>({ confirmed, pending }: Optimistic<T>) =>
  pending.reduce((value, change) => change(value), confirmed);

export const addPending = <T>({ confirmed, pending }: Optimistic<T>, change: Change<T>): Optimistic<T> => ({
  confirmed,
  pending: [...pending, change],
});

/** The server has accepted the change. */
export const commit = <T>(state: Optimistic<T>, change: Change<T>): Optimistic<T> =>
  rollBack({ ...state, confirmed: change(state.confirmed) }, change);

/** The server has refused the change; later ones stay. */
export const rollBack = <T>({ confirmed, pending }: Optimistic<T>, change: Change<T>): Optimistic<T> => ({
  confirmed,
  pending: pending.filter((one) => one !== change),
});

/**
 * Shows the change immediately and rolls it back if `request` rejects.
 *
 * @throws what `request` rejects with
 */
export async function updateOptimistically<T>(
  store: Store,
  at: WritableAtom<Optimistic<T>, [Change<Optimistic<T>>], void>,
  change: Change<T>,
  request: () => Promise<unknown>,
) {
  store.set(at, (state) => addPending(state, change));
  try {
    await request();
  } catch (error) {
    store.set(at, (state) => rollBack(state, change));
    throw error;
  }
  store.set(at, (state) => commit(state, change));
}
