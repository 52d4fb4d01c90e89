import { test as base, expect, type Browser } from "@playwright/test";
import { translatePages } from "./translation.ts";

/** What the pages of a browser's contexts complained of. */
const complaints = new WeakMap<Browser, string[][]>();

/** Translates the pages of all contexts that the browser opens from now on. */
function translate(browser: Browser) {
  const all: string[][] = [];
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    all.push(await translatePages(context));
    return context;
  };
  complaints.set(browser, all);
}

/** All tests' base. With `TRANSLATED` in the environment each page is translated once it is hydrated. */
export const test = process.env["TRANSLATED"]
  ? base.extend<{ translated: void }>({
      translated: [
        async ({ browser }, use) => {
          if (!complaints.has(browser)) translate(browser);
          await use();
          const found = complaints.get(browser)!.splice(0).flat();
          expect(found).toEqual([]);
        },
        { auto: true },
      ],
    })
  : base;
