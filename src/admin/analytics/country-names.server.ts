import type { Counted } from "#worker/analytics/contract.ts";

const UNKNOWN = "XX";

/**
 * Countries by their names in the site's language. On the server alone: a browser may know a country by another name, and
 * could not go on from the page that it was given.
 */
export function withCountryNames(countries: Counted[], language: string): Counted[] {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  return countries.map(({ name, count }) => ({
    name: name === UNKNOWN ? "Unknown" : (names.of(name) ?? name),
    count,
  }));
}
