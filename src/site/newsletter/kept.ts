/** What the browser keeps of the newsletter between visits. */
export type Kept = {
  subscribed: boolean;
  /** When the popup was last shown or dismissed, milliseconds UTC. */
  shownAt: number | null;
  /** The day on which the popup was last dismissed. */
  dismissedOn: string | null;
};

const SUBSCRIBED = "newsletterSubscribed";
const SHOWN = "exitIntentShown";
const DISMISSED = "exitIntentDismissedToday";

/** Milliseconds. */
const QUIET_TIME = 7 * 86_400_000;

/** Whether the popup may be armed: not for a subscriber, not within 7 days of being shown, not on a day of dismissal. */
export function mayArm({ subscribed, shownAt, dismissedOn }: Kept, now: Date) {
  if (subscribed || dismissedOn === dayOf(now)) return false;
  return shownAt === null || now.getTime() - shownAt >= QUIET_TIME;
}

/** The visitor's own day, as in 2026-11-21. */
export function dayOf(date: Date) {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

export function readKept(storage: Pick<Storage, "getItem">): Kept {
  const shown = storage.getItem(SHOWN);
  const shownAt = Number(shown);
  return {
    subscribed: storage.getItem(SUBSCRIBED) === "true",
    shownAt: shown === null || Number.isNaN(shownAt) ? null : shownAt,
    dismissedOn: storage.getItem(DISMISSED),
  };
}

type Writable = Pick<Storage, "setItem">;

export const keepSubscribed = (storage: Writable) => keep(storage, SUBSCRIBED, "true");

export const keepShown = (storage: Writable, now: Date) => keep(storage, SHOWN, String(now.getTime()));

export function keepDismissed(storage: Writable, now: Date) {
  keepShown(storage, now);
  keep(storage, DISMISSED, dayOf(now));
}

/** A full storage refuses to keep anything; what is only remembered here must not stop what it is remembered of. */
function keep(storage: Writable, key: string, value: string) {
  try {
    storage.setItem(key, value);
  } catch (error) {
    console.warn(error);
  }
}

/** Storage may be forbidden: then the popup is never armed, and nothing is kept. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
