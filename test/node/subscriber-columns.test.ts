import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  dateOf,
  doubtKey,
  NO_ANSWERS,
  readRow,
  sourceOf,
} from "../../src/admin/moving-in/subscribers/columns.ts";
import { openList, statesIn, survey } from "../support/subscriber-lists.ts";

const atLine = (line: number) => ({ line, heading: null });

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
    ["paused", "First name", "doubtful"],
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
        topics: null,
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
