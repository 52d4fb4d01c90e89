import { atom } from "jotai";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Storage key of the choice. `document/inline/theme.ts` reads it before React loads. */
export const THEME_KEY = "theme";

const themeOf = (stored: string | null): Theme => themes.find((theme) => theme === stored) ?? "system";

/** Null if storage is forbidden or full: the choice is then not stored. */
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

/** The visitor's choice, stored under the key `theme` as plain text. */
export const themeAtom = atom(
  (get) => get(chosenAtom),
  (_, __, theme: Theme) => {
    orNull(() => localStorage.setItem(THEME_KEY, theme));
    // Browsers send this event to other tabs only; this tab and the theme script need it too.
    window.dispatchEvent(new StorageEvent("storage", { key: THEME_KEY, newValue: theme }));
  },
);
