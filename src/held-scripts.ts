/**
 * What is read needs no script, so a page's scripts do not compete with its first paint: the server holds them back,
 * and `startScript` starts them when the page has been painted and the browser is idle, or at the first sign that
 * somebody is about to do something.
 */

/** Told to the window once React has taken over. */
export const HYDRATED = "hydrated";

const PRELOAD = /<link rel="modulepreload" href="([^"]+)"\/>/g;
/** As React Router's `<Scripts>` writes it: imports, and the manifest of the page's routes as indented JSON. */
const MODULE_SCRIPT_BODY = /<script type="module" async="">(.*?)(?=<\/script>)/s;
const INDENTATION = /\n\s+/g;
/** No type that a browser runs. */
const HELD = "text/held";

/** A rendered page, its module script and what that imports held back. */
export function holdScripts(html: string) {
  // In development React's refresh, which the script imports first, must come before them.
  const modules = import.meta.env.DEV ? [] : [...html.matchAll(PRELOAD)].map(([, href]) => href);
  const held = `<script type="${HELD}" data-modules="${modules.join(" ")}">`;
  return html
    .replace(PRELOAD, "")
    .replace(MODULE_SCRIPT_BODY, (_, body: string) => held + body.replace(INDENTATION, ""));
}

/**
 * Links, forms and the buttons of popovers work by themselves until then. Other buttons and switches do not: a click on
 * one waits, and is made again once React is there.
 */
export const startScript = () =>
  unindented(`(() => {
  const held = document.querySelector('script[type="${HELD}"]');
  if (!held) return;
  const loaded = new Promise((resolve) => addEventListener("load", resolve));
  const painted = new Promise((resolve) =>
    new PerformanceObserver(resolve).observe({ type: "paint", buffered: true }));
  const signs = ["pointerover", "pointerdown", "touchstart", "keydown", "focusin"];
  const early = new Set();
  const wait = (event) => {
    const control = event.target.closest("button:not([type=submit], [popovertarget]), fieldset input[type=radio]");
    if (!control) return;
    event.preventDefault();
    event.stopPropagation();
    early.add(control);
  };
  const add = (name, properties) => document.head.append(Object.assign(document.createElement(name), properties));
  const start = async () => {
    for (const sign of signs) removeEventListener(sign, start, true);
    if (held.dataset.started) return;
    held.dataset.started = "";
    const modules = held.dataset.modules.split(" ").filter(Boolean);
    for (const href of modules) add("link", { rel: "modulepreload", href });
    // The script would run them all in one long task; so each runs in its own before. It says itself which are missing.
    const entry = held.text.match(/import\\("([^"]+)"\\)/)?.[1];
    for (const href of modules) {
      if (href !== entry) await import(href).catch(() => {});
      await new Promise((next) => setTimeout(next));
    }
    add("script", { type: "module", text: held.text });
  };
  const startIdle = () => (window.requestIdleCallback ? requestIdleCallback(start, { timeout: 1000 }) : start());
  // Within one document, as after a reload, going back changes the address alone.
  const address = location.pathname + location.search;
  const follow = () => {
    if (location.pathname + location.search !== address) location.reload();
  };
  for (const sign of signs) addEventListener(sign, start, { capture: true, passive: true });
  addEventListener("click", wait, true);
  addEventListener("popstate", follow);
  addEventListener("${HYDRATED}", () => {
    removeEventListener("click", wait, true);
    removeEventListener("popstate", follow);
    for (const control of early) control.click();
  });
  Promise.all([loaded, painted]).then(startIdle);
  setTimeout(start, 5000);
})()`);

/** As it is shipped: without comments and indentation. */
const unindented = (script: string) => script.replace(/^ *\/\/.*\n/gm, "").replace(/^ +/gm, "");
