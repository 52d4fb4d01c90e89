import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { doubtKey } from "../../src/admin/moving-in/subscribers/columns.ts";
import { knownExports } from "../../src/admin/moving-in/subscribers/known-exports.ts";
import { openList, statesIn, survey, utf16 } from "../support/subscriber-lists.ts";
import "../support/property-seed.ts";

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
    ["Mailing preference", "Everything", "Nothing"],
    ["Newsletter", "alles", "nichts"],
    ["Unsubscribe reason", "", "nothing"],
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
    ["Email quarantined", "No", "Yes"],
    ["Not interested", "", "1"],
    ["Delivery", "ok", "mailbox full"],
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
