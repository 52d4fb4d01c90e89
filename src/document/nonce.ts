import { createContext } from "react";

/** Marks the scripts of one render; undefined in a browser. */
export const NonceContext = /* @__PURE__ */ createContext<string | undefined>(undefined);

/** 128 random bits, which never leave the Worker. */
export const createNonce = () => crypto.getRandomValues(new Uint8Array(16)).toHex();

/**
 * The page without the nonce, and the bodies of the inline scripts that carried it. Any other script in the HTML came
 * with a text of the page, not from the renderer.
 */
export function takeInlineScripts(html: string, nonce: string) {
  const inline = new RegExp(`<script(?=[^>]* nonce="${nonce}")(?![^>]* src=)[^>]*>(.*?)</script>`, "gs");
  const scripts = [...html.matchAll(inline)].map(([, script = ""]) => script);
  return { page: html.replaceAll(` nonce="${nonce}"`, ""), scripts };
}
