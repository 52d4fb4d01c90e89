import { atom } from "jotai";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Under which the choice is kept; the page reads it before React is there (`inline/theme.ts`). */
export const THEME_KEY = "theme";

const themeOf = (stored: string | null): Theme => themes.find((theme) => theme === stored) ?? "system";

/** Storage may be forbidden, or full: then a choice is not kept. */
function orNull<T>(access: () => T) {
  try {
    return access();
  } catch {
    return null;
  }
}

const read = () => themeOf(orNull(() => localStorage.getItem(THEME_KEY)));

const chosenAtom = atom<Theme>("system");
chosenAtom.onMount = (set) => {
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key === THEME_KEY || key === null) set(themeOf(newValue));
  };
  set(read());
  window.addEventListener("storage", hear);
  return () => window.removeEventListener("storage", hear);
};

/** The visitor's choice, kept under the key `theme` as plain text. */
export const themeAtom = atom(
  (get) => get(chosenAtom),
  (_, __, theme: Theme) => {
    orNull(() => localStorage.setItem(THEME_KEY, theme));
    // The browser tells other tabs only; this one, and the theme script, listen for the same event.
    window.dispatchEvent(new StorageEvent("storage", { key: THEME_KEY, newValue: theme }));
  },
);
