/**
 * Runs before the first paint and whenever the choice or the operating system's preference changes; puts `dark` or
 * `light` on the root element. Storage may be forbidden: then a choice holds for this document alone. When everything
 * stored is cleared, the browser tells so without a key.
 */
import type { THEME_KEY } from "../../ui/theme.ts";

const key: typeof THEME_KEY = "theme";
const night = matchMedia("(prefers-color-scheme: dark)");
let theme: string | null = null;
try {
  theme = localStorage.getItem(key);
} catch {}

const apply = () => {
  const dark = theme === "dark" || (theme !== "light" && night.matches);
  document.documentElement.classList.toggle("dark", dark);
  document.documentElement.classList.toggle("light", !dark);
};
apply();
night.addEventListener("change", apply);
addEventListener("storage", (event) => {
  if (event.key === key || event.key === null) theme = event.newValue;
  apply();
});
