import ipaddr from "ipaddr.js";

/** Fetches of addresses that people and feeds name: none of them leads into the network that the Worker runs in. */

/** An address that is not asked: it is not public, or leads from one to the next without end. */
export class NotAsked extends Error {
  readonly reason: "private" | "endless";

  constructor(reason: NotAsked["reason"]) {
    super(`not asked: ${reason}`);
    this.reason = reason;
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
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    requirePublic(url, loopback);
    const response = await fetch(url, { ...init, redirect: "manual" });
    const location = response.headers.get("Location");
    const next = REDIRECTS.includes(response.status) && location ? URL.parse(location, url) : null;
    if (!next) return { response, url };
    await response.body?.cancel();
    url = next;
  }
  throw new NotAsked("endless");
}

function requirePublic(url: URL, loopback: boolean) {
  if (isPublic(url) || (loopback && isLoopback(url))) return;
  throw new NotAsked("private");
}

/** Without the dot that may end a name, and the brackets of IPv6. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|[\].]$/g, "");

function isPublic(url: URL) {
  if (!/^https?:$/.test(url.protocol) || url.port !== "") return false;
  const host = hostOf(url);
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === "unicast";
  return host.includes(".") && !/\.(?:local|localhost|internal|home\.arpa|lan|test)$/i.test(host);
}

const isLoopback = (url: URL) =>
  /^https?:$/.test(url.protocol) && /^(?:localhost|127\.0\.0\.1|::1)$/.test(hostOf(url));
