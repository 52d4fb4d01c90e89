import { isTimeZone } from "#worker/settings/contract.ts";

/** A time zone in Unicode's CLDR: all its names, and the current one if it is not the first. */
type Zone = { _alias?: string; _iana?: string };

let known: Map<string, string> | undefined;

/** Maps each lower-case name to the time zone's current name. Made once in an isolate, as is the list. */
const readNames = async () => (known ??= await makeNames());

async function makeNames() {
  // Imported on demand: 60 kB that only the settings need.
  const { default: table } = await import("cldr-bcp47/bcp47/timezone.json");
  const names = new Map<string, string>();
  for (const [id, zone] of Object.entries(table.keyword.u.tz as Record<string, Zone | string>)) {
    if (typeof zone === "string") continue;
    const { _alias: given = "", _iana: renamed } = zone;
    const aliases = given.split(" ").filter(Boolean);
    // UTC is better known by its short name.
    const current = id === "utc" ? "UTC" : (renamed ?? aliases[0]!);
    for (const alias of aliases) names.set(alias.toLowerCase(), current);
  }
  return names;
}

const currentOf = (names: Map<string, string>, timeZone: string) => {
  const current = names.get(timeZone.toLowerCase());
  // Intl takes 30 µs to look at a name, and needs none for one that it has listed.
  return current !== undefined && (current === timeZone || isTimeZone(current)) ? current : timeZone;
};

/** The current name of a time zone: Asia/Kolkata for Asia/Calcutta. */
export const currentTimeZone = async (timeZone: string) => currentOf(await readNames(), timeZone);

let listed: string[] | undefined;

/** The selectable time zones, by current names: Intl lists some by former ones. */
export const listTimeZones = async () => (listed ??= await makeList());

async function makeList() {
  const names = await readNames();
  const zones = Intl.supportedValuesOf("timeZone").map((zone) => currentOf(names, zone));
  return [...new Set([...zones, "UTC"])].toSorted();
}
