/**
 * An address with its domain in ASCII, as DNS and mail servers need it: `müller.de` is `xn--mller-kva.de` (UTS 46, as
 * browsers convert hosts). Other text stays unchanged.
 */
export function inAscii(address: string) {
  const typed = address.trim().replace("＠", "@");
  const at = typed.lastIndexOf("@");
  return at < 0 ? typed : `${typed.slice(0, at)}@${domainInAscii(typed.slice(at + 1))}`;
}

function domainInAscii(domain: string) {
  if (!/\P{ASCII}/u.test(domain)) return domain;
  try {
    const { hostname, href } = new URL(`http://${domain}/`);
    // A path or port after the name would be lost: leave it as typed.
    return href === `http://${hostname}/` ? hostname : domain;
  } catch {
    return domain;
  }
}

/** An address as it is stored and compared. */
export const storedAddress = (address: string) => inAscii(address).toLowerCase();

/** A search term for stored addresses: an address, a domain, or a part of either. */
export const searchedAddress = (text: string) =>
  (/[@＠]/.test(text) ? inAscii(text) : /[.。．]/.test(text) ? domainInAscii(text.trim()) : text)
    .trim()
    .toLowerCase();

/** Characters (RFC 5321, 4.5.3.1.3). */
const LONGEST = 254;

/** zod's rule of an address, and top-level domains in other scripts. */
const ADDRESS =
  /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/i;

export const isAddress = (address: string) => address.length <= LONGEST && ADDRESS.test(address);

/** Why email cannot be sent to an address whose domain is in ASCII; null if it can. */
export function whyNotAddress(address: string, invalid: string) {
  if (isAddress(address)) return null;
  const [local = ""] = /^.*(?=@)/s.exec(address.normalize("NFC")) ?? [];
  const [letter] = /(?![a-z])\p{L}/iu.exec(local) ?? [];
  if (letter === undefined) return invalid;
  return `Please use another address: mail servers don’t accept letters such as “${letter}” before the @.`;
}
