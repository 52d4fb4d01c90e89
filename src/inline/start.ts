/**
 * Starts a page's scripts, which the server held back (`src/held-scripts.ts`). Links, forms and the buttons of popovers
 * work by themselves until then. Other buttons and switches do not: a click on one waits, and is made again once React is
 * there.
 */
import type { HELD, HYDRATED } from "../held-scripts.ts";

const type: typeof HELD = "text/held";
const hydrated: typeof HYDRATED = "hydrated";

const loaded = new Promise((resolve) => addEventListener("load", resolve));
const painted = new Promise((resolve) =>
  new PerformanceObserver(resolve).observe({ type: "paint", buffered: true }),
);
const signs = ["pointerover", "pointerdown", "touchstart", "keydown", "focusin"];
const early = new Set<HTMLElement>();

const wait = (event: Event) => {
  const control = (event.target as Element).closest<HTMLElement>(
    "button:not([type=submit], [popovertarget]), fieldset input[type=radio]",
  );
  if (!control) return;
  event.preventDefault();
  event.stopPropagation();
  early.add(control);
};

const add = (name: string, properties: object) =>
  document.head.appendChild(Object.assign(document.createElement(name), properties));

const start = async (held: HTMLScriptElement) => {
  if (held.dataset["started"]) return;
  held.dataset["started"] = "yes";
  const modules = held.dataset["modules"]?.split(" ").filter(Boolean) ?? [];
  for (const href of modules) add("link", { rel: "modulepreload", href });
  // The script would run them all in one long task; so each runs in its own before. It says itself which are missing.
  const entry = held.text.match(/import\("([^"]+)"\)/)?.[1];
  for (const href of modules) {
    if (href !== entry) await import(/* @vite-ignore */ href).catch(() => {});
    await new Promise((next) => setTimeout(next));
  }
  add("script", { type: "module", text: held.text });
};

// Within one document, as after a reload, going back changes the address alone.
const address = location.pathname + location.search;
const follow = () => {
  if (location.pathname + location.search !== address) location.reload();
};

const hold = (held: HTMLScriptElement) => {
  const begin = () => {
    for (const sign of signs) removeEventListener(sign, begin, true);
    return start(held);
  };
  for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true });
  addEventListener("click", wait, true);
  addEventListener("popstate", follow);
  addEventListener(hydrated, () => {
    removeEventListener("click", wait, true);
    removeEventListener("popstate", follow);
    for (const control of early) control.click();
  });
  const startIdle = () => {
    if ("requestIdleCallback" in window) requestIdleCallback(begin, { timeout: 1000 });
    else void begin();
  };
  void Promise.all([loaded, painted]).then(startIdle);
  setTimeout(begin, 5000);
};

const held = document.querySelector<HTMLScriptElement>(`script[type="${type}"]`);
if (held) hold(held);
