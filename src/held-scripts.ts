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

const PRELOAD = /<link rel="modulepreload" href="([^"]+)"\/>/g;
/** As React Router's `<Scripts>` writes it: imports, and the manifest of the page's routes as indented JSON. */
const MODULE_SCRIPT_BODY = /<script type="module" async="">(.*?)(?=<\/script>)/s;
const INDENTATION = /\n\s+/g;
/** No type that a browser runs. */
export const HELD = "text/held";

/** A rendered page, its module script and what that imports held back. */
export function holdScripts(html: string) {
  // In development React's refresh, which the script imports first, must come before them.
  const modules = import.meta.env.DEV ? [] : [...html.matchAll(PRELOAD)].map(([, href]) => href);
  const list = modules.length > 0 ? ` data-modules="${modules.join(" ")}"` : "";
  const held = `<script type="${HELD}"${list}>`;
  return html
    .replace(PRELOAD, "")
    .replace(MODULE_SCRIPT_BODY, (_, body: string) => held + body.replace(INDENTATION, ""));
}
