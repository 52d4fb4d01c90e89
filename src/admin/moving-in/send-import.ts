import { ApiError, api, ensureOk, readJson } from "#site/api.ts";
import type { NewImport, NewItem } from "#worker/imports/contract.ts";
import { requestsOf } from "./parts.ts";

type Options = {
  signal: AbortSignal;
  until: <T>(send: () => Promise<T>) => Promise<T>;
  /** The import may run, and end, before the answer to its start arrives. */
  onCreated?: (id: number) => void;
};

/**
 * Creates an import, sends its items and starts it: the page may be closed from then on. An import that could not be
 * started is deleted.
 */
export async function sendImport(
  json: NewImport,
  items: Iterable<NewItem> | AsyncIterable<NewItem>,
  { signal, until, onCreated }: Options,
) {
  const { id } = await until(() => readJson(api.imports.$post({ json })));
  const param = { id: String(id) };
  try {
    onCreated?.(id);
    for await (const part of requestsOf(items))
      await until(() => readJson(api.imports[":id"].items.$post({ param, json: { items: part } })));
    signal.throwIfAborted();
    await until(() => startOnce(param));
    return id;
  } catch (error) {
    void ensureOk(api.imports[":id"].$delete({ param })).catch(console.error);
    throw error;
  }
}

/** Starts it. If it runs already, the answer to an earlier request was lost. */
async function startOnce(param: { id: string }) {
  try {
    await ensureOk(api.imports[":id"].start.$post({ param, query: {} }));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    const { state } = await readJson(api.imports[":id"].$get({ param }));
    if (state === "open") throw error;
  }
}
