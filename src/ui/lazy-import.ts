/** The file no longer exists on the server: a newer version of the site was deployed. */
export class GoneError extends Error {}

/** Dispatched on the window where a `GoneError` is. */
export const GONE = "gone";

/**
 * A dynamic import that can be retried. Most browsers cache a failed module fetch as long as the page is open
 * (https://github.com/whatwg/html/pull/10327, of 2026, ends that), so a retry adds a query to the module's address,
 * which the error message names. If the message names none, the import is simply repeated. Modules that did load keep
 * their addresses: under another address they would be duplicates.
 *
 * A shared module is bundled with others and its exports are renamed. It needs an entry file (`favorites-entry.ts`),
 * which has the right export names and is all that a retry duplicates.
 *
 * Rejects with a `GoneError` if the file was deleted by a deployment, with another error without a connection.
 */
export function lazyImport<Module>(load: () => Promise<Module>) {
  let failed: string | undefined;
  let tries = 0;
  let loaded: Promise<Module> | undefined;
  const attempt = async (): Promise<Module> => {
    try {
      return await (failed ? import(/* @vite-ignore */ `${failed}?again=${++tries}`) : load());
    } catch (error) {
      failed ??= ADDRESS.exec(String(error))?.[0];
      loaded = undefined;
      if (!(await isGone(failed))) throw error;
      dispatchEvent(new Event(GONE));
      throw new GoneError(String(error));
    }
  };
  return () => (loaded ??= attempt());
}

/** Whether the server answers without the file. If the browser does not name the file (Safari), any answer counts. */
const isGone = (file?: string) =>
  fetch(file ?? location.href, { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => !file || !ok,
    () => false,
  );

type Styled = { loadStyle: () => Promise<unknown> };

/** The same for a module that needs its style sheet before it renders. */
export function lazyStyledImport<Module extends Styled>(load: () => Promise<Module>) {
  const importModule = lazyImport(load);
  return async () => {
    const module = await importModule();
    await module.loadStyle();
    return module;
  };
}

const ADDRESS = /https?:\/\/\S+\.js/;
