import ipaddr from "ipaddr.js";
import { isbot } from "isbot";
import type { RejectionReason } from "#worker/analytics/contract.ts";
import { apps, servers, serverWords, wholeServers } from "#worker/analytics/apps.ts";
import { dataCentres } from "#worker/analytics/data-centres.ts";

/** The owner's additions to the lists. */
export type OwnLists = {
  dataCentres: string[];
  apps: { name: string; startsWith: string }[];
};

/** Longest beginnings first, so that they win. */
const known = Object.entries(apps)
  .flatMap(([name, beginnings]) => beginnings.map((text) => ({ name, startsWith: text.toLowerCase() })))
  .toSorted((a, b) => b.startsWith.length - a.startsWith.length);
const fetching = servers.map((text) => text.toLowerCase());
const centres = new Set(dataCentres);

const BROWSERS = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

export const UNKNOWN = "Unknown";

/** The app whose beginning matches a user agent; null for none. */
function nameIn(list: readonly OwnLists["apps"][number][], userAgent: string) {
  const agent = userAgent.toLowerCase();
  return list.find(({ startsWith }) => agent.startsWith(startsWith.toLowerCase()))?.name ?? null;
}

/** The listener's app or browser. */
export const appOf = (userAgent: string, { apps: own }: Pick<OwnLists, "apps">) =>
  nameIn(own, userAgent) ??
  nameIn(known, userAgent) ??
  BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ??
  UNKNOWN;

const DEVICES = [
  [/watchOS|Apple ?Watch|Wear ?OS/i, "Watch"],
  [/Alexa|Echo|HomePod|AudioAccessory|Sonos|Google ?Home|CrKey|Bose/i, "Speaker"],
  [/Apple ?TV|tvOS|Roku|SmartTV|SMART-TV|BRAVIA|AFT[A-Z]/i, "Television"],
  [/CarPlay|Android ?Auto|Automotive/i, "Car"],
  [/iPad|Tablet|Android(?!.*Mobile).*AppleWebKit/i, "Tablet"],
  [/iPhone|iPod|iOS|Android|Mobile|Dalvik|okhttp/i, "Phone"],
  [/Windows|Macintosh|Mac OS|X11|Linux|CrOS/i, "Computer"],
] as const;

export const deviceOf = (userAgent: string) =>
  DEVICES.find(([pattern]) => pattern.test(userAgent))?.[1] ?? UNKNOWN;

/**
 * Whether a user agent is a robot. isbot reports many podcast apps as robots, since they name their site or only
 * themselves: listed apps are not robots, nor are the owner's, regardless of other words in them.
 */
export function isRobot(userAgent: string, { apps: own }: Pick<OwnLists, "apps">) {
  if (nameIn(own, userAgent) !== null) return false;
  return isServer(userAgent) || (nameIn(known, userAgent) === null && isbot(userAgent));
}

/** Whether it is an app's server, which fetches for many or for itself. */
function isServer(userAgent: string) {
  const agent = userAgent.toLowerCase();
  return (
    fetching.some((beginning) => agent.startsWith(beginning)) ||
    wholeServers.includes(userAgent) ||
    serverWords.test(userAgent)
  );
}

/** Apple Watch apps fetch again what the phone has already fetched. */
const isWatchDouble = (userAgent: string) =>
  (userAgent.startsWith("atc/") && userAgent.includes("watchOS")) ||
  userAgent.includes("(null)/(null) watchOS");

/** Whether a line of the owner's list is valid. */
export function isNetwork(line: string) {
  return /^AS\d+$/.test(line) || ipaddr.isValidCIDR(line);
}

function isDataCentre({ address, asn }: Asked, own: string[]) {
  if (asn !== null && (centres.has(asn) || own.includes(`AS${asn}`))) return true;
  const text = address.replace(/\/64$/, "");
  if (!ipaddr.isValid(text)) return false;
  const parsed = ipaddr.parse(text);
  return own.some((line) => {
    if (!ipaddr.isValidCIDR(line)) return false;
    const [network, bits] = ipaddr.parseCIDR(line);
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}

/** The fields of an audio request that counting needs. */
export type Asked = {
  method: string;
  status: number;
  /** Bytes, both inclusive. */
  first: number;
  last: number;
  /** An IPv4 address, or a /64 of IPv6. */
  address: string;
  userAgent: string;
  /** The autonomous system of the client; null if the platform does not provide it. */
  asn: number | null;
};

/** Why a request does not count towards a download; null if it does. After IAB Podcast Measurement 2.3, §5.5. */
export function rejectionOf(asked: Asked, own: OwnLists): RejectionReason | null {
  if (asked.method === "HEAD") return "head";
  if (asked.status === 304) return "unchanged";
  if (asked.status === 206 && asked.first === 0 && asked.last === 1) return "probe";
  if (isWatchDouble(asked.userAgent)) return "watch";
  if (isRobot(asked.userAgent, own)) return "robot";
  if (isDataCentre(asked, own.dataCentres)) return "data-centre";
  return null;
}
