import { dayOf, type NewsletterState } from "./newsletter-storage.ts";

/** Milliseconds between two popups. */
const QUIET_TIME = 7 * 86_400_000;

/** Whether the popup may be shown: not to a subscriber, within 7 days of the last time, or on the day of a dismissal. */
export function mayShowPopup({ subscribed, shownAt, dismissedOn }: NewsletterState, now: Date) {
  if (subscribed || dismissedOn === dayOf(now)) return false;
  return shownAt === null || now.getTime() - shownAt >= QUIET_TIME;
}
