import { base64url } from "jose";

/**
 * Who has a passkey, as authenticators know them. Users and members have passkeys of the same site, and a browser offers both
 * kinds alike: the handle says which it is. A user's handle is the id alone, which has no colon.
 */
export type Holder = "user" | "member";

export const userHandle = (holder: Holder, id: string) =>
  base64url.encode(holder === "user" ? id : `${holder}:${id}`);

/** Only what the browser says: whether the passkey is theirs is decided by the row with its key. */
export function holderIn(handle: string): Holder {
  try {
    return new TextDecoder().decode(base64url.decode(handle)).startsWith("member:") ? "member" : "user";
  } catch {
    return "user";
  }
}
