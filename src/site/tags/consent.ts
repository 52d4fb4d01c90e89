import { atom, useAtom } from "jotai";

/** Key in the browser's storage. */
const KEY = "tagConsent";

/** The visitor's answer about the tag manager; null before it. */
export type Consent = "granted" | "refused" | null;

function read(): Consent {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === "granted" || stored === "refused" ? stored : null;
  } catch {
    // Storage is forbidden: the answer lasts as long as the document.
    return null;
  }
}

function write(consent: NonNullable<Consent>) {
  try {
    localStorage.setItem(KEY, consent);
  } catch (error) {
    console.warn(error);
  }
}

const storedAtom = atom<Consent | undefined>(undefined);
const consentAtom = atom(
  (get) => get(storedAtom) ?? read(),
  (_get, set, consent: NonNullable<Consent>) => {
    write(consent);
    set(storedAtom, consent);
  },
);

/** The visitor's answer, and a function that changes it. */
export const useConsent = () => useAtom(consentAtom);

/** Whether the tags are loaded. */
export const isGranted = (consent: Consent, needsConsent: boolean) =>
  consent === "granted" || (consent === null && !needsConsent);

/** Whether the browser opts out of tracking, which counts as a refusal. */
export function asksNotToBeTracked() {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === "1" || globalPrivacyControl === true;
}
