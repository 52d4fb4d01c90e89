import type { Counted } from "#worker/analytics/contract.ts";

const UNKNOWN = "XX";

/**
 * Countries by their names in the site's language. Server only: a browser's names may differ, which would break
 * hydration.
 */
export function withCountryNames(countries: Counted[], language: string): Counted[] {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  return countries.map(({ name, count }) => ({
    name: name === UNKNOWN ? "Unknown" : (names.of(name) ?? name),
    count,
  }));
}
