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
 * started is deleted; one that runs although its start seemed to fail, or was cancelled, is returned.
 */
export async function sendImport(
  json: NewImport,
  items: Iterable<NewItem> | AsyncIterable<NewItem>,
  { signal, until, onCreated }: Options,
) {
  const { id } = await until(() => readJson(api.imports.$post({ json })));
  const param = { id: String(id) };
  let isSent = false;
  try {
    onCreated?.(id);
    for await (const part of requestsOf(items))
      await until(() => readJson(api.imports[":id"].items.$post({ param, json: { items: part } })));
    signal.throwIfAborted();
    isSent = true;
    await until(() => startOnce(param, () => ensureOk(api.imports[":id"].start.$post({ param, query: {} }))));
    return id;
  } catch (error) {
    const deletion = deleteUnlessStarted(param);
    if (isSent && !(await deletion)) return id;
    throw error;
  }
}

/** Whether it was deleted. It may run, or have ended, although the answer to its start was lost: then it stays. */
export async function deleteUnlessStarted(param: { id: string }) {
  try {
    const { state } = await readJson(api.imports[":id"].$get({ param }));
    if (state !== "open") return false;
    await ensureOk(api.imports[":id"].$delete({ param }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return false;
    console.error(error);
  }
  return true;
}

/** Starts it. If it runs already, the answer to an earlier request was lost. */
export async function startOnce(param: { id: string }, start: () => Promise<unknown>) {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    const { state } = await readJson(api.imports[":id"].$get({ param }));
    if (state === "open") throw error;
  }
}
