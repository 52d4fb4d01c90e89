/**
 * Hydrates a public page (`../deferred-hydration.ts`) at the first sign of intent, or when it is painted and the browser is
 * idle. A phone's first visit waits for the sign. Until then links, forms and popover buttons work as plain HTML. A press on
 * another control is remembered, shown as pressed, and replayed after hydration. The script is in the head, so that no press
 * comes before it.
 */
import type { DEFERRED, HYDRATED, UNPROMPTED } from "../deferred-hydration.ts";
import type { EarlyChanges } from "../translation.ts";

/** Only a child of the body, so that a script injected by a text is not used. */
const deferred: `body>script[type="${typeof DEFERRED}"]` = 'body>script[type="text/deferred"]';
const hydrated: typeof HYDRATED = "hydrated";
const unprompted: `[${typeof UNPROMPTED}]` = "[data-unprompted]";

const event = (name: string) => new Promise((resolve) => addEventListener(name, resolve, { once: true }));
const parsed = event("DOMContentLoaded");
const loaded = event("load");
const painted = new Promise((resolve) =>
  new PerformanceObserver(resolve).observe({ type: "paint", buffered: true }),
);
const nextTask = () => new Promise((resolve) => setTimeout(resolve));
/** Some browsers lack requestIdleCallback. */
const idle = () =>
  "requestIdleCallback" in window ? new Promise((resolve) => requestIdleCallback(resolve)) : nextTask();

/** A screen reader may send `click` alone. */
const signs = ["pointerdown", "pointermove", "scroll", "keydown", "focusin", "click"];
let isWanted = false;
let want!: () => void;
const wanted = new Promise<void>((resolve) => {
  const listening = new AbortController();
  want = () => {
    isWanted = true;
    listening.abort();
    resolve();
  };
  const notice = (sign: Event) => {
    const { type, movementX, movementY } = sign as PointerEvent;
    // The page was opened under a resting mouse.
    if (type !== "pointermove" || movementX !== 0 || movementY !== 0) want();
  };
  for (const sign of signs)
    addEventListener(sign, notice, { capture: true, passive: true, signal: listening.signal });
});

const [opened] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];

/**
 * Whether the page can wait for a sign: a narrow page runs nothing on its own (the community's button waits for a scroll, the
 * popup for a mouse). A returning visitor's page shows what the browser has stored: the player, progress, kept episodes. A
 * page that is reloaded or gone back to restores drafts.
 */
const waitsForSign = () => {
  if (
    opened?.type !== "navigate" ||
    !matchMedia("(max-width: 639px)").matches ||
    navigator.serviceWorker?.controller ||
    document.querySelector(unprompted)
  )
    return false;
  try {
    return localStorage.length === 0;
  } catch {
    return true;
  }
};

/** Pressed controls, latest last. */
const pressed = new Map<HTMLElement, Animation>();

const remember = (press: Event) => {
  const control = (press.target as Element).closest<HTMLElement>(
    "button:not([type=submit], [popovertarget]), fieldset input[type=radio]",
  );
  if (!control) return;
  press.preventDefault();
  press.stopPropagation();
  const shown =
    pressed.get(control) ??
    // An animation changes no attribute that React compares.
    control.animate({ opacity: [1, 0.5] }, { duration: 400, iterations: Infinity, direction: "alternate" });
  pressed.delete(control);
  pressed.set(control, shown);
};

/** Before hydration, going back in a reloaded document changes only the address. */
const address = () => location.pathname + location.search;
const shown = address();
const follow = () => {
  if (address() !== shown) location.reload();
};

/** Records a page translation before hydration, which may begin at `DOMContentLoaded`. */
const changes: MutationRecord[] = ((window as EarlyChanges).earlyChanges = []);
const observer = new MutationObserver((records) => {
  changes.push(...records);
  // The later the page hydrates, the longer its translation was read, which hydration undoes for a moment.
  if (records.some(({ removedNodes: [node] }) => node?.nodeType === Node.TEXT_NODE)) want();
});
addEventListener("readystatechange", () => observer.observe(document, { childList: true, subtree: true }), {
  capture: true,
  once: true,
});

addEventListener("click", remember, true);
addEventListener("popstate", follow);
addEventListener(hydrated, () => {
  observer.disconnect();
  removeEventListener("click", remember, true);
  removeEventListener("popstate", follow);
  for (const [control, animation] of pressed) {
    animation.cancel();
    control.click();
  }
});

const append = (name: string, properties: object) =>
  document.head.appendChild(Object.assign(document.createElement(name), properties));

/** Reloads the page, after what an early press plays. */
const reload = () => {
  const { audio } = window.earlyPlay ?? {};
  if (!audio || audio.paused || audio.ended || audio.error) location.reload();
  else for (const end of ["pause", "ended", "error"]) audio.addEventListener(end, reload);
};

/**
 * A cached page may name files of an older version of the site: reload it, once. Without a connection, reload it as soon as
 * there is one, since browsers remember that a module failed.
 */
const reloadIfGone = async (href: string) => {
  const answer = await fetch(href).catch(() => addEventListener("online", reload, { once: true }));
  if (answer?.ok === false && opened?.type !== "reload") reload();
};

/** Evaluates each module in its own task; the script, which imports them all, would take one long task. */
const hydrate = async () => {
  const script = document.querySelector<HTMLScriptElement>(deferred);
  if (!script) return;
  const modules = script.dataset["modules"]?.split(" ").filter(Boolean) ?? [];
  for (const href of modules) append("link", { rel: "modulepreload", href });
  for (const href of modules) {
    // The script imports it again and reports the error.
    await import(/* @vite-ignore */ href).catch(() => reloadIfGone(href));
    await (isWanted ? nextTask() : idle());
  }
  append("script", { type: "module", text: script.text });
};

const idleAfterPaint = Promise.all([loaded, painted]).then(idle);
// The first paint does not need it, but browsers would fetch it as if it did.
void idleAfterPaint.then(() => append("link", { rel: "manifest", href: "/manifest.webmanifest" }));
void Promise.race([idleAfterPaint.then(() => (waitsForSign() ? wanted : undefined)), wanted])
  .then(() => parsed)
  .then(hydrate);
