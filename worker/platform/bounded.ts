/** A map of what is dear to find out and asked for often; it forgets everything when it would grow beyond so many. */
export function bounded<Value>(most: number) {
  const known = new Map<string, Value>();
  return {
    get: (key: string) => known.get(key),
    set(key: string, value: Value) {
      if (known.size >= most) known.clear();
      known.set(key, value);
    },
  };
}
