/** Reads dates of feeds and exports, for all imports: docs/decisions/0072-foreign-dates.md. */

/** Why a date text is not a point in time. */
export type DateProblem = "none" | "unreadable" | "nonexistent" | "ambiguous" | "zone" | "early";

export type ForeignDate =
  | {
      /** Milliseconds UTC. */
      at: number;
      /** Whether the text names a time of day; without one it is the beginning of the day. */
      hasTime: boolean;
      /** Whether the text names a zone; without one it is in the zone that the caller gave. */
      hasZone: boolean;
    }
  | { at: null; problem: DateProblem };

/** What is wrong with a date, as a sentence for an item's notes. */
export const dateProblems: Record<DateProblem, string> = {
  none: "It has no date.",
  unreadable: "Its date can’t be read.",
  nonexistent: "Its date or time doesn’t exist.",
  ambiguous: "Its date could be day-month or month-day.",
  zone: "The time zone of its date is unknown, or stands for several.",
  early: "Its date is before 1970.",
};

/** Characters: no date is longer; JavaScript's `toString` has 62. */
const LONGEST = 120;

/**
 * Reads a date as other programs write it. An unreadable date, or one that names a nonexistent day or time, is a
 * problem and never another day.
 *
 * - ISO 8601 and RFC 3339, basic too (`20260203T100000Z`); year first wherever a year of four digits is first.
 * - RFC 2822 and 850, JavaScript's `toString`, `date`, Apache's log; years of two digits as RFC 2822 has them.
 * - Long forms, with the months and days of English, German, French, Spanish, Italian, Portuguese and Dutch, whole or
 * shortened: `3. Februar 2026, 10 Uhr`, `le 3 févr. 2026 à 10h30`, `February 3rd, 2026 at 10:00 AM ET`. The name of the
 * weekday is not checked: old feeds have it wrong, and apps ignore it.
 * - `dd.mm.yyyy`, day first; with slashes or dashes only if no other order is possible.
 * - Unix seconds (9 or 10 digits) and milliseconds (12 or 13), as text or as a number.
 * - Zones by offset, by abbreviation (`AEST` is always +10, also in summer; `ET` and `Europe/Berlin` follow the
 * clocks). A name of several zones, such as IST, is ambiguous.
 *
 * @param options.timeZone An IANA name, for texts that name no zone.
 */
export function readForeignDate(value: unknown, { timeZone = "UTC" } = {}): ForeignDate {
  if (value instanceof Date) return fromUnix(value.getTime(), 1);
  if (typeof value === "number") return readNumber(String(value)) ?? problem("unreadable");
  if (value === null || value === undefined || value === "") return problem("none");
  if (typeof value !== "string") return problem("unreadable");
  const text = value.trim();
  // MySQL's value for no date.
  if (text === "" || text.startsWith("0000-00-00")) return problem("none");
  if (text.length > LONGEST) return problem("unreadable");
  const plain = simplified(text);
  const number = readNumber(plain);
  if (number) return number;
  const parts = partsOf(plain) ?? partsOf(withoutWeekday(plain));
  return parts === null ? problem("unreadable") : readParts(parts, timeZone);
}

const problem = (name: DateProblem): ForeignDate => ({ at: null, problem: name });

/** Lower case, without accents, with single spaces. */
const simplified = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}\u200e\u200f\ufeff]/gu, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

function readNumber(text: string): ForeignDate | null {
  const [, digits] = /^@?(\d+)(?:\.\d+)?$/.exec(text) ?? [];
  switch (digits?.length) {
    case 9:
    case 10:
      return fromUnix(Number(text.replace("@", "")), 1000);
    case 12:
    case 13:
      return fromUnix(Number(digits), 1);
    default:
      return null;
  }
}

function fromUnix(units: number, factor: number): ForeignDate {
  const at = Math.round(units * factor);
  if (!Number.isFinite(at)) return problem("unreadable");
  return at > 0 ? { at, hasTime: true, hasZone: true } : problem("early");
}

/** A day, and what follows it: a time and a zone. */
type Parts = { year: number; month: number; day: number; rest: string } | { problem: DateProblem };

const ORDINAL = "(?:\\.?(?:st|nd|rd|th|er|o|a|e|ste|de)\\b)?\\.?";
const OF = "(?:(?:of|de|del|di) )?";
const GAP = "[ /.,-]*";

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)(.*)$/;
const BASIC = /^(\d{4})(\d{2})(\d{2})((?:t\d{4}.*)?)$/;
const YEAR_MONTH_NAME = /^(\d{4})[-/ ]([a-z]+)[-/. ]+(\d{1,2})(?!\d)(.*)$/;
const DAY_MONTH_NAME = new RegExp(
  `^(\\d{1,2})${ORDINAL}${GAP}${OF}([a-z]{3,})\\.?${GAP}${OF}(\\d{4,}|\\d{2,3}(?![:.h]))(.*)$`,
);
const MONTH_NAME_DAY = new RegExp(
  `^([a-z]{3,})\\.?[ /-]*(\\d{1,2})${ORDINAL}[ /,-]+${OF}(\\d{4})(?!\\d)(.*)$`,
);
/** The year is last: "Feb 3 10:00:00 CET 2026", and "3 Feb 10:00:00 GMT 2026". */
const YEAR_LAST =
  /^([a-z]{3,}\.? \d{1,2}|\d{1,2} [a-z]{3,}\.?),? (\d{1,2}:\d{2}(?::\d{2})?(?: [ap]m)?(?: [a-z/_+\d:-]+)?) (\d{4})$/;
const DOTS = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})(?![\d.:])(.*)$/;
const NUMBERS = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?!\d)(.*)$/;

function partsOf(text: string): Parts | null {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return partsFrom(yearFirst[1], Number(yearFirst[3]), yearFirst[4], yearFirst[5]);
  const basic = BASIC.exec(text);
  if (basic) return partsFrom(basic[1], Number(basic[2]), basic[3], basic[4]);
  const dots = DOTS.exec(text);
  if (dots) return partsFrom(dots[3], Number(dots[2]), dots[1], dots[4]);
  const numbers = NUMBERS.exec(text);
  if (numbers) return inNumbers(Number(numbers[1]), Number(numbers[3]), numbers[4], numbers[5]);
  return namedParts(text);
}

function namedParts(text: string): Parts | null {
  const [, year, month, day, rest] = YEAR_MONTH_NAME.exec(text) ?? [];
  if (month && monthOf(month)) return partsFrom(year, monthOf(month), day, rest);
  const dayFirst = DAY_MONTH_NAME.exec(text);
  if (dayFirst && monthOf(dayFirst[2]))
    return partsFrom(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1], dayFirst[4]);
  const monthFirst = MONTH_NAME_DAY.exec(text);
  if (monthFirst && monthOf(monthFirst[1]))
    return partsFrom(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2], monthFirst[4]);
  const last = YEAR_LAST.exec(text);
  return last ? namedParts(`${last[1]} ${last[3]} ${last[2]}`) : null;
}

function partsFrom(year = "", month: number | null, day = "", rest = ""): Parts {
  const full = fullYear(year);
  if (full === null || month === null) return { problem: "unreadable" };
  return { year: full, month, day: Number(day), rest };
}

/** Two and three digits as RFC 2822 reads them. */
function fullYear(digits: string) {
  const year = Number(digits);
  if (digits.length === 4) return year;
  if (digits.length === 3) return year + 1900;
  return digits.length === 2 ? year + (year < 50 ? 2000 : 1900) : null;
}

/** Of two numbers, only one may be a possible month. */
function inNumbers(one: number, two: number, year = "", rest = ""): Parts {
  const canBe = (day: number, month: number) => isDay(Number(year), month, day);
  if (canBe(one, two) && canBe(two, one) && one !== two) return { problem: "ambiguous" };
  const [day, month] = canBe(one, two) || !canBe(two, one) ? [one, two] : [two, one];
  return partsFrom(year, month, String(day), rest);
}

function isDay(year: number, month: number, day: number) {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function readParts(parts: Parts, timeZone: string): ForeignDate {
  if ("problem" in parts) return problem(parts.problem);
  const { year, month, day, rest } = parts;
  if (year < 1970) return problem(isDay(year + 2000, month, day) ? "early" : "nonexistent");
  if (!isDay(year, month, day)) return problem("nonexistent");
  const time = timeOf(rest);
  if (time === null) return problem("unreadable");
  if (time.ms === null) return problem("nonexistent");
  const zone = zoneOf(time.rest);
  if (zone === null) return problem(/^[a-z][a-z\d/_ +-]*$/.test(time.rest) ? "zone" : "unreadable");
  return momentOf(Date.UTC(year, month - 1, day) + time.ms, {
    zone: zone ?? timeZone,
    hasTime: time.hasTime,
    hasZone: zone !== undefined,
  });
}

type Local = { zone: number | string; hasTime: boolean; hasZone: boolean };

function momentOf(local: number, { zone, hasTime, hasZone }: Local): ForeignDate {
  const at = typeof zone === "number" ? local - zone * 60_000 : inZone(local, zone, hasTime);
  if (at === null) return problem("nonexistent");
  return at > 0 ? { at, hasTime, hasZone } : problem("early");
}

const LEAD = /^[ ,]*(?:(?:t|@|:|um|at|as|a las|las|alle ore|alle|ore|a|om|kl\.?)(?=[ \d])|-(?= ))?[ ,]*/;
const CLOCK = /^(\d{1,2})(?: ?h ?|[:.])(\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?(?![\d:])/;
const BASIC_CLOCK = /^(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?(?!\d)/;
const HOUR = /^(\d{1,2})(?= ?(?:uhr|h|uur|[ap]\.? ?m\b))/;
const AFTER = /^ ?(?:(?:uhr|uur|hrs?|h)\b|([ap])\.? ?m\b\.?)/;

/** A time of day in milliseconds, null for a nonexistent one; and the text after it. Null for other text. */
function timeOf(text: string): { ms: number | null; hasTime: boolean; rest: string } | null {
  const rest = text.replace(LEAD, "");
  if (!/^\d/.test(rest)) return { ms: 0, hasTime: false, rest };
  const isBasic = /^t\d{4}/.test(text.trim());
  const found = isBasic ? BASIC_CLOCK.exec(rest) : (CLOCK.exec(rest) ?? HOUR.exec(rest));
  if (!found) return null;
  const [whole, hours, minutes = "0", seconds = "0", fraction = "0"] = found;
  const [after = "", half] = AFTER.exec(rest.slice(whole.length)) ?? [];
  const hour = hourOf(Number(hours), half);
  const exists = hour !== null && hour < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  const ms = (((hour ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return {
    ms: exists ? ms + Math.trunc(Number(`0.${fraction}`) * 1000) : null,
    hasTime: true,
    rest: rest.slice(whole.length + after.length).replace(/^[ ,]+/, ""),
  };
}

function hourOf(hour: number, half: string | undefined) {
  if (half === undefined) return hour;
  return hour < 1 || hour > 12 ? null : (hour % 12) + (half === "p" ? 12 : 0);
}

/** Minutes east of UTC. */
const hours = (names: string, offset: number): [string, number][] =>
  names.split(" ").map((name) => [name, offset * 60]);

/** RFC 2822 has the American ones. Without IST, SST and others that several zones use. */
const offsets = new Map([
  ...hours("z zulu ut utc gmt wet wez", 0),
  ...hours("cet bst mez west wesz met wat", 1),
  ...hours("cest mesz mest eet oez cat sast", 2),
  ...hours("eest oesz msk eat trt fet idt", 3),
  ...hours("irst", 3.5),
  ...hours("msd gst samt", 4),
  ...hours("pkt uzt yekt", 5),
  ...hours("npt", 5.75),
  ...hours("omst", 6),
  ...hours("mmt", 6.5),
  ...hours("ict wib", 7),
  ...hours("awst hkt sgt myt pht wita", 8),
  ...hours("jst kst wit", 9),
  ...hours("acst", 9.5),
  ...hours("aest chst", 10),
  ...hours("acdt", 10.5),
  ...hours("aedt lhdt", 11),
  ...hours("nzst", 12),
  ...hours("nzdt", 13),
  ...hours("brst", -2),
  ...hours("ndt", -2.5),
  ...hours("adt art brt clst uyt", -3),
  ...hours("nst", -3.5),
  ...hours("ast edt clt bot vet", -4),
  ...hours("est cdt pet cot", -5),
  ...hours("cst mdt", -6),
  ...hours("mst pdt", -7),
  ...hours("pst akdt", -8),
  ...hours("akst hdt", -9),
  ...hours("hst", -10),
  // The long names that Windows and browsers write.
  ["greenwich mean", 0],
  ["coordinated universal", 0],
  ["british summer", 60],
  ["central european standard", 60],
  ["central european summer", 120],
  ["eastern standard", -300],
  ["eastern daylight", -240],
  ["central standard", -360],
  ["central daylight", -300],
  ["mountain standard", -420],
  ["mountain daylight", -360],
  ["pacific standard", -480],
  ["pacific daylight", -420],
  ["australian eastern standard", 600],
  ["australian eastern daylight", 660],
]);

/** Names whose offset changes with daylight saving. */
const clocks: Record<string, string> = {
  et: "America/New_York",
  eastern: "America/New_York",
  ct: "America/Chicago",
  central: "America/Chicago",
  mt: "America/Denver",
  mountain: "America/Denver",
  pt: "America/Los_Angeles",
  pacific: "America/Los_Angeles",
  akt: "America/Anchorage",
  alaska: "America/Anchorage",
  ht: "Pacific/Honolulu",
  hawaii: "Pacific/Honolulu",
};

const OFFSET = /^(?:utc|gmt|ut)? ?([+-])(?:(\d{2}):?(\d{2})|(\d{1,2})(?::(\d{2}))?)(?::00)?(?: [a-z]{1,5})?$/;
const WITH_COMMENT = /^([^([]*?) ?[([]([^()[\]]*)[)\]]$/;

/** Minutes east of UTC, or an IANA name; undefined for none, null for an unknown name. */
function zoneOf(text: string): number | string | null | undefined {
  if (text === "") return undefined;
  const [, before, comment = ""] = WITH_COMMENT.exec(text) ?? [];
  if (before !== undefined) return zoneOf(before === "" ? comment : before);
  const [, sign, h1, m1, h2, m2] = OFFSET.exec(text) ?? [];
  if (sign) return signed(sign, Number(h1 ?? h2), Number(m1 ?? m2 ?? 0));
  const name = text.replace(/ time$/, "");
  const known = offsets.get(name) ?? (Object.hasOwn(clocks, name) ? clocks[name] : undefined);
  return known ?? (/^[a-z]+\/[a-z\d/_+-]+$/.test(text) && formatOf(text) ? text : null);
}

const signed = (sign: string, h: number, m: number) =>
  h > 14 || m > 59 ? null : (sign === "-" ? -1 : 1) * (h * 60 + m);

let known: { timeZone: string; format: Intl.DateTimeFormat } | undefined;

/** The formatter of the last zone is reused, because creating one is slow. Null for an unknown zone. */
function formatOf(timeZone: string) {
  if (known?.timeZone === timeZone) return known.format;
  try {
    // Swedish dates look like ISO 8601.
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
    known = { timeZone, format };
    return format;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const DAY = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * The UTC time at which clocks in a zone show a local time, the first of two; null if they skip it. A date without a
 * time begins at its first existing hour.
 */
function inZone(local: number, timeZone: string, hasTime: boolean): number | null {
  // Lists have several dates a line, in UTC unless they name a zone.
  if (timeZone === "UTC") return local;
  const format = formatOf(timeZone);
  if (!format) return null;
  const whole = Math.floor(local / 1000) * 1000;
  const shown = (at: number) => Date.parse(`${format.format(at).replace(" ", "T")}Z`);
  // Clocks change at most once within two days: tries the offset before and the one after.
  const candidates = [whole - DAY, whole + DAY].map((at) => whole - (shown(at) - at));
  const found = candidates.toSorted((a, b) => a - b).find((at) => shown(at) === whole);
  if (found !== undefined) return found + (local - whole);
  return hasTime ? null : inZone(local + HOUR_MS, timeZone, true);
}

/** Without accents. A prefix of at least three letters means a month if it is the prefix of only one. */
const months = [
  "january januar janvier enero gennaio janeiro januari janner",
  "february februar fevrier febrero febbraio fevereiro februari feber",
  "march marz mars marzo marco maart maerz mrz mrt",
  "april avril abril aprile",
  "may mai mayo maggio maio mei",
  "june juni juin junio giugno junho",
  "july juli juillet julio luglio julho",
  "august aout agosto augustus",
  "september septembre septiembre settembre setembro setiembre",
  "october oktober octobre octubre ottobre outubro",
  "november novembre noviembre novembro",
  "december dezember decembre diciembre dicembre dezembro",
].map((names) => names.split(" "));

function monthOf(word = "") {
  const found = months.flatMap((names, index) =>
    names.some((name) => name.startsWith(word)) ? index + 1 : [],
  );
  return word.length >= 3 && found.length === 1 ? found[0]! : null;
}

const weekdays =
  "monday tuesday tues wednesday thursday thurs friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo lunedi martedi mercoledi giovedi venerdi sabato domenica segunda terca quarta quinta sexta maandag dinsdag woensdag donderdag vrijdag zaterdag zondag".split(
    " ",
  );

/** Without the weekday and the article before it: "le mardi", "Dienstag, den". */
function withoutWeekday(text: string) {
  const [whole = "", word = ""] = /^(?:(?:le|el|il|on) )?([a-z]+)(?:-feira)?(?:[.,]+ ?| )/.exec(text) ?? [];
  const isWeekday = word.length >= 2 && weekdays.some((name) => name.startsWith(word));
  return (isWeekday ? text.slice(whole.length) : text).replace(/^(?:le|el|il|den|the) /, "");
}
