import type { BrowserContext, Locator } from "@playwright/test";
import { HYDRATED } from "../../../src/document/deferred-hydration.ts";

/** Begins what a translated page has to complain of. */
const COMPLAINT = "Translation:";

/** When a page is translated: after React has hydrated it, or before that, once it is parsed or loaded. */
export type Moment = typeof HYDRATED | "DOMContentLoaded" | "load";

/**
 * Changes each page as a browser's translation does, without changing the words, which tests look for: a `<font>`
 * replaces each text node, also later ones. Returns the page's console errors: what React did with a text afterwards.
 */
export async function translatePages(context: BrowserContext, moment: Moment = HYDRATED) {
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.text().startsWith(COMPLAINT)) complaints.push(message.text());
  });
  await context.addInitScript(translate, { moment, complaint: COMPLAINT });
  return complaints;
}

/** Runs in the page. */
function translate({ moment, complaint }: { moment: Moment; complaint: string }) {
  const left = "script, style, textarea, noscript, title, font, svg, [translate=no], [contenteditable]";
  const replaced = new WeakSet<Node>();

  const replace = (text: Text) => {
    const { parentElement: parent } = text;
    if (!parent || parent.closest(left) || text.data.trim() === "") return;
    const translation = document.createElement("font");
    translation.appendChild(document.createElement("font")).append(text.data);
    parent.replaceChild(translation, text);
    replaced.add(text);
    changes.observe(text, { characterData: true });
  };

  const textsIn = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    return root instanceof Text ? [root] : texts;
  };

  const changes = new MutationObserver((records) => {
    // What is inserted where it was is offered to the translation again.
    const offered = new Set(records.flatMap(({ removedNodes }) => [...removedNodes]));
    for (const { type, target, addedNodes } of records) {
      if (type === "characterData" && !target.isConnected)
        console.error(`${complaint} changed out of sight: ${target.nodeValue}`);
      for (const node of addedNodes) {
        const isTouched = replaced.has(node) && node.parentElement?.translate && !offered.has(node);
        if (isTouched && moment === "hydrated")
          console.error(`${complaint} React touched a text beside others: ${node.nodeValue}`);
      }
    }
    // After all records: a text in a new element is in two of them.
    for (const { addedNodes } of records) for (const node of addedNodes) textsIn(node).forEach(replace);
  });

  addEventListener(moment, () => {
    textsIn(document.body).forEach(replace);
    changes.observe(document.body, { childList: true, subtree: true });
  });
}

/** The HTML in an element, without what a translation put into it. */
export const htmlIn = async (element: Locator) => (await element.innerHTML()).replaceAll(/<\/?font>/g, "");

/** The element of a text: the translation's replacement has its own element. */
export const elementOf = (text: Locator) => text.locator("xpath=ancestor-or-self::*[not(self::font)][1]");
