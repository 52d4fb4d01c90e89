import { createContext } from "react";

/** Marks the scripts of one render; undefined in a browser. */
export const NonceContext = /* @__PURE__ */ createContext<string | undefined>(undefined);

/** 128 random bits, which never leave the Worker. */
export const createNonce = () => crypto.getRandomValues(new Uint8Array(16)).toHex();

/**
 * The page without the nonce, and the bodies of the inline scripts that carried it. Whatever else stands in the HTML as
 * a script was written by a text of the page, not by the renderer.
 */
export function takeOwnScripts(html: string, nonce: string) {
  const inline = new RegExp(`<script(?=[^>]* nonce="${nonce}")(?![^>]* src=)[^>]*>(.*?)</script>`, "gs");
  const scripts = [...html.matchAll(inline)].map(([, script = ""]) => script);
  return { page: html.replaceAll(` nonce="${nonce}"`, ""), scripts };
}
