import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BlobReader, BlobWriter, ZipWriter } from "@zip.js/zip.js";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { subscriberStates } from "#worker/newsletter/contract.ts";
import { ApiError } from "../../src/api.ts";
import {
  dateOf,
  doubtKey,
  NO_ANSWERS,
  readRow,
  sourceOf,
} from "../../src/admin/moving-in/subscribers/columns.ts";
import { knownExports } from "../../src/admin/moving-in/subscribers/known-exports.ts";
import { MAX_FILE, openFile } from "../../src/admin/moving-in/subscribers/list-file.ts";
import { encodingOf, NotText, textOf } from "../../src/admin/moving-in/file-text.ts";
import { guessDelimiter, recordsOf, type FileRecord } from "../../src/admin/moving-in/subscribers/records.ts";
import { Report } from "../../src/admin/moving-in/subscribers/report.ts";
import { sendUntilAnswered } from "../../src/admin/moving-in/retry.ts";
import { runImport, type ImportPlan, type Send } from "../../src/admin/moving-in/subscribers/run.ts";
import { openList, statesIn, survey } from "../support/subscriber-lists.ts";
import "../support/property-seed.ts";

const atLine = (line: number) => ({ line, heading: null });

const utf16 = (text: string, isLittle: boolean, mark: boolean) => {
  const bytes = Buffer.from((mark ? "\ufeff" : "") + text, "utf16le");
  return new Blob([isLittle ? bytes : bytes.swap16()]);
};

const textIn = async (file: Blob) => {
  let text = "";
  for await (const part of textOf(file, await encodingOf(file))) text += part.text;
  return text;
};

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Reachable bytes: when garbage is collected depends on the machine. */
function usedHeap() {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe("the encoding of a file", () => {
  const text = "email,name\njürgen@example.com,Jürgen Müller\n";
  test.each([
    ["utf-8", new Blob([text])],
    ["utf-8", new Blob(["\ufeff", text])],
    ["utf-16le", utf16(text, true, true)],
    ["utf-16be", utf16(text, false, true)],
    ["utf-16le", utf16(text, true, false)],
    ["utf-16be", utf16(text, false, false)],
    ["windows-1252", new Blob([Buffer.from(text, "latin1")])],
  ])("is detected: %s", async (encoding, file) => {
    assert.equal(await encodingOf(file), encoding);
    assert.equal(await textIn(file), text);
  });

  test("is that of the whole file: a Latin-1 letter may occur late", async () => {
    const file = new Blob(["a@example.com\n".repeat(50_000), Buffer.from("jürgen\n", "latin1")]);
    assert.equal(await encodingOf(file), "windows-1252");
  });

  test("is unknown for a spreadsheet or a picture", async () => {
    for (const bytes of [
      [0x50, 0x4b, 3, 4, 20, 0],
      [0xff, 0xd8, 0, 0, 1],
    ]) {
      await assert.rejects(encodingOf(new Blob([new Uint8Array(bytes)])), NotText);
    }
  });
});

/** The records of a text that arrives in parts of this many characters. */
async function recordsIn(text: string, size = 1000) {
  async function* parts() {
    for (let at = 0; at < text.length; at += size) {
      yield { text: text.slice(at, at + size), bytes: Math.min(text.length, at + size) };
    }
  }
  const all: FileRecord[] = [];
  for await (const { records } of recordsOf(parts(), guessDelimiter(text.slice(0, 1000))))
    all.push(...records);
  return all;
}

describe("the records of a file", () => {
  const text =
    'email,name\r\n"a@x.com","A, B"\r\n"open,b@x.com\r\nc@x.com,"C"\r\n"d@x.com","two\r\nlines"\r\n\r\n' +
    'e@x.com,E "quoted" in\r\nf@x.com,"open';
  const records = [
    { line: 1, cells: ["email", "name"] },
    { line: 2, cells: ["a@x.com", "A, B"] },
    { line: 3, broken: '"open,b@x.com' },
    { line: 4, cells: ["c@x.com", "C"] },
    { line: 5, cells: ["d@x.com", "two\nlines"] },
    { line: 8, cells: ["e@x.com", 'E "quoted" in'] },
    { line: 9, broken: 'f@x.com,"open' },
  ];

  test("lose at most the line whose quotation marks are broken, wherever the parts end", async () => {
    for (let size = 1; size <= text.length; size++) {
      assert.deepEqual(await recordsIn(text, size), records, `parts of ${size}`);
    }
  });

  test("are separated by semicolons, tabs and old line breaks", async () => {
    assert.deepEqual(await recordsIn("email;name\ra@x.com;A\r"), [
      { line: 1, cells: ["email", "name"] },
      { line: 2, cells: ["a@x.com", "A"] },
    ]);
    assert.deepEqual(await recordsIn("email\tname\na@x.com\tA\n", 3), [
      { line: 1, cells: ["email", "name"] },
      { line: 2, cells: ["a@x.com", "A"] },
    ]);
  });

  test("skip an endless line, and continue after it", async () => {
    const endless = `a@x.com,A\n${"x".repeat(500_000)}\nb@x.com,B\n`;
    const found = await recordsIn(endless, 10_000);
    assert.deepEqual(
      found.map((record) => ("cells" in record ? record.cells[0] : "broken")),
      ["a@x.com", "broken", "b@x.com"],
    );
    assert.deepEqual(
      found.map(({ line }) => line),
      [1, 2, 3],
    );
  });
});

const NOW = Date.UTC(2026, 10, 25);
const at = (...date: Parameters<typeof Date.UTC>) => Date.UTC(...date);

/** The layout of a list with these columns, and the first line below them. */
const layoutIn = async (header: string, line: string) =>
  (await survey(await openList(`${header}\n${line}\n`))).layout;

describe("the columns of a list", () => {
  test.each([
    [
      "Mailchimp",
      "Email Address,First Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,TAGS",
      "a@x.com,Ada,2,2024-05-06,,2024-05-06,,",
      { email: 0, subscribedAt: 3, confirmedAt: 5, source: null },
    ],
    [
      "Buttondown",
      "email,notes,creation_date,secondary_id,subscriber_type,source,unsubscription_date",
      "a@x.com,,2024-05-06,1,regular,form,",
      { email: 0, subscribedAt: 2, confirmedAt: null, source: 5 },
    ],
    [
      "beehiiv",
      "id,email,status,created_at,utm_source",
      "1,a@x.com,active,2024-05-06,fair",
      { email: 1, subscribedAt: 3, confirmedAt: null, source: 4 },
    ],
    [
      "a list with a postal address",
      "Name,Address,Email,Created on",
      "Ada,1 Lamp Street,a@x.com,2024-05-06",
      { email: 2, subscribedAt: 3, confirmedAt: null, source: null },
    ],
    [
      "a list whose names are no help",
      "Contact,Reach at",
      "Ada,a@x.com",
      { email: 1, subscribedAt: null, confirmedAt: null, source: null },
    ],
  ])("of %s are recognised by their headers and values", async (_service, header, line, mapping) => {
    assert.deepEqual((await layoutIn(header, line)).mapping, mapping);
  });

  test("are in the first line with a name, or above the first address", async () => {
    const headerOf = async (text: string) => (await openList(text)).header;
    const header = ["Email", "Status"];
    for (const above of [
      "",
      "sep=,\n",
      "A list of February\n\n",
      '"Exported for owner@x.com"\n',
      "owner@x.com\n",
    ])
      assert.deepEqual(await headerOf(`${above}Email,Status\na@x.com,subscribed\n`), header, above);
    assert.deepEqual(await headerOf("sep=;\nEmail;Status\na@x.com;subscribed\n"), header);
    assert.deepEqual(await headerOf("Email\tStatus\n\t\na@x.com\tsubscribed\n"), header);
    assert.deepEqual(await headerOf("a@x.com,Ada\nb@x.com,Ben\n"), []);
  });

  test.each([
    ["active", "status", "active"],
    ["validating", "status", "pending"],
    ["inactive", "status", "unsubscribed"],
    ["Cancelled", "state", "unsubscribed"],
    ["cleaned", "status", "bounced"],
    ["Marked as spam", "status", "complained"],
    ["true", "email_disabled", "unsubscribed"],
    ["false", "email_disabled", "active"],
    ["2024-05-06 10:00:00", "UNSUB_TIME", "unsubscribed"],
    ["", "UNSUB_TIME", "active"],
    ["0000-00-00 00:00:00", "CLEAN_TIME", "active"],
    ["2025-08-01 09:30:00", "CLEAN_TIME", "bounced"],
    ["past_due", "subscriber_type", "active"],
    ["spammy", "subscriber_type", "complained"],
    ["false", "subscribed_to_emails", "unsubscribed"],
    ["something", "status", "doubtful"],
    ["Baja California", "State", "active"],
    ["paused", "First name", "active"],
    ["never bounced", "Note", "active"],
    ["asked to be unsubscribed", "Note", "unsubscribed"],
    ["https://list.example/unsubscribe/1", "Unsubscribe link", "active"],
    ["0", "Emails received", "active"],
    ["no", "SMS consent", "active"],
    ["no", "Consent to track", "active"],
    ["geloescht", "Status", "unsubscribed"],
    ["gelöscht", "Status", "unsubscribed"],
    ["abonné·e", "Statut", "active"],
    ["désabonné(e)", "Statut", "unsubscribed"],
    ["Subscribed (unconfirmed)", "Status", "pending"],
    ["On hold", "Status", "doubtful"],
    ["No thanks", "Do you want our newsletter?", "unsubscribed"],
    ["✗", "Newsletter", "unsubscribed"],
    ["✓", "Unsubscribed", "unsubscribed"],
    ["NULL", "unsubscribed_at", "active"],
    ["HardBounce", "Reason", "bounced"],
    ["0%", "Bounce rate", "active"],
    ["NO", "Country", "active"],
    ["Robinson", "Last name", "active"],
    ["Robinson Crusoe Books", "Company", "active"],
    ["Robinson-Liste", "Bemerkung", "unsubscribed"],
    ["Lista Robinson", "Notas", "unsubscribed"],
    ["resilience", "Tags", "active"],
    ["Refuse Collection Ltd", "Company", "active"],
    ["a refusé", "Remarque", "unsubscribed"],
    ["refuse la newsletter", "Remarque", "unsubscribed"],
    ["résiliation demandée", "Remarque", "unsubscribed"],
    ["bloquée", "Remarque", "unsubscribed"],
    ["Forget Me Not Florists", "Company", "active"],
    ["Please forget me", "Note", "unsubscribed"],
    ["Don't want to miss an issue!", "Note", "active"],
    ["Doesn’t want emails", "Note", "unsubscribed"],
    ["do not want to be contacted", "Note", "unsubscribed"],
    ["Möchte keine Ausgabe verpassen", "Notiz", "active"],
    ["Möchte keine Post", "Notiz", "unsubscribed"],
    ["Ne veut pas manquer un numéro", "Remarque", "active"],
    ["Ne veut pas de courrier", "Remarque", "unsubscribed"],
    ["No quiere perderse nada", "Notas", "active"],
    ["Lemond", "Last name", "active"],
    ["lemondta", "Megjegyzés", "unsubscribed"],
    ["Junk", "Nachname", "active"],
    ["junk", "Tags", "complained"],
    ["Baja", "City", "active"],
    ["Calle Mayor 5, Bloque 2", "Street", "active"],
    ["Plaintel", "Ville", "active"],
    ["Quejada", "Apellido", "active"],
    ["Complainville", "Ville", "active"],
    ["Rebond Basket Club", "Association", "active"],
    ["Austragungsort Köln", "Notiz", "active"],
    ["bitte austragen", "Notiz", "unsubscribed"],
    ["Former member of parliament", "Note", "active"],
    ["Former member", "Note", "unsubscribed"],
    ["Her business has taken off", "Note", "active"],
    ["Asked to be taken off the list", "Note", "unsubscribed"],
    ["an unsubstantiated address", "Note", "active"],
    ["Liam Blackliston", "Name", "active"],
    ["Sign Offices Ltd", "Company", "active"],
    ["Noise Suppressors Ltd", "Company", "active"],
    ["N/A", "Email", "active"],
    ["NULL", "E-Mail", "active"],
    ["none", "Email", "active"],
    ["no", "Email", "unsubscribed"],
  ])("with %j below %s mean: %s", async (cell, header, state) => {
    const list = await openList(`email,${header}\na@x.com,"${cell}"\nb@x.com,\n`);
    const answers = { everyone: "agreed", words: {} } as const;
    const { layout } = await survey(list, answers);
    assert.equal(readRow(["a@x.com", cell], atLine(2), layout, answers, NOW).state, state);
  });

  test.each([
    ["a word that is not known", "email,status\na@x.com,Frozen\nb@x.com,active\n"],
    ["a blank cell beside words", "email,status\na@x.com,\nb@x.com,active\n"],
    ["a blank cell beside yes and no", "email,Newsletter\na@x.com,\nb@x.com,yes\nc@x.com,no\n"],
    ["a 0 among numbers", "email,Newsletter\na@x.com,0\nb@x.com,7\n"],
    ["numbers other than 0 and 1", "email,status\na@x.com,1\nb@x.com,2\n"],
  ])("with the status %s are left out until the owner answers", async (_what, text) => {
    const list = await openList(text);
    assert.equal((await statesIn(list))["a@x.com"], "left out");
    const { doubts } = await survey(list);
    const key = doubtKey(doubts.find(({ examples }) => examples.includes("a@x.com"))!.doubt);
    for (const state of ["active", "unsubscribed"] as const)
      assert.equal((await statesIn(list, { everyone: "agreed", words: { [key]: state } }))["a@x.com"], state);
  });

  test.each([
    ["2024-05-06 15:42:19", at(2024, 4, 6, 15, 42, 19)],
    ["2024-05-06", at(2024, 4, 6)],
    ["2024/05/06", at(2024, 4, 6)],
    ["2024-05-06T15:42:19.123456Z", at(2024, 4, 6, 15, 42, 19, 123)],
    ["2024-05-06 15:42:19 UTC", at(2024, 4, 6, 15, 42, 19)],
    ["2024-05-06T15:42:19+0200", at(2024, 4, 6, 13, 42, 19)],
    ["", null],
    ["5/6/2024", undefined],
    ["25/6/2024", at(2024, 5, 25)],
    ["6/25/2024 3:04 PM", at(2024, 5, 25, 15, 4)],
    ["06.05.2024 15:42", at(2024, 4, 6, 15, 42)],
    ["6. Mai 2024", at(2024, 4, 6)],
    ["May 6, 2024", at(2024, 4, 6)],
    ["1715010139", at(2024, 4, 6, 15, 42, 19)],
    ["0000-00-00 00:00:00", null],
    ["2024-13-40", undefined],
    ["2024-02-30", undefined],
    ["2023-02-29 10:00:00", undefined],
    ["06.05.2024", at(2024, 4, 6)],
    ["31.02.2024", undefined],
    ["2031-01-01", undefined],
    ["yesterday", undefined],
  ])("with the date %j give it", (cell, date) => {
    assert.equal(dateOf(cell, NOW), date);
  });

  test.each([
    ["Google Ads (2024)", "google-ads-2024"],
    ["2024 fair", "fair"],
    ["  ", null],
    ["日本", null],
  ])("with the source %j give the word: %s", (cell, source) => assert.equal(sourceOf(cell), source));

  test("become a row, with a note if its date was not read", async () => {
    const layout = await layoutIn("email,created_at,status", "a@x.com,2024-05-06,active");
    const read = readRow([" A@x.com ", "6/5/2024", "active"], atLine(7), layout, NO_ANSWERS, NOW);
    assert.deepEqual(read, {
      row: {
        line: 7,
        email: "A@x.com",
        source: null,
        subscribedAt: null,
        confirmedAt: null,
        leftAt: null,
        pausedUntil: null,
        futureMember: null,
      },
      state: "active",
      doubts: [],
      mentions: [],
      columns: [],
      isDateUnread: true,
    });
  });

  test("state when a person left, or the latest time", async () => {
    const leftAt = async (header: string, line: string) =>
      readRow(line.split(","), atLine(2), await layoutIn(header, line), NO_ANSWERS, NOW).row.leftAt;
    assert.equal(await leftAt("email,status,unsubscribed_at", "a@x.com,active,2024-05-06"), at(2024, 4, 6));
    assert.equal(await leftAt("email,status,updated_at", "a@x.com,unsubscribed,2024-05-07"), at(2024, 4, 7));
    assert.equal(await leftAt("email,status,created_at", "a@x.com,unsubscribed,2024-05-07"), null);
  });

  test("mark paying Substack readers as future members", async () => {
    const list = "email,active_subscription,expiry,plan,email_disabled";
    const table = "Email,Type,Stripe plan,Cancel date";
    const memberOf = async (header: string, line: string) =>
      readRow(line.split(","), atLine(2), await layoutIn(header, line), NO_ANSWERS, NOW).row.futureMember;
    assert.equal(await memberOf(list, "a@x.com,true,2027-01-01,yearly,false"), "paid");
    assert.equal(await memberOf(list, "a@x.com,true,2027-01-01,founding,false"), "founding");
    assert.equal(await memberOf(list, "a@x.com,true,,comp,false"), "comp");
    assert.equal(await memberOf(list, "a@x.com,false,,other,false"), null);
    assert.equal(await memberOf(table, "a@x.com,Subscriber,Monthly,"), "paid");
    assert.equal(await memberOf(table, "a@x.com,Comp,,"), "comp");
    assert.equal(await memberOf(table, "a@x.com,Founding,,"), "founding");
    assert.equal(await memberOf(table, "a@x.com,Free,,"), null);
  });
});

describe("several lines for one person", () => {
  const one = async (...lines: string[]) => {
    const text = ["email,status,unsubscribed_at,confirmed_at", ...lines].join("\n");
    return (await statesIn(await openList(`${text}\n`)))["a@x.com"];
  };

  test("are one, whose latest sign counts", async () => {
    const [left, back] = ["a@x.com,unsubscribed,2024-01-01,2022-01-01", "A@X.com,active,,2025-01-01"];
    const [early] = ["a@x.com,active,,2023-01-01"];
    const upper = async (...lines: string[]) => {
      const text = ["email,status,unsubscribed_at,confirmed_at", ...lines].join("\n");
      return Object.values(await statesIn(await openList(`${text}\n`)))[0];
    };
    assert.equal(await upper(left, back), "active");
    assert.equal(await upper(back, left), "active");
    assert.equal(await one(left, early), "unsubscribed");
    assert.equal(await one(early, left), "unsubscribed");
  });

  test("are the more cautious one if a date is missing", async () => {
    assert.equal(await one("a@x.com,active,,2025-01-01", "a@x.com,unsubscribed,,"), "unsubscribed");
    assert.equal(await one("a@x.com,bounced,,", "a@x.com,unsubscribed,2024-01-01,"), "bounced");
    assert.equal(await one("a@x.com,active,,", "a@x.com,pending,,"), "pending");
  });
});

describe("a file that does not say who left", () => {
  test.each([
    ["addresses alone", "Email\na@x.com\n", false],
    ["a column with blanks alone", "Email,Status\na@x.com,\n", false],
    ["a date of joining", "Email,Subscribed on\na@x.com,2024-01-01\n", false],
    ["who bounced alone", "Email,Bounced\na@x.com,no\n", false],
    ["members by what they pay", "Email,Plan,Status\na@x.com,Gold,active\n", false],
    ["members and letters", "Email,Plan,Status\na@x.com,Gold,subscribed\n", true],
    ["members and their consent", "Email,Plan,Newsletter\na@x.com,Gold,yes\n", true],
    ["an empty column of who left", "Email,unsubscribed_at\na@x.com,\n", true],
    ["a status", "Email,Status\na@x.com,active\n", true],
  ])("is recognised by its columns: %s", async (_what, text, saysWhoLeft) => {
    assert.equal((await survey(await openList(text))).layout.saysWhoLeft, saysWhoLeft);
  });

  test("gives no active people until the owner answers, and only people who left if the owner says so", async () => {
    const list = await openList("Email\na@x.com\nb@x.com\n");
    const of = (state: string) => ({ "a@x.com": state, "b@x.com": state });
    assert.deepEqual(await statesIn(list), of("left out"));
    assert.deepEqual(await statesIn(list, { everyone: "agreed", words: {} }), of("active"));
    assert.deepEqual(await statesIn(list, { everyone: "left", words: {} }), of("unsubscribed"));
  });
});

describe("signs in any column", () => {
  const oneOf = (words: string) => fc.constantFrom(...words.split(", "));
  const leaving = oneOf(
    "unsubscribed, Opted out, do not email, suppressed, blocked, blacklisted, cleaned, bounced, complained, cancelled, " +
      "non-subscribed, DND, please remove me, taken off the list, Abgemeldet, widerrufen, Gesperrt, désabonné, désinscrit, dado de baja, bloqueado, disiscritto, " +
      "cancellato, descadastrado, cancelado, uitgeschreven, Geblokkeerd",
  );
  const leavingHeader = oneOf(
    "Unsubscribed, unsubscribed_at, Opt-out, Do not email, Suppressed, Blocked, Blacklisted, CLEAN_TIME, Bounced, " +
      "Complained, Cancelled, Abgemeldet am, Gesperrt, Désabonné le, Fecha de baja, Disiscritto, Descadastrado em, " +
      "Uitgeschreven op, emailOptOut, isUnsubscribed, Widerruf, Do Not Disturb, Remove, Gone, Robinsonliste, " +
      "Opt-out date, Date de désinscription, unsub, DNC, FBL, Kontaktsperre, No molestar, Objection, Erasure requested, " +
      "Exit date, Signoff, End date, Expired at, Avregistrerad, Wypisany, Отписан",
  );
  const filled = oneOf(
    "true, TRUE, 1, yes, Yes, x, X, ja, oui, sí, sì, sim, 2024-02-03, 03.02.2024, 3 Feb 2024",
  );
  const agreeingHeader = oneOf(
    "Subscribed, opt_in, Send, Email marketing consent, accepts_marketing, Newsletter, Einwilligung, Consentement, " +
      "Acepta publicidad, Consenso, Aceita marketing, Toestemming, GDPR consent, Contact me by email, Subscriber, " +
      "Email preference",
  );
  const refusal = oneOf("no, No, false, FALSE, 0, nein, non, não, nee, n");
  /** Different spellings of the same words. */
  const ways: ((words: string) => string)[] = [
    (words) => words,
    (words) => words.toUpperCase(),
    (words) => words.toLowerCase(),
    (words) => ` ${words} `,
    (words) => words.replaceAll(/[ -]/g, "_"),
    (words) => words.normalize("NFD"),
    (words) => words.replaceAll(" ", "\u00a0"),
  ];
  const cellWay = fc.constantFrom(...ways);
  const headerWay = fc.constantFrom(...ways, (words: string) => `${words}:`);
  const sign = fc.oneof(
    fc.record({
      header: oneOf(
        "Status, Tags, Anything, Etat, Notiz, , Name, Company, Job title, Ort, Adresse, Website, Empresa, Functie",
      ),
      cell: leaving,
    }),
    fc.record({ header: leavingHeader, cell: filled }),
    fc.record({ header: agreeingHeader, cell: refusal }),
  );
  const plainCell = fc.constantFrom(
    "",
    "Ada",
    "Perth",
    "active",
    "subscribed",
    "2023-01-01",
    "yes",
    "0",
    "free",
    "vip",
  );
  const plainHeader = fc.constantFrom(
    "Name",
    "City",
    "State",
    "Status",
    "Type",
    "Created at",
    "Tags",
    "Country",
    "Plan",
    "Confirmed",
    "x",
  );
  /** The columns of programs of which no file was found. */
  const unverified = fc.constantFrom(
    [],
    ...knownExports.flatMap(({ isUnverified, columns }) => (isUnverified ? [columns.slice(1)] : [])),
  );
  const others = fc.array(fc.tuple(plainHeader, fc.array(plainCell, { minLength: 4, maxLength: 4 })), {
    maxLength: 6,
  });
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

  const lines = [0, 1, 2, 3];
  /** Quoted if necessary, or always. */
  const written = (cell: string, delimiter: string, isQuoted: boolean) =>
    isQuoted || cell.includes(delimiter) || /["\r\n]/.test(cell) ? quoted(cell) : cell;
  const encodings: ((text: string) => BlobPart)[] = [
    (text) => text,
    (text) => `\ufeff${text}`,
    (text) => utf16(text, true, true),
    (text) => utf16(text, false, true),
  ];

  test("prevent a person who left from being active, whatever else the file contains", async () => {
    const inputs = fc.record({
      signs: fc.array(fc.record({ sign, header: headerWay, cell: cellWay, at: fc.nat(9) }), {
        minLength: 1,
        maxLength: 3,
      }),
      others,
      unverified,
      line: fc.constantFrom(...lines),
      emailHeader: fc.constantFrom(
        "Email",
        "E-Mail-Adresse",
        " email address ",
        "EMAIL",
        "Correo electrónico",
      ),
      above: fc.constantFrom("", "sep=", "A list of readers, as of today"),
      delimiter: fc.constantFrom(",", ";", "\t", "|"),
      lineBreak: fc.constantFrom("\r\n", "\n", "\r"),
      isQuoted: fc.boolean(),
      encoded: fc.constantFrom(...encodings),
      everyone: fc.constantFrom("agreed" as const, null),
    });
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const { line, delimiter, lineBreak, isQuoted, above } = input;
        const all: [string, string[]][] = [
          [input.emailHeader, lines.map((index) => `reader${index}@x.example`)],
          ...input.unverified.map((name): [string, string[]] => [name, ["", "", "", ""]]),
          ...input.others,
        ];
        for (const { sign: given, header, cell, at: place } of input.signs)
          all.splice(place % (all.length + 1), 0, [
            header(given.header),
            lines.map((index) => (index === line ? cell(given.cell) : "")),
          ]);
        const rows = [
          all.map(([name]) => name),
          ...lines.map((index) => all.map(([, column]) => column[index]!)),
        ].map((row) => row.map((cell) => written(cell, delimiter, isQuoted)).join(delimiter));
        const first = above === "sep=" ? [`sep=${delimiter}`] : above === "" ? [] : [quoted(above)];
        const text = [...first, ...rows, ""].join(lineBreak);
        const states = await statesIn(await openList(input.encoded(text)), {
          everyone: input.everyone,
          words: {},
        });
        assert.notEqual(states[`reader${line}@x.example`], "active");
        assert.notEqual(states[`reader${line}@x.example`], undefined);
      }),
      { numRuns: 1500 },
    );
  });
});

describe("a column with an owner's own header", () => {
  /** The header, its value for a reader who stays, and for one who left. */
  const columns = [
    ["Opt-out date ", "", "2024-02-03"],
    [" E-Mail Status ", "Aktiv", "Inaktiv"],
    ["Date de désinscription", "", "03/02/2024"],
    ["Fecha de baja", "", "03/02/2024"],
    ["unsub", "0", "1"],
    ["DNC", "No", "Yes"],
    ["GDPR consent: newsletter", "yes", "no"],
    ["accepts_email_marketing", "yes", "no"],
    ["Email Marketing Consent", "SUBSCRIBED", "NEVER_SUBSCRIBED"],
    ["List status", "Member", "Non-member"],
    ["Suppression Reason", "", "manual"],
    ["Deny list", "", "1"],
    ["FBL", "0", "1"],
    ["Hard Bounce Count", "0", "2"],
    ["Email Valid", "valid", "invalid"],
    ["Deliverability", "Deliverable", "Risky"],
    ["Deliverability", "good", "bad"],
    ["HasOptedOutOfEmail", "FALSE", "TRUE"],
    ["HASOPTEDOUTOFEMAIL", "FALSE", "TRUE"],
    ["optin_status", "Single", "None"],
    ["Subscription status", "Active", "Churned"],
    ["Einwilligung", "erteilt", "widerrufen"],
    ["Werbesperre", "nein", "ja"],
    ["Kontaktsperre", "", "x"],
    ["Mailsperre", "", "x"],
    ["Opposition", "", "oui"],
    ["Statut", "actif", "résilié"],
    ["No molestar", "", "sí"],
    ["Não enviar", "", "sim"],
    ["Stato", "iscritto", "cancellato"],
    ["Afgemeld op", "", "2024-01-01"],
    ["Bezwaar", "", "ja"],
    ["Objection", "", "yes"],
    ["Right to object", "no", "yes"],
    ["Erasure requested", "", "2024-01-01"],
    ["Exit date", "", "2024-01-01"],
    ["End date", "2999-01-01", "2024-01-01"],
    ["Expired at", "", "03/04/2024"],
    ["Expires", "Never", "31.12.2024"],
    ["Signoff", "", "1"],
    ["Contact me by email", "Yes", "No"],
    ["Email Preference", "Yes", "None"],
    ["Newsletter frequency", "Yes", "Never"],
    ["Subscriber", "Yes", "No"],
    ["Consent", "Given", "Refused"],
    ["Email OK", "✓", "✗"],
    ["Avregistrerad", "", "2024-01-01"],
    ["Wypisany", "nie", "tak"],
    ["Odhlášen", "", "ano"],
    ["Статус", "Подписан", "Отписан"],
    ["state", "active", "cancelled"],
    ["Newsletter", "checked", "unchecked"],
    ["NL", "ja", "nee"],
    ["mailstatus", "ok", "stopped"],
    ["Email", "yes", "no"],
    ["Email On Hold", "No", "Yes"],
    ["Left", "", "2021-01-01"],
    ["Resigned", "", "2021-01-01"],
    ["Out", "", "x"],
    ["Notes", "GDPR consent: yes", "GDPR consent: no"],
    ["Custom", "consent=true; x=1", "consent=false; x=1"],
    ["Tags", "newsletter:on; vip", "newsletter:off; vip"],
    ["Notes", "met at a fair", "wants out"],
    ["Notes", "met at a fair", "does not want the newsletter any more"],
    ["Notes", "met at a fair", "GDPR deletion requested"],
    ["Notes", "met at a fair", "right to be forgotten"],
    ["Bemerkung", "von der Messe", "bitte löschen"],
    ["Remarque", "vu au salon", "demande de suppression"],
    ["Notes", "met at a fair", "un\u00adsubscribed"],
    ["Notes", "met at a fair", "Ｕｎｓｕｂｓｃｒｉｂｅｄ"],
    ["Tila", "Tilattu", "Peruttu"],
    ["Markkinointilupa", "Kyllä", "Ei"],
    ["Állapot", "Feliratkozott", "Leiratkozott"],
    ["Durum", "Abone", "Abonelikten çıktı"],
    ["ステータス", "配信中", "配信停止"],
    ["メモ", "展示会", "メルマガ配信停止希望"],
    ["状态", "已订阅", "已退订"],
    ["상태", "구독중", "수신거부"],
    ["Κατάσταση", "Ενεργός", "Διαγραμμένος"],
    ["Stare", "Abonat", "Dezabonat"],
    ["Статус", "підписаний", "відписаний"],
    ["סטטוס", "פעיל", "הוסר"],
    ["الحالة", "مشترك", "ألغى الاشتراك"],
  ] as const;

  test.each(columns)(
    "%j prevents those who left from being active, and not those who stay",
    async (...column) => {
      const [header, stays, left] = column;
      const list = await openList(
        `Email Address,${header}\nstays@x.example,${stays}\nleft@x.example,${left}\n`,
      );
      const states = await statesIn(list, { everyone: "agreed", words: {} });
      assert.equal(states["stays@x.example"], "active");
      assert.notEqual(states["left@x.example"], "active");
    },
  );
});

describe("a heading that says that people left", () => {
  const headings = [
    ["a line between people", "Email,Name\nin@x.com,A\nUnsubscribed,\nleft@x.com,B\n", "list.csv"],
    [
      "a line and the header again",
      "Email,Name\nin@x.com,A\n\nUnsubscribed:\nEmail,Name\nleft@x.com,B\n",
      "list.csv",
    ],
    [
      "a title",
      "Unsubscribed contacts as of 3 May\nEmail,Name,Subscribed\nleft@x.com,A,2020-01-01\n",
      "list.csv",
    ],
    ["the file's name", "Email\nleft@x.com\n", "unsubscribes.csv"],
    ["its name with a year", "Email,Name\nleft@x.com,A\n", "bounces-2021.csv"],
    ["its name in German", "Email,Name\nleft@x.com,A\n", "Abgemeldete.csv"],
    ["its name in two words", "Email,Name\nleft@x.com,A\n", "suppression_list.csv"],
    ["its name in one word", "Email,Name\nleft@x.com,A\n", "blocklist.csv"],
  ];

  test.each(headings)(
    "%s leaves out the people below it until the owner answers",
    async (_what, text, name) => {
      const list = await openList(text, name);
      const { doubts } = await survey(list);
      assert.equal(doubts.length, 1);
      const key = doubtKey(doubts[0]!.doubt);
      for (const [words, state] of [
        [{}, "left out"],
        [{ [key]: "active" }, "active"],
        [{ [key]: "unsubscribed" }, "unsubscribed"],
      ] as const) {
        const states = await statesIn(list, { everyone: "agreed", words });
        assert.equal(states["left@x.com"], state);
        assert.equal(states["in@x.com"], text.includes("in@x.com") ? "active" : undefined);
      }
    },
  );

  test("is not asked about if the owner says that all of them left", async () => {
    const list = await openList("Email\nleft@x.com\n", "blocklist.csv");
    const { states, doubts } = await survey(list, { everyone: "left", words: {} });
    assert.deepEqual([states.unsubscribed.count, doubts], [1, []]);
  });

  /** Why, the file, its name, and answers. */
  type Ignored = [string, string, string, Record<string, "active">?];
  test.each<Ignored>([
    [
      "a heading of people who stay follows",
      "Email,Name\nUnsubscribed,\nleft@x.com,B\nSubscribed,\nin@x.com,A\n",
      "list.csv",
    ],
    ["their status says so", "Email,Status\nin@x.com,subscribed\n", "subscribed-and-unsubscribed.csv"],
    ["the name says that there are none", "Email,Name\nin@x.com,A\n", "no-bounces.csv"],
    ...["Active subscribers", "Subscribers", "Current readers", "Die Leser"].map((heading): Ignored => [
      `the owner says so of a later heading: ${heading}`,
      `Email,Name\nUnsubscribed,\nleft@x.com,B\n${heading},\nin@x.com,A\n`,
      "list.csv",
      { [`null ${heading.toLowerCase()}`]: "active" },
    ]),
    ...["out", "left", "none", "subscribers (cleaned)", "cleaned"].map((name): Ignored => [
      `the name may mean something else: ${name}`,
      "Email,Name\nin@x.com,A\n",
      `${name}.csv`,
    ]),
    ["the line has a second cell", "Email,Notes\n,unsubscribed\nin@x.com,A\n", "list.csv"],
  ])("is ignored if %s", async (_what, text, name, words = {}) => {
    const states = await statesIn(await openList(text, name), { everyone: "agreed", words });
    assert.equal(states["in@x.com"], "active");
    assert.ok(!text.includes("left@x.com") || states["left@x.com"] === "left out");
  });

  test("is named in the question after a line that is no heading", async () => {
    for (const line of ["E-mail,", "someone@x.com (moved),", "-----,"]) {
      const list = await openList(`Email,Name\nUnsubscribed,\n${line}\nleft@x.com,B\n`);
      const { doubts } = await survey(list, { everyone: "agreed", words: {} });
      assert.deepEqual(
        doubts.map(({ doubt }) => doubt),
        [{ column: null, word: "Unsubscribed" }],
      );
    }
    const list = await openList('"Exported on Monday"\nEmail,Name\nleft@x.com,B\n', "bounces.csv");
    const { doubts } = await survey(list, { everyone: "agreed", words: {} });
    assert.equal(doubts[0]!.doubt.word, "bounces.csv");
  });
});

describe("a file that is not a list", () => {
  const errorOf = async (content: BlobPart, name = "list.csv") => {
    const opened = await openFile(new File([content], name));
    return "error" in opened ? opened.error : null;
  };
  const zipped = async (files: Record<string, string | Uint8Array<ArrayBuffer>>) => {
    const writer = new ZipWriter(new BlobWriter());
    for (const [name, content] of Object.entries(files))
      await writer.add(name, new BlobReader(new Blob([content])));
    return await writer.close();
  };

  test.each([
    ["a picture (PNG)", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])],
    ["a PDF", "%PDF-1.7\n%âã"],
    ["an old Excel or Word file", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])],
    ["a JSON file", '[{"email": "a@x.com"}]'],
    ["a web page (HTML)", "<!DOCTYPE html>\n<table><tr><td>a@x.com</td></tr></table>"],
    ["an XML file", '<?xml version="1.0"?><members/>'],
    ["an address book (vCard)", "BEGIN:VCARD\nEMAIL:a@x.com"],
    ["a file without text", new Uint8Array([1, 2, 0, 0, 9, 0, 0, 4])],
  ])("is refused with a message: %s", async (name, content) => {
    assert.match((await errorOf(content)) ?? "", new RegExp(`it’s ${name.replaceAll(/[()]/g, "\\$&")}`));
  });

  test("is refused with a message if it is packed: a spreadsheet, a zip without lists, half a zip", async () => {
    const sheet = await zipped({ "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>" });
    assert.match((await errorOf(sheet)) ?? "", /an Excel file \(XLSX\).*choose “Save as”/);
    assert.match((await errorOf(await zipped({ "a.html": "<p>" }))) ?? "", /no CSV file/);
    assert.match(
      (await errorOf(await zipped({ "a.csv": "title\nA\n" }))) ?? "",
      /No CSV file in this zip has people/,
    );
    const list = await zipped({ "a.csv": `email\n${"a@x.com\n".repeat(1000)}` });
    assert.match((await errorOf(list.slice(0, list.size / 2))) ?? "", /This zip can’t be read/);
  });

  test("is not unpacked if it would fill the memory", async () => {
    const bomb = await zipped({ "a.csv": new Uint8Array(MAX_FILE + 1) });
    assert.ok(bomb.size < MAX_FILE / 100);
    assert.match((await errorOf(bomb)) ?? "", /far larger than any such export/);
  });

  test("is refused if it is empty, or has no people", async () => {
    assert.match((await errorOf("")) ?? "", /This file is empty/);
    assert.match((await errorOf("email,name\n")) ?? "", /nothing below its first line/);
    await assert.rejects(
      survey(await openList("name,city\nAda,Perth\n")),
      /No column of this file has email addresses/,
    );
  });

  test("may be a zip of lists, without the files about opened letters", async () => {
    const email = "email,status\na@x.com,active\n";
    const zip = await zipped({
      "subscribed_1.csv": email,
      "lists/unsubscribed_1.csv": email,
      "posts.csv": "post_id,title\n1,A\n",
      "posts/1.opens.csv": email,
      "__MACOSX/._subscribed_1.csv": email,
    });
    const opened = await openFile(new File([zip], "export.zip"));
    assert.deepEqual("lists" in opened && opened.lists.map(({ name }) => name), [
      "subscribed_1.csv",
      "unsubscribed_1.csv",
    ]);
  });

  test("of 200,000 lines is counted, each person once", async () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `n${index % 150_000}@x.example,subscribed`);
    const { states } = await survey(await openList(`email,status\n${lines.join("\n")}\n`));
    assert.equal(states.active.count, 150_000);
  });

  test("is opened if it is a zip of one list", async () => {
    const zip = await zipped({ "export/list.csv": "email,status\na@x.com,active\n" });
    const opened = await openFile(new File([zip], "export.zip"));
    assert.equal("list" in opened && opened.list.file.name, "list.csv");
  });

  test("loses only the line at which it is truncated", async () => {
    const states = await statesIn(
      await openList("email,status,unsubscribed_at\na@x.com,active,\nb@x.com,active"),
    );
    assert.deepEqual(states, { "a@x.com": "active", "b@x.com": "left out" });
  });
});

test.each([
  ["UTF-8", (text: string) => text],
  ["UTF-8 with a mark", (text: string) => `\ufeff${text}`],
  ["UTF-16", (text: string) => utf16(text, true, true)],
  ["Windows-1252", (text: string) => Buffer.from(text, "latin1")],
])("a list in %s is read", async (_encoding, encoded) => {
  const text = "E-Mail;Name;Status\r\na@x.com;Jürgen;bestätigt\r\nb@x.com;Zoë;gekündigt\r\n";
  const states = await statesIn(await openList(encoded(text)));
  assert.deepEqual(states, { "a@x.com": "active", "b@x.com": "unsubscribed" });
});

/** An import plan for a list, without a survey. */
const plan = (file: Blob, facts = { header: ["email"], headerLine: 1 }): ImportPlan => ({
  list: {
    file: Object.assign(file, { name: "a.csv" }) as File,
    encoding: "utf-8",
    delimiter: ",",
    rows: [],
    ...facts,
  },
  survey: {
    layout: {
      byName: new Map(),
      nameOf: () => "",
      mapping: { email: 0, subscribedAt: null, confirmedAt: null, source: null },
      roles: [{ reads: "nothing" }],
      changedAt: null,
      known: null,
      isOfMembers: false,
      saysWhoLeft: true,
    },
    chosen: new Map(),
    cutLine: null,
  } as unknown as ImportPlan["survey"],
  answers: NO_ANSWERS,
  about: {
    importId: "3f1f1b0a-0000-4000-8000-000000000000",
    fileName: "a.csv",
    source: "import",
    consent: "Words",
    isConfirmed: true,
  },
});

/** A server that adds each address once. */
function server() {
  const known = new Map<string, number>();
  const requests: number[] = [];
  const send: Send = async ({ rows }) => {
    requests.push(rows.length);
    return {
      items: rows.map(({ line, email }) => {
        const first = known.get(email) ?? line;
        known.set(email, first);
        return {
          line,
          outcome: first === line ? { kind: "added", state: "confirmed" } : { kind: "double" },
        };
      }),
    };
  };
  return { send, requests, known };
}

const quiet = () => ({ onProgress: () => {}, signal: new AbortController().signal });

describe("a subscriber import", () => {
  test("sends at most 500 rows at a time, and reports each line", async () => {
    const { send, requests } = server();
    const rows = Array.from({ length: 1200 }, (_, index) => `reader${index}@example.com`);
    const file = new Blob([`email\n${rows.join("\n")}\n"broken,x@example.com\nlast@example.com,"A"\n`]);
    const report = await runImport(plan(file), { send, ...quiet() });
    assert.deepEqual(requests, [500, 500, 201]);
    assert.equal(report.counts.confirmed, 1201);
    assert.equal(report.counts.invalid, 1);
    assert.deepEqual(report.inOrder(), [
      { line: 1202, text: '"broken,x@example.com', what: "This line has an unmatched quotation mark." },
    ]);
  });

  test("reports 10,000 duplicates, each by its line", async () => {
    const { send } = server();
    const file = new Blob([`email\n${"same@example.com\n".repeat(10_001)}`]);
    const report = await runImport(plan(file), { send, ...quiet() });
    assert.equal(report.counts.confirmed, 1);
    assert.equal(report.counts.double, 10_000);
    assert.equal(report.inOrder().length, 10_000);
    assert.deepEqual(report.inOrder()[0], {
      line: 3,
      text: "same@example.com",
      what: "Another line has the same address.",
    });
    assert.equal(report.toCsv().split("\r\n").length, 10_002);
  });

  test("stops when it is cancelled, with a report until then", async () => {
    const { send, requests } = server();
    const control = new AbortController();
    const file = new Blob(["email\n", "reader@example.com\n".repeat(5000)]);
    const report = await runImport(plan(file), {
      signal: control.signal,
      onProgress: () => {},
      send: async (input) => {
        const answer = await send(input);
        control.abort();
        return answer;
      },
    });
    assert.deepEqual(requests, [500]);
    assert.equal(report.counts.lines, 500);
  });

  test("reads 200 MB without holding them in memory", async () => {
    const row = `${"reader".repeat(4)}@example.com,${"x".repeat(150)}\n`;
    const part = new TextEncoder().encode(row.repeat(5000));
    const parts = Math.ceil((200 * 1024 * 1024) / part.byteLength);
    let given = 0;
    const file = {
      size: parts * part.byteLength,
      stream: () =>
        new ReadableStream<Uint8Array<ArrayBuffer>>({
          pull(controller) {
            if (given++ < parts) controller.enqueue(part);
            else controller.close();
          },
        }),
    } as Blob;
    let rows = 0;
    let most = 0;
    const before = usedHeap();
    const report = await runImport(plan(file, { header: [], headerLine: 0 }), {
      ...quiet(),
      send: async ({ rows: sent }) => {
        rows += sent.length;
        if (rows % 100_000 === 0) most = Math.max(most, usedHeap() - before);
        return { items: sent.map(({ line }) => ({ line, outcome: { kind: "added", state: "pending" } })) };
      },
    });
    assert.equal(rows, parts * 5000);
    assert.equal(report.counts.pending, rows);
    assert.ok(most < 150 * 1024 * 1024, `${Math.round(most / 1e6)} MB`);
  });

  test("counts existing subscribers by status", () => {
    const report = new Report();
    for (const [index, state] of subscriberStates.entries()) {
      report.addResult({ line: index + 1, outcome: { kind: "known", state } }, "reader@example.com");
    }
    const { known, unconfirmed, left, pending } = report.counts;
    assert.deepEqual(
      { known, unconfirmed, left, pending },
      { known: 1, unconfirmed: 1, left: 3, pending: 0 },
    );
  });

  test("lists at most 50,000 problems, and counts the others", () => {
    const report = new Report();
    for (let line = 1; line <= 50_010; line++) report.addInvalid(line, "", "");
    assert.deepEqual([report.inOrder().length, report.unnamed, report.counts.invalid], [50_000, 10, 50_010]);
  });

  test("has no formula in its report", () => {
    const report = new Report();
    report.addInvalid(1, "=cmd|' /C calc'!A0", "No.");
    report.addInvalid(2, "=1+1\nin two lines", "No.");
    report.addInvalid(3, " ＝SUM(A1)", "No.");
    const csv = report.toCsv();
    for (const cell of ["'=cmd", "'=1+1\nin", "' ＝SUM"]) assert.ok(csv.includes(cell), cell);
  });
});

describe("a lost connection during an import", () => {
  const error = (status: number) => new ApiError(status, { code: "internal", message: "No" });

  test("is waited for, and shown", async () => {
    const reasons: (string | null)[] = [];
    const waits: number[] = [];
    const failures = [new TypeError("Failed to fetch"), error(401), error(503), error(429)];
    const answer = await sendUntilAnswered(
      () => {
        const failure = failures.shift();
        return failure ? Promise.reject(failure) : Promise.resolve("answered");
      },
      {
        signal: new AbortController().signal,
        onWaiting: (reason) => reasons.push(reason),
        wait: async (milliseconds) => void waits.push(milliseconds),
      },
    );
    assert.equal(answer, "answered");
    assert.deepEqual(waits, [1000, 2000, 4000, 8000]);
    assert.match(reasons[0] ?? "", /connection was lost/);
    assert.match(reasons[1] ?? "", /Sign in in another tab/);
    assert.equal(reasons.at(-1), null);
  });

  test("is not waited for once the import is cancelled, nor is an error that would not change", async () => {
    const control = new AbortController();
    const waiting = sendUntilAnswered(() => Promise.reject(new TypeError("Failed to fetch")), {
      signal: control.signal,
      onWaiting: () => control.abort(),
      wait: () => new Promise(() => {}),
    });
    await assert.rejects(waiting, { name: "AbortError" });
    const options = { signal: new AbortController().signal, onWaiting: () => {} };
    await assert.rejects(
      sendUntilAnswered(() => Promise.reject(error(422)), options),
      ApiError,
    );
  });
});
