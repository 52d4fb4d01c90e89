import { preload } from "react-dom";
import sans from "./instrument-sans.woff2?url";
import italic from "./newsreader-italic.woff2?url";
import serif from "./newsreader.woff2?url";

const files = { sans, serif, italic };

/**
 * Preloads a font with the style sheet: without this, a browser fetches it at the first layout of text in it. Low
 * priority is for fonts below the first screen. Server only: a later page is laid out immediately.
 */
export function preloadFont(name: keyof typeof files, fetchPriority?: "low") {
  if (!import.meta.env.SSR) return;
  preload(files[name], { as: "font", type: "font/woff2", crossOrigin: "anonymous", fetchPriority });
}
