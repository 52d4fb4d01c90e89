import { expect, type BrowserContext, type Page } from "@playwright/test";

const watched = new WeakSet<BrowserContext>();
const shown = new WeakMap<Page, string[]>();

const shownOn = (page: Page) => {
  if (!shown.has(page)) shown.set(page, []);
  return shown.get(page)!;
};

/**
 * Records the toasts of a context's next documents: each disappears after four seconds, which a busy machine may miss.
 * A new document clears the record.
 */
export async function watchToasts(context: BrowserContext) {
  if (watched.has(context)) return;
  watched.add(context);
  await context.exposeBinding("documentBegun", ({ page }) => void shownOn(page).splice(0));
  await context.exposeBinding("toastShown", ({ page }, words: string) => void shownOn(page).push(words));
  await context.addInitScript(tellOfToasts);
}

/** What the page calls. */
type Toasts = { documentBegun: () => void; toastShown: (words: string) => void };

/** Runs in the page. */
function tellOfToasts() {
  if (window !== window.top) return;
  const { documentBegun, toastShown } = window as unknown as Toasts;
  documentBegun();
  const watcher = new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    for (const node of added) if (node instanceof HTMLElement) tell(node);
  });
  const tell = (element: HTMLElement) => {
    const toasts = element.querySelectorAll<HTMLElement>("[data-toast]");
    for (const toast of element.matches("[data-toast]") ? [element] : toasts)
      if (toast.checkVisibility()) toastShown(toast.innerText.replace(/\s+/g, " ").trim());
  };
  watcher.observe(document, { childList: true, subtree: true });
}

/**
 * Waits for a toast of this document with these words, on one line, that no earlier call has found. The toasts before it
 * count as found, too. `watchToasts` watches the page's context.
 */
export async function expectToast(page: Page, words: string | RegExp) {
  expect(watched.has(page.context()), "the page's context is watched").toBe(true);
  const said = shownOn(page);
  const expected = typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words);
  await expect.poll(() => [...said]).toContainEqual(expected);
  said.splice(0, said.findIndex((toast) => expected.asymmetricMatch(toast)) + 1);
}
