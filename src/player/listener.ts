import { atom } from "jotai";

/**
 * The listener's id: a secret that the browser creates once and stores. It identifies playlists, favourites and progress
 * in the header `Listener-Id`.
 */
export const KEY = "user_id";
const PATTERN = /^user_[A-Za-z0-9_-]{22,86}$/;

/** If storage is forbidden, the id lasts as long as the document. */
let unsaved: string | null = null;

/** The stored id; null for a new listener. */
export function readListenerId() {
  try {
    const stored = localStorage.getItem(KEY);
    return stored !== null && PATTERN.test(stored) ? stored : unsaved;
  } catch {
    return unsaved;
  }
}

/** The stored id, or a new one. */
export function listenerId() {
  const existing = readListenerId();
  if (existing !== null) return existing;
  const id = newId();
  unsaved = id;
  try {
    localStorage.setItem(KEY, id);
  } catch (error) {
    console.warn(error);
  }
  return id;
}

/** 128 random bits. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `user_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Whether there is an id. Set when the atom mounts in a browser, and when this document creates one. */
export const isListenerAtom = atom(false);
isListenerAtom.onMount = (set) => set(readListenerId() !== null);
