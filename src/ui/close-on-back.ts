import { useEffect, useRef, type MouseEvent } from "react";
import type { RouterGlobals } from "#site/document/router-globals.ts";

/**
 * The browser's Back closes a layer over the page instead of leaving the page. Each open layer has a history entry of
 * the same page, unknown to the router (docs/decisions/0070).
 */

/** The router's state of a history entry, and the number of open layers. */
type Entry = { key?: string; idx?: number; layers?: number } | null;

/** Open layers, the topmost last. */
const layers: { close: () => void }[] = [];
/** The entry that this module last created or reached. */
let current: Entry = null;
/** Whether this module caused the next popstate. */
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

/** The same for a layer that is open while this is rendered. */
export function CloseOnBack({ close }: { close: () => void }) {
  useCloseOnBack(true, close);
  return null;
}

/**
 * Props of a link within a layer: its page replaces the history entry of the layer, so that Back returns to the page
 * under the layer. A link to that page itself closes the layer.
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

/** A layer that opens while another closes reuses its entry. */
function addLayer(close: () => void) {
  window.moveOfLayers = onMove;
  const layer = { close };
  layers.push(layer);
  const entry = history.state as Entry;
  if (layers.length > layersIn(entry)) {
    // The router computes the distance of a move from `idx`.
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
 * Goes back over the entries of layers that were closed other than by Back. A pending navigation may replace the entry
 * (`linkInLayer`), or be cancelled.
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
  // Forward does not reopen layers.
  if (open > layers.length) move(layers.length - open);
}

const layersIn = (entry: Entry) => entry?.layers ?? 0;

/** The router's key of a document's first entry. */
const FIRST = "default";

function isOfThisPage(entry: Entry) {
  return (entry?.key ?? FIRST) === routerOfPage().state.location.key;
}

function routerOfPage() {
  const { __reactRouterDataRouter: router } = window as unknown as RouterGlobals;
  return router;
}
