/**
 * What is read needs no script, so a page's scripts do not compete with its first paint: the server holds them back,
 * and `inline/start.ts` starts them at the first sign that somebody is there, or some seconds later.
 */

/** Told to the window once React has taken over. */
export const HYDRATED = "hydrated";

/** The root element's class until then, for whoever comes to the beginning of a page. */
export const ARRIVING = "arriving";

/** Of the place of a frame whose page comes once ours has been shown; who has no scripts has it in the element after it. */
export const FRAME = "data-frame";

const INDENTATION = /\n\s+/g;
/** No types that a browser runs: of the module script, and of those that run before it. */
export const HELD = "text/held";
export const HELD_BEFORE = "text/held-before";

/** Whatever in the rendered page has the render's nonce is React Router's `<Scripts>`, or of `root.tsx`. */
const patternsOf = (nonce: string) => ({
  preload: new RegExp(`<link rel="modulepreload" href="([^"]+)" nonce="${nonce}"/>`, "g"),
  /** In the body these are React Router's and for its data. */
  classic: `<script nonce="${nonce}">`,
  /** Imports, and the manifest of the page's routes as indented JSON. */
  module: new RegExp(`<script nonce="${nonce}" type="module" async="">(.*?)(?=</script>)`, "s"),
});

/** A rendered page, its module script, what that imports and what it reads held back. */
export function holdScripts(html: string, nonce: string) {
  const { preload, classic, module } = patternsOf(nonce);
  // In development React's refresh, which the script imports first, must come before them.
  const modules = import.meta.env.DEV ? [] : [...html.matchAll(preload)].map(([, href]) => href);
  const list = modules.length > 0 ? ` data-modules="${modules.join(" ")}"` : "";
  const held = `<script nonce="${nonce}" type="${HELD}"${list}>`;
  const body = html.indexOf("<body");
  return (
    html.slice(0, body).replace(preload, "") +
    html
      .slice(body)
      .replaceAll(classic, `<script nonce="${nonce}" type="${HELD_BEFORE}">`)
      .replace(module, (_, script: string) => held + script.replace(INDENTATION, ""))
  );
}
