import { useEffect, useRef, type MouseEvent } from "react";
import type { RouterGlobals } from "#site/document/router-globals.ts";

/**
 * The browser's Back closes what is open over the page, and does not leave the page. Each open layer has a history entry of
 * the same page that the router does not know (docs/decisions/0070).
 */

/** What the router stores with a history entry, and how many layers are open there. */
type Entry = { key?: string; idx?: number; layers?: number } | null;

/** What is open, the topmost last. */
const layers: { close: () => void }[] = [];
/** The entry that this module made or came to last. */
let current: Entry = null;
/** Whether the next move in the history is one of this module. */
let isOwnMove = false;

declare global {
  interface Window {
    /** Called on each move in the history, before the router (entry.client.tsx). */
    moveOfLayers?: (event: PopStateEvent) => void;
  }
}

/** While `isOpen`, Back calls `close`. */
export function useCloseOnBack(isOpen: boolean, close: () => void) {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => (isOpen ? addLayer(() => latest.current()) : undefined), [isOpen]);
}

/** The same for what is open as long as this is rendered. */
export function CloseOnBack({ close }: { close: () => void }) {
  useCloseOnBack(true, close);
  return null;
}

/**
 * Props of a link within a layer: its page takes the history entry of the layer, so that Back leads from there to the page
 * that the layer was over. A link to that page itself closes the layer.
 */
export const linkInLayer = {
  replace: true,
  onClick: (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (event.currentTarget.href === location.href) {
      event.preventDefault();
      history.back();
      scrollTo(0, 0);
    }
  },
};

/** A layer that opens as another closes takes its entry. */
function addLayer(close: () => void) {
  window.moveOfLayers = onMove;
  const layer = { close };
  layers.push(layer);
  const entry = history.state as Entry;
  if (layers.length > layersIn(entry)) {
    // The router tells how far a move goes by `idx`.
    history.pushState({ ...entry, idx: (entry?.idx ?? 0) + 1, layers: layers.length }, "");
    current = history.state as Entry;
  }
  return () => {
    const at = layers.indexOf(layer);
    // Back has closed it already.
    if (at < 0) return;
    layers.splice(at, 1);
    setTimeout(removeEntries);
  };
}

/**
 * Leaves the entries of layers that were closed by something other than Back. While another page is on its way it may take
 * the entry (`linkInLayer`), or be given up.
 */
function removeEntries() {
  const router = routerOfPage();
  if (isLeaving(router)) {
    const stop = router.subscribe(() => {
      if (isLeaving(router)) return;
      stop();
      removeEntries();
    });
    return;
  }
  const spare = layersIn(history.state as Entry) - layers.length;
  if (spare > 0) move(-spare);
}

const isLeaving = ({ state: { navigation, blockers } }: RouterGlobals["__reactRouterDataRouter"]) =>
  navigation.state !== "idle" || [...blockers.values()].some(({ state }) => state !== "unblocked");

function move(by: number) {
  isOwnMove = true;
  history.go(by);
}

function onMove(event: PopStateEvent) {
  const entry = event.state as Entry;
  const open = layersIn(entry);
  const isOwn = isOwnMove;
  isOwnMove = false;
  const left = layersIn(current);
  current = entry;
  const isOurs = (isOwn || layers.length > 0 || open > 0 || left > 0) && isOfThisPage(entry);
  if (!isOurs) return;
  event.stopImmediatePropagation();
  if (isOwn) return;
  while (layers.length > open) layers.pop()!.close();
  // Forward opens nothing again.
  if (open > layers.length) move(layers.length - open);
}

const layersIn = (entry: Entry) => entry?.layers ?? 0;

/** The router calls the first entry of a document so. */
const FIRST = "default";

function isOfThisPage(entry: Entry) {
  return (entry?.key ?? FIRST) === routerOfPage().state.location.key;
}

function routerOfPage() {
  const { __reactRouterDataRouter: router } = window as unknown as RouterGlobals;
  return router;
}
