import { PATIENCE, within } from "#worker/platform/time/within.ts";

const METHODS = new Set<string | symbol>(["get", "getWithMetadata", "put", "delete", "list"]);

/** KV whose calls fail if they take longer than a second. Each caller continues without its answer. */
export const boundedKv = (kv: KVNamespace): KVNamespace =>
  new Proxy(kv, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const call = (...given: unknown[]) => Reflect.apply(value, target, given) as Promise<unknown>;
      return METHODS.has(name)
        ? (...given: unknown[]) => within(PATIENCE, `KV.${String(name)}`, call(...given))
        : call;
    },
  });
