/**
 * Public pages hydrate after their first paint (docs/decisions/0010). The server makes React Router's module script
 * inert, and `inline/hydrate.ts` decides when to run it.
 */

/** Dispatched on the window once React has hydrated the document. */
export const HYDRATED = "hydrated";

/** Attribute of a part of the page whose code loads later, and the event that it dispatches once hydrated. */
export const LATE = "data-late";
export const LATE_HYDRATED = "late-hydrated";

/** Class of the root element until the document is hydrated, on a page that is shown from its top: see `inline/first-layout.ts`. */
export const FIRST_LAYOUT = "first-layout";

/** Attribute of an empty element that gets the iframe of the `<noscript>` after it, once the page has been painted. */
export const FRAME = "data-frame";
/** Attribute of that element once the iframe has loaded. */
export const LOADED = "data-loaded";

/** Script type that no browser runs. */
export const DEFERRED = "text/deferred";

type Render = {
  nonce: string;
  entryModule: string;
  /** The address of a script that is loaded after all others: see `inline/counting.ts`. */
  lastScript: string;
  /**
   * In development no modules are listed, since React Refresh, the script's first import, must run before all others.
   */
  isDevelopment: boolean;
};

/** Indentation of the manifest in React Router's script. */
const INDENTATION = /\n\s+/g;

/**
 * Makes the module script of a rendered page inert, and moves its imports from `modulepreload` links into
 * `data-modules`. Depends on the output of `<Scripts>`: one async module script and its preloads, all with the renderer's
 * nonce. Omits `entryModule` from the list, since evaluating it hydrates the page.
 *
 * @throws if the page has no such script, perhaps after an upgrade of the router
 */
export function deferHydration(html: string, { nonce, entryModule, lastScript, isDevelopment }: Render) {
  const moduleScript = new RegExp(`<script nonce="${nonce}" type="module" async="">(.*?)(?=</script>)`, "s");
  if (!moduleScript.test(html)) throw new Error("The page has no module script that could be deferred.");
  const preload = new RegExp(`<link rel="modulepreload" href="([^"]+)" nonce="${nonce}"/>`, "g");
  const modules = isDevelopment
    ? []
    : [...html.matchAll(preload)].map(([, href]) => href).filter((href) => href !== entryModule);
  const tag = `<script nonce="${nonce}" type="${DEFERRED}" data-modules="${modules.join(" ")}" data-last="${lastScript}">`;
  return html
    .replace(preload, "")
    .replace(moduleScript, (_, script: string) => tag + script.replace(INDENTATION, ""));
}
