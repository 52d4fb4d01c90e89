import { devices, type Device } from "#worker/settings/podcast-apps.ts";

/** The page that offers the apps of the visitor's device first, and its data. Not `/listen/`: caches store its redirect for all devices. */
const PAGE = /^\/listen(?:\.data)?$/;
const PARAMETER = "device";

/** The family of a browser's device; null for another one. Fire tablets name Android too, or a Mac. */
export function deviceOfBrowser(userAgent: string): Device | null {
  if (/\bSilk\/|\bKF[A-Z]{2,6}\b/.test(userAgent)) return "amazon";
  if (/\bAndroid\b/.test(userAgent)) return "android";
  return /\b(?:iPhone|iPad|iPod|Macintosh)\b/.test(userAgent) ? "apple" : null;
}

/**
 * A render sees nothing of the visitor but the address. So a request for the page gets the device in its address, unless a
 * link has named one: the page is cached once for each family of devices.
 */
export function withDevice(request: Request): Request {
  // Most requests are for another page, and reading an address takes a tenth of the time of a cache hit.
  if (!request.url.includes("/listen")) return request;
  const url = new URL(request.url);
  if (!PAGE.test(url.pathname)) return request;
  const given = url.searchParams.get(PARAMETER);
  const device = isDevice(given) ? given : deviceOfBrowser(request.headers.get("User-Agent") ?? "");
  url.searchParams.delete(PARAMETER);
  if (device) url.searchParams.set(PARAMETER, device);
  return new Request(url, request);
}

export const isDevice = (name: string | null): name is Device =>
  name !== null && Object.hasOwn(devices, name);
