import { preload } from "react-dom";
import sans from "./instrument-sans.woff2?url";
import italic from "./newsreader-italic.woff2?url";
import serif from "./newsreader.woff2?url";

const files = { sans, serif, italic };

/**
 * A browser asks for a font once it lays out words in it; this has it asked for with the style sheet. Low: after what the
 * first screen needs. Only the server says it: a page that comes later is laid out as soon.
 */
export function preloadFont(name: keyof typeof files, fetchPriority?: "low") {
  if (!import.meta.env.SSR) return;
  preload(files[name], { as: "font", type: "font/woff2", crossOrigin: "anonymous", fetchPriority });
}
