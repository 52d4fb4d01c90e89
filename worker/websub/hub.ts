import ipaddr from "ipaddr.js";
import { isLocal } from "#worker/platform/http/local-address.ts";

/**
 * Why an address cannot be a WebSub hub; null if it can. Feeds publish the address, and the Worker sends requests
 * there.
 */
export function hubFault(hubUrl: string, siteUrl: string): string | null {
  const { protocol, hostname, username, password } = new URL(hubUrl);
  if (username || password) return "Leave out the user and password: feeds show this address publicly.";
  if (isLocal(siteUrl)) {
    return isLocal(hubUrl)
      ? null
      : "A public hub can’t reach a site at localhost. Set it after you deploy the site.";
  }
  if (protocol !== "https:") return "Enter a full address that starts with https://.";
  return isPublic(hostname) ? null : "Enter a hub on the internet. This is a private address.";
}

/** Names that only a private network resolves (RFC 6761, RFC 6762, RFC 8375, and ICANN's .internal). */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa|test|invalid|onion)$/;

/** The platform resolves names; a Worker on Cloudflare cannot reach private networks. */
function isPublic(hostname: string) {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === "unicast";
  return host.includes(".") && !PRIVATE_NAME.test(host);
}

/** The HTTP header of a feed with a hub (WebSub §4), in ASCII; null without one. */
export const hubHeader = (hubUrl: string, feedUrl: string) =>
  hubUrl === "" ? null : `<${new URL(hubUrl).href}>; rel="hub", <${feedUrl}>; rel="self"`;

/** The same as an element of a feed. */
export const hubLinks = (hubUrl: string) => (hubUrl === "" ? [] : [{ "@_rel": "hub", "@_href": hubUrl }]);
