import { email } from "#worker/platform/contract.ts";

export type ReadAddress = { email: string } | { why: string };

/** Characters of an address in an error: a column may contain a whole line by mistake. */
const SHOWN = 60;

/**
 * Normalises an address from a list or from the owner. Accepts what the sign-up form accepts; internationalised domains
 * become ASCII (punycode). Refuses undeliverable addresses with the reason.
 */
export function readAddress(text: string): ReadAddress {
  // The site's own export puts an apostrophe before a cell that a spreadsheet would run as a formula.
  const typed = text.trim().replace(/^'(?=[=+\-@])/, "");
  if (typed === "") return { why: "There’s no address." };
  const read = email.safeParse(typed);
  return read.success ? { email: read.data } : { why: whyNot(typed) };
}

function whyNot(typed: string) {
  const shown = typed.length > SHOWN ? `${typed.slice(0, SHOWN)}…` : typed;
  const local = typed.slice(0, typed.lastIndexOf("@"));
  if (/^[=+\-@].*[()!|]/.test(typed)) return `“${shown}” is a formula, not an address.`;
  if (!typed.includes("@")) return `“${shown}” isn’t an address.`;
  if (/^".*"$/.test(local)) return `“${shown}” has quotation marks before the @, which isn’t supported.`;
  if (/\P{ASCII}/u.test(local))
    return `“${shown}” has letters other than a to z before the @, which isn’t supported.`;
  if (/[<>,;\s]/.test(typed)) return `“${shown}” has more than one address.`;
  if (typed.length > 254) return `“${shown}” is too long for an address.`;
  return `“${shown}” can’t receive email.`;
}
