/**
 * Sets `dark` or `light` on the root element, before the first paint and when the choice or the system's preference
 * changes. If storage is forbidden, a choice lasts as long as the document. A storage event without a key means that
 * the storage was cleared.
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
