import type { Page } from "@playwright/test";

/** Counts what a person does with a mouse, and the keys that write nothing, from one page to the next. */
export async function countPresses(page: Page) {
  const counted: string[] = [];
  await page.exposeBinding("pressed", (_source, what: string) => void counted.push(what));
  await page.addInitScript(() => {
    const tell = (what: string) => (window as unknown as { pressed: (what: string) => void }).pressed(what);
    const nameOf = (target: EventTarget | null) =>
      target instanceof HTMLElement ? target.innerText.trim().slice(0, 30) || target.tagName : "";
    addEventListener("pointerdown", ({ target }) => tell(`press ${nameOf(target)}`), true);
    addEventListener("keydown", ({ key }) => key.length > 1 && tell(key), true);
  });
  return counted;
}
