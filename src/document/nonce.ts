import { createContext } from "react";

/** Nonce of the renderer's own scripts; undefined in a browser. */
export const NonceContext = /* @__PURE__ */ createContext<string | undefined>(undefined);

let created: string | undefined;

/** 128 random bits, which never leave the Worker. */
export const nonceOfIsolate = () => (created ??= crypto.getRandomValues(new Uint8Array(16)).toHex());
