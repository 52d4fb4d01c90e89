import { atom } from "jotai";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const KEY = "theme";

const themeOf = (stored: string | null): Theme => themes.find((theme) => theme === stored) ?? "system";

/**
 * Runs before the first paint and whenever the choice or the operating system's preference changes; puts `dark` or
 * `light` on the root element. Storage may be forbidden: then a choice holds for this document alone. When everything
 * stored is cleared, the browser tells so without a key.
 */
export const themeScript = `(() => {
  const night = matchMedia("(prefers-color-scheme: dark)");
  let theme = null;
  try { theme = localStorage.getItem("${KEY}"); } catch {}
  const apply = () => {
    const dark = theme === "dark" || (theme !== "light" && night.matches);
    document.documentElement.classList.toggle("dark", dark);
    document.documentElement.classList.toggle("light", !dark);
  };
  apply();
  night.addEventListener("change", apply);
  addEventListener("storage", ({ key, newValue }) => {
    if (key === "${KEY}" || key === null) theme = newValue;
    apply();
  });
})()`;

/** Storage may be forbidden, or full: then a choice is not kept. */
function orNull<T>(access: () => T) {
  try {
    return access();
  } catch {
    return null;
  }
}

const read = () => themeOf(orNull(() => localStorage.getItem(KEY)));

const chosenAtom = atom<Theme>("system");
chosenAtom.onMount = (set) => {
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key === KEY || key === null) set(themeOf(newValue));
  };
  set(read());
  window.addEventListener("storage", hear);
  return () => window.removeEventListener("storage", hear);
};

/** The visitor's choice, kept under the key `theme` as plain text. */
export const themeAtom = atom(
  (get) => get(chosenAtom),
  (_, __, theme: Theme) => {
    orNull(() => localStorage.setItem(KEY, theme));
    // The browser tells other tabs only; this one, and the theme script, listen for the same event.
    window.dispatchEvent(new StorageEvent("storage", { key: KEY, newValue: theme }));
  },
);
