/** The items in the order of `ids`. Items without an id in the list come last; ids without an item are ignored. */
export function inOrder<T extends { id: number }>(items: readonly T[], ids: readonly number[]) {
  const rank = new Map(ids.map((id, index) => [id, index]));
  const rankOf = ({ id }: T) => rank.get(id) ?? ids.length;
  return items.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Shuffled (Fisher-Yates); `random` returns 0 to 1, without 1. */
export function shuffled<T>(list: readonly T[], random: () => number = Math.random) {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last--) {
    const drawn = Math.floor(random() * (last + 1));
    [mixed[last], mixed[drawn]] = [mixed[drawn] as T, mixed[last] as T];
  }
  return mixed;
}
