/** Hours, minutes and seconds as `1:02:03` or `0:15` (W3C Media Fragments, npt), with a fraction. */
const CLOCK = /^(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d(?:\.\d*)?)$/;
/** The same as `1h2m3s`, `10m` or `90s`, as YouTube writes them, and `90` or `15.5`. */
const UNITS = /^(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,6}(?:\.\d*)?)s?)?$/;

/** What the query of an address says of the moment at which it begins: `t`, or `start` as embedded videos of YouTube have it. */
export const momentIn = (query: URLSearchParams) => query.get("t") ?? query.get("start");

/**
 * The second of a timestamp link, from its query or fragment: `90`, `15.5`, `0:15`, `1:02:03`, `10m15s`; of a range
 * such as `npt:10,20` its start. 0 if it is not a time.
 */
export function startOf(text: string | null) {
  const [time = ""] = (text ?? "").trim().toLowerCase().replace(/^npt:/, "").split(",");
  const start = time.replace(/\s/g, "").replace(/[^\dhms]+$/, "");
  const [, hours, minutes, seconds] = CLOCK.exec(start) ?? UNITS.exec(start) ?? [];
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return Math.round(total * 1000) / 1000;
}

/** The same within an episode of so many seconds, or 0 if that is not known; 0 for what is behind its end. */
export function startWithin(durationSeconds: number, text: string | null) {
  const start = startOf(text);
  return durationSeconds > 0 && start > durationSeconds ? 0 : start;
}
