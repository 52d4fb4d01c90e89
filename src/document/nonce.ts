import { createContext } from "react";

/** Nonce of the renderer's own scripts; undefined in a browser. */
export const NonceContext = /* @__PURE__ */ createContext<string | undefined>(undefined);

let created: string | undefined;

/** 128 random bits, which never leave the Worker. Of the isolate, so that the engine has compiled the patterns with it. */
export const nonceOfIsolate = () => (created ??= crypto.getRandomValues(new Uint8Array(16)).toHex());

/** The page without the nonce, and the bodies of the inline scripts that had it: those that the renderer wrote. */
export function takeInlineScripts(html: string, nonce: string) {
  const inline = new RegExp(`<script(?=[^>]* nonce="${nonce}")(?![^>]* src=)[^>]*>(.*?)</script>`, "gs");
  const scripts = [...html.matchAll(inline)].map(([, script = ""]) => script);
  return { page: html.replaceAll(` nonce="${nonce}"`, ""), scripts };
}
