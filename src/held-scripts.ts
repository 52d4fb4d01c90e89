/**
 * What is read needs no script, so a page's scripts do not compete with its first paint: the server holds them back,
 * and `startScript` starts them when the page has loaded and the browser is idle, or at the first sign that somebody
 * is about to do something.
 */

/** Told to the window once React has taken over. */
export const HYDRATED = "hydrated";

const PRELOAD = /<link rel="modulepreload" href="([^"]+)"\/>/g;
/** As React Router's `<Scripts>` writes it. */
const MODULE_SCRIPT = '<script type="module" async="">';
/** No type that a browser runs. */
const HELD = "text/held";

/** A rendered page, its module script and what that imports held back. */
export function holdScripts(html: string) {
  const modules = [...html.matchAll(PRELOAD)].map(([, href]) => href);
  return html
    .replace(PRELOAD, "")
    .replace(MODULE_SCRIPT, `<script type="${HELD}" data-modules="${modules.join(" ")}">`);
}

/**
 * Links, forms and the buttons of popovers work by themselves until then. Other buttons and switches do not: a click on
 * one waits, and is made again once React is there.
 */
export const startScript = `(() => {
  const held = document.querySelector('script[type="${HELD}"]');
  if (!held) return;
  const signs = ["pointerover", "pointerdown", "touchstart", "keydown", "focusin"];
  const early = new Set();
  const wait = (event) => {
    const control = event.target.closest("button:not([type=submit], [popovertarget]), fieldset input[type=radio]");
    if (!control) return;
    event.preventDefault();
    event.stopPropagation();
    early.add(control);
  };
  const start = () => {
    for (const sign of signs) removeEventListener(sign, start, true);
    if (held.dataset.started) return;
    held.dataset.started = "";
    for (const href of held.dataset.modules.split(" ")) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
    document.head.append(Object.assign(document.createElement("script"), { type: "module", text: held.text }));
  };
  const startIdle = () => (window.requestIdleCallback ? requestIdleCallback(start, { timeout: 1000 }) : setTimeout(start));
  // Within one document, as after a reload, going back changes the address alone.
  const shown = location.pathname + location.search;
  const follow = () => {
    if (location.pathname + location.search !== shown) location.reload();
  };
  for (const sign of signs) addEventListener(sign, start, { capture: true, passive: true });
  addEventListener("click", wait, true);
  addEventListener("popstate", follow);
  addEventListener("${HYDRATED}", () => {
    removeEventListener("click", wait, true);
    removeEventListener("popstate", follow);
    for (const control of early) control.click();
  });
  addEventListener("load", startIdle);
  setTimeout(start, 5000);
})()`;
