import { lazyImport } from "#site/ui/lazy-import.ts";

/** Whether the browser has passkeys; known without their code. */
export const hasPasskeys = () => "PublicKeyCredential" in window;

/** The code of passkeys, which only this page and the admin area need. */
export const loadPasskeys = lazyImport(() => import("./passkeys.ts"));
