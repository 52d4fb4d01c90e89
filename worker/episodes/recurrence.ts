/** Recurrence rules of RFC 5545, 3.3.10, such as FREQ=WEEKLY;BYDAY=TU. */

const number = (from: number, to: number) => (text: string) =>
  /^\d{1,4}$/.test(text) && Number(text) >= from && Number(text) <= to;
/** Counted from the end when negative; never 0. */
const ordinal = (to: number) => (text: string) => number(1, to)(text.replace(/^[+-]/, ""));
const listOf = (isPart: (text: string) => boolean) => (text: string) => text.split(",").every(isPart);

const WEEKDAY = "(?:MO|TU|WE|TH|FR|SA|SU)";
const weekday = (text: string) => new RegExp(`^${WEEKDAY}$`).test(text);
const numberedWeekday = (text: string) =>
  new RegExp(`^(?:[+-]?\\d{1,2})?${WEEKDAY}$`).test(text) &&
  (weekday(text) || ordinal(53)(text.slice(0, -2)));

/** A day, or a day and time. */
function until(text: string) {
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(text) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // 31 February would be read as a day of March.
  return !Number.isNaN(time) && new Date(time).getUTCDate() === Number(day);
}

const frequencies = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"];

const parts: Record<string, (value: string) => boolean> = {
  FREQ: (text) => frequencies.includes(text),
  INTERVAL: number(1, 9999),
  UNTIL: until,
  BYSECOND: listOf(number(0, 60)),
  BYMINUTE: listOf(number(0, 59)),
  BYHOUR: listOf(number(0, 23)),
  BYDAY: listOf(numberedWeekday),
  BYMONTHDAY: listOf(ordinal(31)),
  BYYEARDAY: listOf(ordinal(366)),
  BYWEEKNO: listOf(ordinal(53)),
  BYMONTH: listOf(number(1, 12)),
  BYSETPOS: listOf(ordinal(366)),
  WKST: weekday,
};

/** What is wrong with a recurrence rule; undefined if nothing is. */
export function recurrenceProblem(rule: string) {
  const given = new Map<string, string>();
  for (const part of rule.split(";")) {
    const [, name = "", value = ""] = /^([A-Z]+)=(.+)$/.exec(part.toUpperCase()) ?? [];
    if (name === "COUNT") return "COUNT needs a start date, which a feed doesn’t have. Use UNTIL with a day.";
    const isValid = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (!isValid?.(value)) return `“${part}” isn’t part of a recurrence rule such as FREQ=WEEKLY;BYDAY=TU.`;
    if (given.has(name)) return `${name} appears twice.`;
    given.set(name, value);
  }
  return given.has("FREQ") ? combinationProblem(given) : "A recurrence rule needs FREQ, such as FREQ=WEEKLY.";
}

/** The RFC allows some parts with some frequencies only. */
function combinationProblem(given: Map<string, string>) {
  const frequency = given.get("FREQ")!;
  const refused: Record<string, string[]> = {
    BYWEEKNO: frequencies.slice(1),
    BYYEARDAY: ["MONTHLY", "WEEKLY", "DAILY"],
    BYMONTHDAY: ["WEEKLY"],
  };
  const unfit = [...given.keys()].find((name) => refused[name]?.includes(frequency));
  if (unfit) return `${unfit} can’t be used with FREQ=${frequency}.`;
  const isNumbered = /\d/.test(given.get("BYDAY") ?? "");
  if (isNumbered && (!["MONTHLY", "YEARLY"].includes(frequency) || given.has("BYWEEKNO"))) {
    return "A numbered weekday such as 1MO needs FREQ=MONTHLY or FREQ=YEARLY, without BYWEEKNO.";
  }
  if (
    given.has("BYSETPOS") &&
    ![...given.keys()].some((name) => name.startsWith("BY") && name !== "BYSETPOS")
  ) {
    return "BYSETPOS needs another BY part to choose from.";
  }
  return undefined;
}
