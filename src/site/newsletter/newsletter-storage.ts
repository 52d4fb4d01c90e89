/** The newsletter's state in the browser's storage. */
export type NewsletterState = {
  subscribed: boolean;
  /** When the popup was last shown or dismissed, milliseconds UTC. */
  shownAt: number | null;
  /** The day on which the popup was last dismissed. */
  dismissedOn: string | null;
};

const SUBSCRIBED = "newsletterSubscribed";
const SHOWN = "exitIntentShown";
const DISMISSED = "exitIntentDismissedToday";

/** The visitor's local day: 2026-11-21. */
export function dayOf(date: Date) {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

export function readNewsletterState(storage: Pick<Storage, "getItem">): NewsletterState {
  const shown = storage.getItem(SHOWN);
  const shownAt = Number(shown);
  return {
    subscribed: storage.getItem(SUBSCRIBED) === "true",
    shownAt: shown === null || Number.isNaN(shownAt) ? null : shownAt,
    dismissedOn: storage.getItem(DISMISSED),
  };
}

type Writable = Pick<Storage, "setItem">;

export const saveSubscribed = (storage: Writable) => save(storage, SUBSCRIBED, "true");

export const saveShown = (storage: Writable, now: Date) => save(storage, SHOWN, String(now.getTime()));

export function saveDismissed(storage: Writable, now: Date) {
  saveShown(storage, now);
  save(storage, DISMISSED, dayOf(now));
}

/** Logs the error of a full storage: the sign-up itself has succeeded. */
function save(storage: Writable, key: string, value: string) {
  try {
    storage.setItem(key, value);
  } catch (error) {
    console.warn(error);
  }
}

/** Null if storage is forbidden: the popup is then never shown, and nothing is stored. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
