import { parse } from "bowser";

/** "Firefox on Windows", from a User-Agent. */
export function deviceOf(userAgent: string) {
  if (!userAgent) return "Unknown device";
  const { browser, os } = parse(userAgent);
  return [browser.name || "A program", os.name].filter(Boolean).join(" on ");
}
