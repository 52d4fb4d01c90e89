/**
 * A browser's page translation puts a `<font>` in the place of a text. React goes on with the text that it created: it
 * throws where it would remove that text or insert something before it, changes it where nobody sees it, and does not
 * recognise a page that was translated before hydration (docs/decisions/0068). So a text takes its place back as soon as
 * React touches it, and all texts do until React has hydrated what they are in. The browser then translates them again.
 */
import { HYDRATED, LATE, LATE_HYDRATED } from "./deferred-hydration.ts";

/** What `inline/hydrate.ts` leaves on the window. */
export type EarlyChanges = { earlyChanges?: MutationRecord[] };

/** A text by the translation in its place, and the translation by the text. */
const counterparts = new WeakMap<Node, ChildNode>();

function note(changes: MutationRecord[]) {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of changes)
    for (const text of removedNodes) {
      if (text.nodeType !== Node.TEXT_NODE) continue;
      // In one step, or inserted beside the text before it is removed.
      const translation = [...addedNodes, previousSibling, nextSibling].find(
        (node) => node?.nodeName === "FONT" && !counterparts.has(node),
      );
      if (!translation) continue;
      counterparts.set(text, translation as ChildNode);
      counterparts.set(translation, text as ChildNode);
    }
}

/** What React has yet to hydrate: the document, then the part whose code comes later. */
let unhydrated: HTMLElement | null = document.documentElement;
/** Texts that took their place back in it. */
const held = new Set<ChildNode>();

const observer = new MutationObserver((changes) => {
  note(changes);
  if (unhydrated) hold(unhydrated);
});

function hold(part: HTMLElement) {
  for (const translation of part.querySelectorAll("font")) {
    const text = counterparts.get(translation);
    if (!text || held.has(text)) continue;
    // Until then a translation leaves new texts alone.
    part.translate = false;
    held.add(text);
    translation.replaceWith(text);
  }
}

function release() {
  unhydrated!.removeAttribute("translate");
  unhydrated = unhydrated!.querySelector<HTMLElement>(`[${LATE}]`);
  const released = [...held].filter((text) => !unhydrated?.contains(text));
  if (unhydrated) {
    if (released.length < held.size) unhydrated.translate = false;
    addEventListener(LATE_HYDRATED, release, { once: true });
  }
  // Translations look at what is inserted.
  for (const text of released) {
    held.delete(text);
    text.parentNode?.insertBefore(text, text.nextSibling);
  }
}

function putBack(text: Node) {
  note(observer.takeRecords());
  const translation = counterparts.get(text);
  if (translation?.isConnected) translation.replaceWith(text);
}

/** Lets React find its texts. Called right before hydration. */
export function keepTexts() {
  note((window as EarlyChanges).earlyChanges ?? []);
  observer.observe(document, { childList: true, subtree: true });
  hold(document.documentElement);
  addEventListener(HYDRATED, release, { once: true });

  const { removeChild, insertBefore } = Node.prototype;
  const has = (parent: Node, child: Node) => {
    if (child.parentNode !== parent) putBack(child);
    return child.parentNode === parent;
  };
  // What is still elsewhere was moved in another way: nothing to remove, and nothing to insert before.
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T) {
    return has(this, child) ? (removeChild.call(this, child) as T) : child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null) {
    return insertBefore.call(this, node, next && has(this, next) ? next : null) as T;
  };
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue")!;
  Object.defineProperty(Text.prototype, "nodeValue", {
    ...nodeValue,
    set(this: Text, value: string) {
      if (!this.isConnected || this.parentNode!.nodeName === "FONT") putBack(this);
      nodeValue.set!.call(this, value);
    },
  });
}
