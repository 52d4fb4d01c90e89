import { atom } from "jotai";

/**
 * Who listens: a secret that the browser makes once and keeps. Playlists, favourites and progress hang on it, and go with
 * it in the header `Listener-Id`.
 */
export const KEY = "user_id";
const FORM = /^user_[A-Za-z0-9_-]{22,86}$/;

/** Without storage it holds for this document. */
let unkept: string | null = null;

/** The one that there is; null for who has none yet. */
export function readListenerId() {
  try {
    const stored = localStorage.getItem(KEY);
    return stored !== null && FORM.test(stored) ? stored : unkept;
  } catch {
    return unkept;
  }
}

/** The one that there is, or a new one. */
export function listenerId() {
  const there = readListenerId();
  if (there !== null) return there;
  const id = newId();
  unkept = id;
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

/** Whether there is one, told once a page is in the browser, and when one is made in this document. */
export const isListenerAtom = atom(false);
isListenerAtom.onMount = (set) => set(readListenerId() !== null);
