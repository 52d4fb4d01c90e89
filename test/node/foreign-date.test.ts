import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readForeignDate, type DateProblem } from "#worker/imports/foreign-date.ts";
import "../support/property-seed.ts";

const read = (value: unknown, timeZone?: string) => {
  const date = readForeignDate(value, { timeZone });
  return date.at === null ? date.problem : new Date(date.at).toISOString();
};

/**
 * Text, moment, and the source of the pair. "date -d": GNU date; "zoneinfo": Python's; "offset": computed from the
 * offset.
 */
const moments: [unknown, string, string][] = [
  ["Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06.000Z", "RFC 2822 A.1.1"],
  ["Tue, 1 Jul 2003 10:52:37 +0200", "2003-07-01T08:52:37.000Z", "RFC 2822 A.1.2"],
  ["21 Nov 97 09:55:06 GMT", "1997-11-21T09:55:06.000Z", "RFC 2822 A.6.2"],
  ["21 Nov 126 09:55:06 GMT", "2026-11-21T09:55:06.000Z", "RFC 2822 4.3: three digits plus 1900"],
  ["Sat, 07 Sep 2002 00:00:01 GMT", "2002-09-07T00:00:01.000Z", "RSS 2.0, pubDate"],
  ["Tue, 03 Feb 2026 10:00 EST", "2026-02-03T15:00:00.000Z", "RFC 2822 4.3: EST is -0500"],
  ["Tue, 07 Jul 2026 10:00:00 PDT", "2026-07-07T17:00:00.000Z", "RFC 2822 4.3: PDT is -0700"],
  ["Tue, 03 Feb 2026 10:00:00 UT", "2026-02-03T10:00:00.000Z", "RFC 2822 4.3"],
  ["Tue, 03 Feb 2026 10:00:00 -0000", "2026-02-03T10:00:00.000Z", "RFC 2822 3.3"],
  ["Tue,03 Feb 2026 10:00:00 +0000", "2026-02-03T10:00:00.000Z", "date -d"],
  ["Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z", "RFC 9110 5.6.7, RFC 850"],
  ["Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.000Z", "RFC 9110 5.6.7, asctime"],
  ["1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z", "RFC 3339 5.8"],
  ["1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57.000Z", "RFC 3339 5.8"],
  ["2003-12-13T18:30:02.25+01:00", "2003-12-13T17:30:02.250Z", "RFC 4287 3.3"],
  ["2003-12-13t18:30:02z", "2003-12-13T18:30:02.000Z", "RFC 3339 5.6: letters of any case"],
  ["2022-07-08T00:14:07+01:00[Europe/Paris]", "2022-07-07T23:14:07.000Z", "RFC 9557 3.3: the offset counts"],
  ["19850412T101530Z", "1985-04-12T10:15:30.000Z", "ISO 8601 basic"],
  ["19850412T1015+0400", "1985-04-12T06:15:00.000Z", "ISO 8601 basic"],
  ["2026-02-03 10:00:00", "2026-02-03T10:00:00.000Z", "WordPress, post_date_gmt"],
  ["2026-02-03 10:00:00 +0200", "2026-02-03T08:00:00.000Z", "Jekyll, date"],
  ["2026-02-03 10:00:00 UTC", "2026-02-03T10:00:00.000Z", "date -d"],
  ["2026-02-03T10:00:00.123456Z", "2026-02-03T10:00:00.123Z", "date -d"],
  ["2026-02-03", "2026-02-03T00:00:00.000Z", "ISO 8601"],
  ["2026/02/03 10:00", "2026-02-03T10:00:00.000Z", "date -d"],
  ["2026-02-03+01:00", "2026-02-02T23:00:00.000Z", "XML Schema 3.3.9, date"],
  ["10/Oct/2000:13:55:36 -0700", "2000-10-10T20:55:36.000Z", "Apache, log files"],
  [
    "Tue Feb 03 2026 10:00:00 GMT+0100 (Central European Standard Time)",
    "2026-02-03T09:00:00.000Z",
    "ECMAScript, Date.prototype.toString",
  ],
  ["Tue Feb  3 10:00:00 CET 2026", "2026-02-03T09:00:00.000Z", "date -d"],
  ["Tue  3 Feb 10:00:00 GMT 2026", "2026-02-03T10:00:00.000Z", "date, in British English"],
  ["Tue, 03 Feb 2026 10:00:00 CET", "2026-02-03T09:00:00.000Z", "date -d"],
  ["Tue, 07 Jul 2026 10:00:00 CEST", "2026-07-07T08:00:00.000Z", "date -d"],
  ["Tue, 07 Jul 2026 10:00:00 BST", "2026-07-07T09:00:00.000Z", "date -d"],
  ["Tue, 03 Feb 2026 10:00:00 WET", "2026-02-03T10:00:00.000Z", "date -d"],
  ["Tue, 07 Jul 2026 10:00:00 WEST", "2026-07-07T09:00:00.000Z", "date -d"],
  ["Tue, 03 Feb 2026 10:00:00 EET", "2026-02-03T08:00:00.000Z", "date -d"],
  ["Tue, 07 Jul 2026 10:00:00 EEST", "2026-07-07T07:00:00.000Z", "date -d"],
  ["Tue, 03 Feb 2026 10:00:00 MSK", "2026-02-03T07:00:00.000Z", "date -d"],
  ["Tue, 03 Feb 2026 10:00:00 JST", "2026-02-03T01:00:00.000Z", "date -d"],
  ["Tue, 03 Feb 2026 10:00:00 AEST", "2026-02-03T00:00:00.000Z", "offset +10"],
  ["Tue, 03 Feb 2026 10:00:00 AEDT", "2026-02-02T23:00:00.000Z", "offset +11"],
  ["Tue, 03 Feb 2026 10:00:00 ACDT", "2026-02-02T23:30:00.000Z", "offset +10:30"],
  ["Tue, 03 Feb 2026 10:00:00 AWST", "2026-02-03T02:00:00.000Z", "offset +8"],
  ["Tue, 03 Feb 2026 10:00:00 NZDT", "2026-02-02T21:00:00.000Z", "date -d"],
  ["Tue, 07 Jul 2026 10:00:00 NZST", "2026-07-06T22:00:00.000Z", "date -d"],
  ["Tue, 03 Feb 2026 10:00:00 AKST", "2026-02-03T19:00:00.000Z", "offset -9"],
  ["Tue, 03 Feb 2026 10:00:00 HST", "2026-02-03T20:00:00.000Z", "date -d"],
  ["Tue, 03 Feb 2026 10:00:00 SAST", "2026-02-03T08:00:00.000Z", "offset +2"],
  ["Tue, 03 Feb 2026 10:00:00 MEZ", "2026-02-03T09:00:00.000Z", "offset +1, German for CET"],
  ["Tue, 03 Feb 2026 10:00:00 +0530 (IST)", "2026-02-03T04:30:00.000Z", "RFC 2822 3.2.3: a comment"],
  ["Tue, 03 Feb 2026 10:00:00 UTC+5:30", "2026-02-03T04:30:00.000Z", "offset +5:30"],
  ["Tue, 03 Feb 2026 10:00:00 Europe/Berlin", "2026-02-03T09:00:00.000Z", "zoneinfo"],
  ["Tue, 07 Jul 2026 10:00:00 Europe/Berlin", "2026-07-07T08:00:00.000Z", "zoneinfo"],
  ["2026-02-03 10:00 America/Argentina/Buenos_Aires", "2026-02-03T13:00:00.000Z", "zoneinfo"],
  ["2026-02-03T10:00[Australia/Sydney]", "2026-02-02T23:00:00.000Z", "zoneinfo"],
  ["February 3, 2026 10:00 AM ET", "2026-02-03T15:00:00.000Z", "zoneinfo, America/New_York"],
  ["July 7, 2026 10:00 AM ET", "2026-07-07T14:00:00.000Z", "zoneinfo, America/New_York"],
  ["July 7th, 2026 at 12:30 a.m. PT", "2026-07-07T07:30:00.000Z", "zoneinfo, America/Los_Angeles"],
  ["Tue, 03 Feb 2026 10:00:00 Pacific Standard Time", "2026-02-03T18:00:00.000Z", "offset -8"],
  ["Tue Feb 03 10:00:00 +0000 2026", "2026-02-03T10:00:00.000Z", "Twitter, created_at"],
  ["2/13/2026, 10:00:00\u202fAM", "2026-02-13T10:00:00.000Z", "ECMAScript, toLocaleString in en-US"],
  ["Fr, 09 Okt 2020 10:00:00 +0200", "2020-10-09T08:00:00.000Z", "offset, German"],
  ["Sa, 09 Mai 2020 10:00:00 +0200", "2020-05-09T08:00:00.000Z", "offset, German"],
  ["Di, 03 Mär 2026 10:00:00 +0100", "2026-03-03T09:00:00.000Z", "offset, German"],
  ["Dienstag, den 3. Februar 2026, 10 Uhr", "2026-02-03T10:00:00.000Z", "German"],
  ["3. Dezember 2025 um 20.15 Uhr MEZ", "2025-12-03T19:15:00.000Z", "German, offset +1"],
  ["Jänner 3, 2026", "2026-01-03T00:00:00.000Z", "Austrian German"],
  ["mardi 3 février 2026 à 10h30", "2026-02-03T10:30:00.000Z", "French"],
  ["le 1er août 2026", "2026-08-01T00:00:00.000Z", "French"],
  ["jeu., 03 déc. 2026 10:00:00 +0100", "2026-12-03T09:00:00.000Z", "offset, French"],
  ["mar. 7 juil. 2026 10:00:00 CEST", "2026-07-07T08:00:00.000Z", "offset, French"],
  ["3 de enero de 2026, 10:00", "2026-01-03T10:00:00.000Z", "Spanish"],
  ["mié, 05 ago 2026 10:00:00 +0000", "2026-08-05T10:00:00.000Z", "Spanish"],
  ["martes, 3 de febrero de 2026 a las 22:00", "2026-02-03T22:00:00.000Z", "Spanish"],
  ["mar, 03 feb 2026 10:00:00 +0100", "2026-02-03T09:00:00.000Z", "offset, Italian: mar is martedì here"],
  ["3 maggio 2026 alle ore 10:00", "2026-05-03T10:00:00.000Z", "Italian"],
  ["lun, 06 lug 2026 10:00:00 +0200", "2026-07-06T08:00:00.000Z", "offset, Italian"],
  ["ven 02 ott 2026 10:00", "2026-10-02T10:00:00.000Z", "Italian"],
  ["terça-feira, 3 de março de 2026 às 10:00", "2026-03-03T10:00:00.000Z", "Portuguese"],
  ["1º de outubro de 2026", "2026-10-01T00:00:00.000Z", "Portuguese"],
  ["ter, 08 set 2026 10:00:00 -0300", "2026-09-08T13:00:00.000Z", "offset, Portuguese"],
  ["dinsdag 3 maart 2026 om 10:00 uur", "2026-03-03T10:00:00.000Z", "Dutch"],
  ["do 05 mrt 2026 10:00:00 +0100", "2026-03-05T09:00:00.000Z", "offset, Dutch"],
  ["wo, 06 mei 2026 10:00:00 +0200", "2026-05-06T08:00:00.000Z", "offset, Dutch"],
  ["03.02.2026 10:00", "2026-02-03T10:00:00.000Z", "DIN 1355: the day first"],
  ["3.2.2026", "2026-02-03T00:00:00.000Z", "DIN 1355"],
  ["03.02.26, 10:00 Uhr", "2026-02-03T10:00:00.000Z", "DIN 1355"],
  ["2026.02.03", "2026-02-03T00:00:00.000Z", "Hungarian and Korean order"],
  ["25/12/2025 10:00", "2025-12-25T10:00:00.000Z", "no 25th month"],
  ["12/25/2025 10:00 PM", "2025-12-25T22:00:00.000Z", "no 25th month"],
  ["05-05-2026", "2026-05-05T00:00:00.000Z", "the same in both orders"],
  ["Jul 08 2022", "2022-07-08T00:00:00.000Z", "Astro's blog template, pubDate"],
  ["03-Feb-2026 12:00 AM", "2026-02-03T00:00:00.000Z", "date -d"],
  ["2026-Feb-03 12:00 PM", "2026-02-03T12:00:00.000Z", "noon"],
  ["Thu, 29 Feb 2024 10:00:00 +0000", "2024-02-29T10:00:00.000Z", "a leap year"],
  ["Sept. 3, 2026", "2026-09-03T00:00:00.000Z", "AP Stylebook’s abbreviation"],
  ["1770112800", "2026-02-03T10:00:00.000Z", "date -d @1770112800"],
  ["@1770112800", "2026-02-03T10:00:00.000Z", "date -d @1770112800"],
  [1_770_112_800, "2026-02-03T10:00:00.000Z", "date -d @1770112800"],
  ["1770112800000", "2026-02-03T10:00:00.000Z", "date -d @1770112800"],
  [1_770_112_800_123, "2026-02-03T10:00:00.123Z", "date -d @1770112800.123"],
  ["1770112800.5", "2026-02-03T10:00:00.500Z", "date -d @1770112800.5"],
];

describe("a date of another program", () => {
  test.each(moments)("%s is %s (%s)", (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  test.each<[string, string, string, string]>([
    ["2026-02-03 10:00", "Australia/Sydney", "2026-02-02T23:00:00.000Z", "zoneinfo"],
    ["03.07.2026", "America/New_York", "2026-07-03T04:00:00.000Z", "zoneinfo"],
    ["Tue, 03 Feb 2026 10:00:00 CET", "Australia/Sydney", "2026-02-03T09:00:00.000Z", "its own zone counts"],
    ["2026-10-25 02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z", "zoneinfo, fold=0: the first of two"],
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z", "zoneinfo: midnight was skipped"],
    ["2026-03-29 02:30", "Europe/Berlin", "nonexistent", "zoneinfo: clocks skip it"],
    ["2011-12-30", "Pacific/Apia", "nonexistent", "zoneinfo: Samoa skipped that day"],
  ])("%s in %s is %s (%s)", (text, timeZone, moment) => {
    expect(read(text, timeZone)).toBe(moment);
  });

  test("says whether a time and a zone were named", () => {
    expect(readForeignDate("2026-02-03")).toMatchObject({ hasTime: false, hasZone: false });
    expect(readForeignDate("2026-02-03 10:00")).toMatchObject({ hasTime: true, hasZone: false });
    expect(readForeignDate("2026-02-03 10:00 ET")).toMatchObject({ hasTime: true, hasZone: true });
  });
});

describe("no date", () => {
  test.each<[unknown, DateProblem]>([
    ["", "none"],
    [null, "none"],
    ["0000-00-00 00:00:00", "none"],
    ["Tue, 31 Feb 2026 10:00:00 +0000", "nonexistent"],
    ["2026-02-31", "nonexistent"],
    ["31.02.2026", "nonexistent"],
    ["02.31.2026", "nonexistent"],
    ["30/02/2026", "nonexistent"],
    ["Sun, 29 Feb 2026 10:00:00 GMT", "nonexistent"],
    ["2026-13-01", "nonexistent"],
    ["20260431T100000Z", "nonexistent"],
    ["31 September 2026", "nonexistent"],
    ["31 février 2026", "nonexistent"],
    ["2026-02-03T25:00:00Z", "nonexistent"],
    ["Tue, 03 Feb 2026 10:61:00 +0000", "nonexistent"],
    ["1990-12-31T23:59:60Z", "nonexistent"],
    ["Feb 3, 2026 13:00 PM", "nonexistent"],
    ["02/03/2026", "ambiguous"],
    ["3-2-2026 10:00", "ambiguous"],
    ["Tue, 03 Feb 2026 10:00:00 IST", "zone"],
    ["Tue, 03 Feb 2026 10:00:00 Mars/Olympus", "zone"],
    ["Tue, 03 Feb 2026 10:00:00 +2500", "unreadable"],
    ["Thu, 13 Feb 1969 23:32 -0330", "early"],
    ["1937-01-01T12:00:27.87+00:20", "early"],
    ["soon", "unreadable"],
    ["today", "unreadable"],
    ["Tuesday", "unreadable"],
    ["February 2026", "unreadable"],
    ["3 February", "unreadable"],
    ["3 Feb 10:00:00 UTC", "unreadable"],
    ["2026", "unreadable"],
    ["2026-02", "unreadable"],
    ["2026-02-03 and then some", "zone"],
    ["Tue, 03 Jui 2026 10:00:00 +0000", "unreadable"],
    ["Tue, 03 Foo 2026 10:00:00 +0000", "unreadable"],
    ["17701128000", "unreadable"],
    [-1, "unreadable"],
    [Number.NaN, "unreadable"],
    [{}, "unreadable"],
    ["1".repeat(100_000), "unreadable"],
    [`${"a ".repeat(50)}3`, "unreadable"],
  ])("%j: %s", (value, problem) => {
    expect(readForeignDate(value)).toEqual({ at: null, problem });
  });
});

const two = (n: number) => String(n).padStart(2, "0");
const monthNames = [
  ["Jan", "Januar", "janvier", "enero", "gennaio", "janeiro", "januari"],
  ["Feb", "Februar", "février", "febrero", "febbraio", "fevereiro", "februari"],
  ["Mar", "März", "mars", "marzo", "marzo", "março", "maart"],
  ["Apr", "April", "avril", "abril", "aprile", "abril", "april"],
  ["May", "Mai", "mai", "mayo", "maggio", "maio", "mei"],
  ["Jun", "Juni", "juin", "junio", "giugno", "junho", "juni"],
  ["Jul", "Juli", "juillet", "julio", "luglio", "julho", "juli"],
  ["Aug", "August", "août", "agosto", "agosto", "agosto", "augustus"],
  ["Sep", "September", "septembre", "septiembre", "settembre", "setembro", "september"],
  ["Oct", "Oktober", "octobre", "octubre", "ottobre", "outubro", "oktober"],
  ["Nov", "November", "novembre", "noviembre", "novembre", "novembro", "november"],
  ["Dec", "Dezember", "décembre", "diciembre", "dicembre", "dezembro", "december"],
];

type Day = { year: number; month: number; day: number; name: string };
const forms: ((day: Day) => string)[] = [
  ({ year, month, day }) => `${year}-${two(month)}-${two(day)}`,
  ({ year, month, day }) => `${year}${two(month)}${two(day)}`,
  ({ year, month, day }) => `${year}/${month}/${day}`,
  ({ year, month, day }) => `${two(day)}.${two(month)}.${year}`,
  ({ year, month, day }) => `${day}.${month}.${two(year % 100)}`,
  ({ year, name, day }) => `Tue, ${two(day)} ${name} ${year}`,
  ({ year, name, day }) => `${day}. ${name} ${year}`,
  ({ year, name, day }) => `${name} ${day}, ${year}`,
  ({ year, name, day }) => `${day} de ${name} de ${year}`,
  ({ year, name, day }) => `${day}-${name}-${year}`,
];
const times = ["", " 10:00", " 10:00:00 +0000", " 10:00:00 CET", " 10:00 Europe/Berlin", " 10:00 PM ET"];

const written = fc
  .record({
    year: fc.integer({ min: 1970, max: 2049 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
    language: fc.nat(6),
    form: fc.constantFrom(...forms),
    time: fc.constantFrom(...times),
  })
  .map(({ language, form, time, ...day }) => {
    const named = { ...day, name: monthNames[day.month - 1]![language]! };
    return { ...day, text: form(named) + (/\d{8}/.test(form(named)) ? "" : time) };
  });
/** Thirty days hath September. */
const lengthOf = (year: number, month: number) =>
  month === 2 ? (year % 4 === 0 ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

describe("any date", () => {
  test("of a day that exists gives that day, and of another gives none", () => {
    fc.assert(
      fc.property(written, ({ year, month, day, text }) => {
        const { at } = readForeignDate(text);
        if (day > lengthOf(year, month)) return at === null;
        const wanted = Date.UTC(year, month - 1, day);
        // Its zone and its time are at most that far from midnight.
        if (at === null) return wanted <= 86_400_000;
        return at >= wanted - 86_400_000 && at <= wanted + 2 * 86_400_000;
      }),
      { numRuns: 3000 },
    );
  });

  test("of a month or a time that does not exist gives none", () => {
    fc.assert(
      fc.property(fc.integer({ min: 13, max: 99 }), fc.integer({ min: 24, max: 99 }), (month, hour) => {
        const texts = [
          `2026-${month}-01`,
          `01.${month}.2026`,
          `2026-02-03 ${hour}:00`,
          `Tue, 03 Feb 2026 ${hour}:00:00 +0000`,
          `2026-02-03T10:${hour + 36}:00Z`,
        ];
        return texts.every((text) => readForeignDate(text).at === null);
      }),
    );
  });

  test("text without digits gives none, and nothing throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 130 }), (text) => {
        const { at } = readForeignDate(text);
        return at === null || /\d/.test(text.normalize("NFKD"));
      }),
      { numRuns: 3000 },
    );
  });
});
