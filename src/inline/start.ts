/**
 * Starts a page's scripts, which the server held back (`src/held-scripts.ts`). They are fetched once the page has been
 * shown, and run at the first sign that somebody is there: a page that is only looked at runs none of them for a while.
 * Links, forms and the buttons of popovers work by themselves until then. Other buttons and switches do not: a click on
 * one waits, and is made again once React is there. Before all that it scrolls a page that is come back to.
 */
import type { FRAME, HELD, HELD_BEFORE, HYDRATED } from "../held-scripts.ts";
import type { KEY as LISTENER } from "../player/listener.ts";
import type { KEPT } from "../player/slot.tsx";
import type { PLACES } from "../scroll-places.ts";

const type: typeof HELD = "text/held";
const before: typeof HELD_BEFORE = "text/held-before";
const hydrated: typeof HYDRATED = "hydrated";
const place: `[${typeof FRAME}]:empty` = "[data-frame]:empty";
const player: typeof KEPT = "player";
const listener: typeof LISTENER = "user_id";
const places: typeof PLACES = "places";

const loaded = new Promise((resolve) => addEventListener("load", resolve));
const painted = new Promise((resolve) =>
  new PerformanceObserver(resolve).observe({ type: "paint", buffered: true }),
);
/** A finger's touch begins with the first of them, too; a screen reader may press a button with the last alone. */
const signs = ["pointerover", "scroll", "keydown", "focusin", "click"];
/** Milliseconds. Whoever gives no sign waits no longer. */
const PATIENCE = 5000;
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

/** Not every browser says when it is idle. */
const later: (then: () => void) => unknown =
  "requestIdleCallback" in window ? requestIdleCallback : setTimeout;
const idle = () => new Promise<void>((resolve) => later(resolve));

/**
 * Into the browser's cache, and no further: a preload would be compiled, and complained of while it is not used. Each is
 * asked for in an idle moment of its own; all at once are the longest task of a page that has been painted.
 */
const fetchAhead = async (modules: string[], isWanted: () => boolean) => {
  for (const href of modules) {
    await idle();
    if (!isWanted()) return;
    fetch(href, { priority: "low" })
      .then((answer) => answer.arrayBuffer())
      // Asked for again when it is wanted, which says what is wrong.
      .catch(() => {});
  }
};

/** Whether something is to be seen that only scripts can show: the player or the marks of an earlier visit. */
const isAwaited = () => {
  try {
    return player in localStorage || listener in localStorage;
  } catch {
    // Storage may be forbidden: then nothing is kept.
    return false;
  }
};

const showFrame = () => {
  const empty = document.querySelector(place);
  if (empty) empty.innerHTML = empty.nextElementSibling!.textContent;
};

const run = async (modules: string[], script: string) => {
  for (const href of modules) add("link", { rel: "modulepreload", href });
  // The script would run them all in one long task; so each runs in its own before. It says itself which are missing.
  const entry = script.match(/import\("([^"]+)"\)/)?.[1];
  for (const href of modules) {
    if (href !== entry) await import(/* @vite-ignore */ href).catch(() => {});
    await new Promise((next) => setTimeout(next));
  }
  for (const { text } of document.querySelectorAll<HTMLScriptElement>(`script[type="${before}"]`)) {
    add("script", { text });
  }
  add("script", { type: "module", text: script });
};

/**
 * A browser scrolls a document to where it was left, but the router forbids it while it is there, and takes that back as
 * the page is left: late, and only for that entry of its visit. A first visit has no place, and asks for no storage.
 */
const comeBack = () => {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (page?.type === "navigate") return;
  try {
    const kept = JSON.parse(sessionStorage.getItem(places) ?? "{}") as Record<string, number>;
    const top = kept[history.state?.key];
    if (top !== undefined) scrollTo({ top });
  } catch {
    // Storage may be forbidden: then nothing was kept.
  }
};

// Within one document, as after a reload, going back changes the address alone.
const where = () => location.pathname + location.search;
const shown = where();
const follow = () => {
  if (where() !== shown) location.reload();
};

const hold = ({ dataset, text }: HTMLScriptElement) => {
  const modules = dataset["modules"]?.split(" ") ?? [];
  let isBegun = false;
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    void run(modules, text);
  };
  const prepare = () => {
    showFrame();
    if (isAwaited()) begin();
    else void fetchAhead(modules, () => !isBegun);
  };
  for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true, once: true });
  addEventListener("click", wait, true);
  addEventListener("popstate", follow);
  addEventListener(hydrated, () => {
    removeEventListener("click", wait, true);
    removeEventListener("popstate", follow);
    for (const control of early) control.click();
  });
  void Promise.all([loaded, painted]).then(idle).then(prepare);
  setTimeout(begin, PATIENCE);
};

comeBack();
const held = document.querySelector<HTMLScriptElement>(`script[type="${type}"]`);
if (held) hold(held);
