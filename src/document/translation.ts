/**
 * A browser's page translation replaces a text node with a `<font>` (Chrome, Edge) or another text node (Safari, Firefox). React still refers to its own text node: it throws
 * when it removes that node or inserts before it, updates it invisibly, and fails to hydrate a page that was already
 * translated (docs/decisions/0068). So a text node is put back as soon as React touches it, and all text nodes are
 * until React has hydrated their part. The browser then translates them again.
 */
import { HYDRATED, LATE, LATE_HYDRATED } from "./deferred-hydration.ts";

/** The changes that `inline/hydrate.ts` recorded on the window. */
export type EarlyChanges = { earlyChanges?: MutationRecord[] };

/** Maps a translation to its text node, and back. */
const counterparts = new WeakMap<Node, ChildNode>();

/** What React has not hydrated yet: the document, then the part whose code loads later. */
let unhydrated: HTMLElement | null = document.documentElement;
/** Translations in it, or before hydration anywhere. */
const unheld = new Set<ChildNode>();

const isText = ({ nodeType }: Node) => nodeType === Node.TEXT_NODE;

function note(changes: MutationRecord[]) {
  changes.forEach(({ target, removedNodes, addedNodes, previousSibling, nextSibling }, at) => {
    const next = changes[at + 1];
    // Safari removes a text, then inserts another in its place.
    const isReplaced =
      unhydrated &&
      next?.target === target &&
      next.previousSibling === previousSibling &&
      next.nextSibling === nextSibling;
    for (const text of [...removedNodes].filter(isText)) {
      // Replaced in one step, or inserted next to the text before its removal.
      const fonts = [...addedNodes, previousSibling, nextSibling].filter((node) => node?.nodeName === "FONT");
      const texts = [...addedNodes, ...(isReplaced ? next.addedNodes : [])].filter(isText);
      const translation = [...fonts, ...texts].find((node) => node && !counterparts.has(node));
      if (!translation) continue;
      counterparts.set(text, translation as ChildNode);
      counterparts.set(translation, text as ChildNode);
      if (unhydrated) unheld.add(translation as ChildNode);
    }
  });
}

/** Text nodes that were put back into it. */
const held = new Set<ChildNode>();

const observer = new MutationObserver((changes) => {
  note(changes);
  if (unhydrated) hold(unhydrated);
});

function hold(part: HTMLElement) {
  for (const translation of unheld) {
    if (!part.contains(translation)) continue;
    unheld.delete(translation);
    const text = counterparts.get(translation);
    if (!text || held.has(text)) continue;
    // Stops the translation of new texts until then.
    part.translate = false;
    held.add(text);
    translation.replaceWith(text);
  }
}

function release() {
  unhydrated!.removeAttribute("translate");
  unhydrated = unhydrated!.querySelector<HTMLElement>(`[${LATE}]`);
  if (!unhydrated) unheld.clear();
  const released = [...held].filter((text) => !unhydrated?.contains(text));
  if (unhydrated) {
    if (released.length < held.size) unhydrated.translate = false;
    addEventListener(LATE_HYDRATED, release, { once: true });
  }
  // Reinsert them, since translations watch insertions.
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

/** Puts the text nodes back for React. Called right before hydration. */
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
  // A node that is still elsewhere was moved by something else: skip it.
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
