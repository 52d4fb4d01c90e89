/** Something that changes outside React: a base class for `useSyncExternalStore`. */
export class Observable {
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  protected notify() {
    for (const listener of this.#listeners) listener();
  }
}
