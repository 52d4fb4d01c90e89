import ipaddr from "ipaddr.js";

/** Fetches of addresses that people and feeds name: none of them leads into the network that the Worker runs in. */

/**
 * Why an address is not asked: it is not public, has a port of its own or a password in it, redirects to where it was, or
 * redirects too often.
 */
export type NotAskedReason = "private" | "port" | "password" | "loop" | "endless";

export class NotAsked extends Error {
  readonly reason: NotAskedReason;
  /** Whether it is not the address itself, but one that it redirects to. */
  readonly isRedirect: boolean;

  constructor(reason: NotAskedReason, isRedirect: boolean) {
    super(`not asked: ${reason}`);
    this.reason = reason;
    this.isRedirect = isRedirect;
  }
}

type Options = {
  /** This machine's own servers may be asked, at any port: for tests and for a site on one's own computer. */
  loopback?: boolean;
  mostRedirects?: number;
};

const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Fetches an address and those that it leads to, step by step, so that no site leads to a machine that is nobody's to ask.
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

/** Without the dot that may end a name, and the brackets of IPv6. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|[\].]$/g, "");

function isPublic(url: URL) {
  if (!/^https?:$/.test(url.protocol)) return false;
  const host = hostOf(url);
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === "unicast";
  return host.includes(".") && !/\.(?:local|localhost|internal|home\.arpa|lan|test)$/i.test(host);
}

const isLoopback = (url: URL) =>
  /^https?:$/.test(url.protocol) && /^(?:localhost|127\.0\.0\.1|::1)$/.test(hostOf(url));
