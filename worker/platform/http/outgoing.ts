import ipaddr from "ipaddr.js";

/** Fetches of addresses from users and feeds: none may reach the private network of the Worker. */

/**
 * Why an address is not fetched: it is not public, has an explicit port or a password, or redirects in a loop or too
 * often.
 */
export type NotAskedReason = "private" | "port" | "password" | "loop" | "endless";

export class NotAsked extends Error {
  readonly reason: NotAskedReason;
  /** Whether the refused address is a redirect's target. */
  readonly isRedirect: boolean;

  constructor(reason: NotAskedReason, isRedirect: boolean) {
    super(`not asked: ${reason}`);
    this.reason = reason;
    this.isRedirect = isRedirect;
  }
}

type Options = {
  /** Allows servers on this machine, at any port: for tests and development. */
  loopback?: boolean;
  mostRedirects?: number;
};

const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Fetches an address and follows its redirects one by one, so that no site can redirect to a private machine.
 * @throws {NotAsked}
 */
export async function fetchPublic(
  start: URL,
  init: Omit<RequestInit, "redirect">,
  { loopback = false, mostRedirects = MOST_REDIRECTS }: Options = {},
) {
  let url = start;
  const asked = new Set<string>();
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const refusal = asked.has(url.href) ? "loop" : whyNotAsked(url, loopback);
    if (refusal) throw new NotAsked(refusal, redirects > 0);
    asked.add(url.href);
    const response = await fetch(url, { ...init, redirect: "manual" });
    const location = response.headers.get("Location");
    const next = REDIRECTS.includes(response.status) && location ? URL.parse(location, url) : null;
    if (!next) return { response, url };
    await response.body?.cancel();
    url = next;
  }
  throw new NotAsked("endless", true);
}

/** Why `fetchPublic` would not ask an address; null if it would. */
export function whyNotAsked(url: URL, loopback = false): "private" | "password" | "port" | null {
  const isOurs = loopback && isLoopback(url);
  if (!isOurs && !isPublic(url)) return "private";
  if (url.username !== "" || url.password !== "") return "password";
  return !isOurs && url.port !== "" ? "port" : null;
}

/** Why the owner’s data is not sent to an address, which must have https unless it is this machine’s; null if it is. */
export function whyNotSent(url: URL, loopback = false): keyof typeof ADDRESS_FAULTS | null {
  const why = whyNotAsked(url, loopback);
  if (why !== null) return why;
  const isOwnMachine = whyNotAsked(url) !== null;
  return url.protocol === "https:" || isOwnMachine ? null : "insecure";
}

/** The same, for the owner who enters it. */
export const ADDRESS_FAULTS = {
  private: "Enter an address on the internet. This one is private.",
  password: "Leave out the user and password.",
  port: "Leave out the port.",
  insecure: "Enter an address that starts with https://.",
};

/** The host without trailing dots and without the brackets of IPv6. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$|\.+$/g, "");

/** All public IPv6 addresses (RFC 4291 §2.4). Outside of it, `[::7f00:1]` is 127.0.0.1 in a form from before RFC 4291. */
const GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");

function isPublic(url: URL) {
  if (!/^https?:$/.test(url.protocol)) return false;
  const host = hostOf(url);
  if (ipaddr.isValid(host)) {
    const address = ipaddr.process(host);
    return address.range() === "unicast" && (address.kind() === "ipv4" || address.match(GLOBAL));
  }
  return host.includes(".") && !/\.(?:local|localhost|localdomain|internal|home\.arpa|lan|test)$/i.test(host);
}

const isLoopback = (url: URL) =>
  /^https?:$/.test(url.protocol) && /^(?:localhost|127\.0\.0\.1|::1)$/.test(hostOf(url));

/** The beginning of a response's text, of at most this many characters; the rest is not downloaded. */
export async function readBeginning({ body }: Response, most: number) {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value.subarray(0, most), { stream: true });
  }
  await reader.cancel();
  return text.slice(0, most);
}
