/**
 * Polyfills for the admin area and its libraries, for Safari before 18 and Firefox before 126. Public pages avoid these
 * features, which saves bytes.
 */

URL.parse ??= (url, base) => {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
};

URL.canParse ??= (url, base) => URL.parse(url, base) !== null;

Promise.withResolvers ??= <T>() => {
  let resolve!: PromiseWithResolvers<T>["resolve"];
  let reject!: PromiseWithResolvers<T>["reject"];
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
};

Map.groupBy ??= <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

if (!("size" in URLSearchParams.prototype)) {
  Object.defineProperty(URLSearchParams.prototype, "size", {
    get(this: URLSearchParams) {
      return [...this].length;
    },
  });
}
