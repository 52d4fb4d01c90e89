/** The list with the one at `from` standing at `to`. */
export function moved<T>(list: readonly T[], from: number, to: number) {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1));
}

/**
 * The items in the order of these ids. Who is not among the ids, having come meanwhile, stays behind them; an id without
 * an item is passed over.
 */
export function inOrder<T extends { id: number }>(items: readonly T[], ids: readonly number[]) {
  const place = new Map(ids.map((id, index) => [id, index]));
  const placeOf = ({ id }: T) => place.get(id) ?? ids.length;
  return items.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** In an order of chance (Fisher and Yates); `random` gives 0 up to, not including, 1. */
export function shuffled<T>(list: readonly T[], random: () => number = Math.random) {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last--) {
    const drawn = Math.floor(random() * (last + 1));
    [mixed[last], mixed[drawn]] = [mixed[drawn] as T, mixed[last] as T];
  }
  return mixed;
}
