/**
 * Loads a part, and can be asked again when that failed. Most browsers remember that a module could not be fetched and do
 * not ask for it again as long as the page is open (https://github.com/whatwg/html/pull/10327, of 2026, ends that); under
 * another address they do. Their message says which; one that does not is left to ask again by itself.
 */
export function retriable<Part>(load: () => Promise<Part>) {
  let missing: string | undefined;
  let tries = 0;
  return async (): Promise<Part> => {
    try {
      return await (missing ? import(/* @vite-ignore */ `${missing}?again=${++tries}`) : load());
    } catch (error) {
      missing ??= ADDRESS.exec(String(error))?.[0];
      throw error;
    }
  };
}

type Styled = { loadStyle: () => Promise<unknown> };

/** The same of a part that is not to be shown before its style sheet is here. */
export function styled<Part extends Styled>(load: () => Promise<Part>) {
  const loadPart = retriable(load);
  return async () => {
    const part = await loadPart();
    await part.loadStyle();
    return part;
  };
}

const ADDRESS = /https?:\/\/\S+\.js/;
