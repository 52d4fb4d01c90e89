import ipaddr from "ipaddr.js";
import { isbot } from "isbot";
import type { RejectionReason } from "#worker/analytics/contract.ts";
import { apps, servers, serverWords, wholeServers } from "#worker/analytics/apps.ts";
import { dataCentres } from "#worker/analytics/data-centres.ts";

/** What the owner adds to the lists. */
export type OwnLists = {
  dataCentres: string[];
  apps: { name: string; startsWith: string }[];
};

/** Longer beginnings first, so that they count. */
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

/** The app of a list that a user agent begins as; null for none. */
function nameIn(list: readonly OwnLists["apps"][number][], userAgent: string) {
  const agent = userAgent.toLowerCase();
  return list.find(({ startsWith }) => agent.startsWith(startsWith.toLowerCase()))?.name ?? null;
}

/** What somebody listens with: an app, or a browser. */
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
 * Whether a user agent says that nobody listens or reads. isbot takes many podcast apps for robots, since they name their
 * site or only themselves: the listed ones are none. What the owner listed is none, whatever else it says.
 */
export function isRobot(userAgent: string, { apps: own }: Pick<OwnLists, "apps">) {
  if (nameIn(own, userAgent) !== null) return false;
  return isServer(userAgent) || (nameIn(known, userAgent) === null && isbot(userAgent));
}

/** Of an app, that fetches for many or for itself. */
function isServer(userAgent: string) {
  const agent = userAgent.toLowerCase();
  return (
    fetching.some((beginning) => agent.startsWith(beginning)) ||
    wholeServers.includes(userAgent) ||
    serverWords.test(userAgent)
  );
}

/** Apple Watch apps fetch what the phone has fetched already. */
const isWatchDouble = (userAgent: string) =>
  (userAgent.startsWith("atc/") && userAgent.includes("watchOS")) ||
  userAgent.includes("(null)/(null) watchOS");

/** Whether a line of the owner's list can be read. */
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

/** A request for audio, as far as counting needs it. */
export type Asked = {
  method: string;
  status: number;
  /** Bytes, both inclusive. */
  first: number;
  last: number;
  /** An IPv4 address, or a /64 of IPv6. */
  address: string;
  userAgent: string;
  /** Of the network that the request comes from; null where the platform does not say. */
  asn: number | null;
};

/** Why a request is no part of a download; null for one that is. After IAB Podcast Measurement 2.3, §5.5. */
export function rejectionOf(asked: Asked, own: OwnLists): RejectionReason | null {
  if (asked.method === "HEAD") return "head";
  if (asked.status === 304) return "unchanged";
  if (asked.status === 206 && asked.first === 0 && asked.last === 1) return "probe";
  if (isWatchDouble(asked.userAgent)) return "watch";
  if (isRobot(asked.userAgent, own)) return "robot";
  if (isDataCentre(asked, own.dataCentres)) return "data-centre";
  return null;
}
