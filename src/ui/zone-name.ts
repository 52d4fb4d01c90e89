/** A time zone in a sentence: "Sydney time", "UTC". */
export function zoneName(timeZone: string) {
  const city = timeZone.split("/").at(-1)!.replaceAll("_", " ");
  return timeZone.includes("/") && !timeZone.startsWith("Etc/") ? `${city} time` : city;
}
