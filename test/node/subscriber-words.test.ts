import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { doubtKey } from "../../src/admin/moving-in/subscribers/columns.ts";
import { openList, statesIn, survey } from "../support/subscriber-lists.ts";

const agreed = { everyone: "agreed", words: {} } as const;

/** A list with one column beside the address, and another reader whose cell in it is blank. */
const listOf = (header: string, cell: string) =>
  openList(`Email,${header}\nreader@x.com,"${cell}"\nother@x.com,\n`);

/** People who may be written to: the word is in a name, a place, a post, or a note about something else. */
const others = [
  ["Company", "No Marketing Ltd"],
  ["Company", "Unwanted Furniture Removals"],
  ["Company", "The Blacklist Club"],
  ["Company", "Bounced Castles Ltd"],
  ["Organisation", "Customer Complaints Board of Victoria"],
  ["Company / Organisation", "Do Not Disturb Hotels"],
  ["Business name", "Cancelled Stamps & Coins"],
  ["Job title", "Head of complaints"],
  ["Position", "Complaints handler, Eastern region"],
  ["Department", "Fire suppression systems"],
  ["Occupation", "Writer, refused entry at ten clubs"],
  ["Name", "Junk"],
  ["Full name", "Ada Stop"],
  ["Last name", "Gone"],
  ["First name", "Paused"],
  ["City", "Baja"],
  ["Website", "https://unsubscribed.example"],
  ["Website", "www.opt-out-records.example"],
  ["Blog", "nomail.org"],
  ["School", "Suppression Bay High School"],
  ["Note", "Please remove shoes"],
  ["Notes", "please remove your shoes at the door"],
  ["Notes", "her flight was cancelled"],
  ["Comment", "Complained about the coffee"],
  ["Note", "refused dessert"],
  ["Notes", "deals with complaints: head of complaints at a bank"],
  ["Ort", "Nicht mehr in Berlin"],
  ["Notiz", "Nicht mehr in Berlin"],
  ["Bemerkung", "nicht mehr bei Siemens"],
  ["Bemerkung", "Flug storniert"],
  ["Firma", "Sperrliste GmbH & Co. KG"],
  ["Firma", "Gesperrte Wege e. V."],
  ["Beruf", "Leiterin Beschwerden und Lob"],
  ["Funktion", "Beschwerdemanagement"],
  ["Nachname", "Austrag"],
  ["Straße", "Alter Kündigungsweg 4"],
  ["Entreprise", "Liste Rouge Éditions"],
  ["Poste", "Responsable des plaintes"],
  ["Nom", "Plaint"],
  ["Remarque", "vol annulé en mai"],
  ["Remarque", "chef du bureau des plaintes"],
  ["Ville", "Rebond"],
  ["Empresa", "Lista Negra Discos"],
  ["Cargo", "Jefa de quejas"],
  ["Nota", "vuelo cancelado"],
  ["Notas", "de baja médica hasta mayo"],
  ["Ciudad", "Baja"],
  ["Azienda", "Lista Nera Film"],
  ["Ruolo", "Responsabile ordini annullati"],
  ["Note", "volo cancellato"],
  ["Empresa", "Quarto Cancelado Produções"],
  ["Função", "Chefe de queixas"],
  ["Notas", "já não mais em Lisboa"],
  ["Notas", "voo cancelado"],
  ["Bedrijf", "Zwarte Lijst Boeken"],
  ["Functie", "Hoofd klachten en lof"],
  ["Opmerking", "niet meer in Utrecht"],
  ["Opmerking", "vlucht geannuleerd"],
] as const;

/** People who must not be written to, whatever the column. */
const left = [
  ["Name", "Ada Oak (unsubscribed)"],
  ["Name", "UNSUBSCRIBED Ada Oak"],
  ["First name", "Ada DO NOT EMAIL"],
  ["Full name", "Ada Oak – opted out"],
  ["Name", "Ada Oak please remove her from list"],
  ["Company", "Oak Ltd, unsubscribed"],
  ["Company", "no marketing"],
  ["Company", "Oak Ltd (do not contact)"],
  ["Job title", "Editor; never subscribed"],
  ["City", "Perth - bounced"],
  ["Address", "1 Lamp Street, not subscribed"],
  ["Website", "unsubscribed"],
  ["Note", "please remove"],
  ["Note", "Please remove me"],
  ["Note", "please remove from the list"],
  ["Note", "please delete my data"],
  ["Note", "complained about our emails"],
  ["Note", "Complained"],
  ["Note", "refused marketing"],
  ["Note", "refused"],
  ["Note", "cancelled her subscription"],
  ["Note", "cancelled 3 May 2021"],
  ["Note", "moved abroad, unsubscribed from everything"],
  ["Note", "please remove shoes, do not email"],
  ["Tags", "vip; blacklisted"],
  ["Anything", "no longer at Oak Ltd. Unsubscribed."],
  ["Name", "Ada Eiche (abgemeldet)"],
  ["Firma", "Eiche GmbH – abbestellt"],
  ["Notiz", "Nicht mehr in Berlin, bitte austragen"],
  ["Notiz", "nicht mehr im Verteiler"],
  ["Notiz", "möchte nicht mehr"],
  ["Bemerkung", "nicht mehr anschreiben"],
  ["Bemerkung", "Newsletter gekündigt"],
  ["Bemerkung", "gesperrt"],
  ["Ort", "Köln (abgemeldet)"],
  ["Nom", "Ada Chêne (désabonnée)"],
  ["Entreprise", "Chêne SA - désinscrit"],
  ["Remarque", "ne veut plus recevoir la lettre"],
  ["Remarque", "ne plus contacter"],
  ["Remarque", "abonnement annulé"],
  ["Nombre", "Ada Roble (dada de baja)"],
  ["Empresa", "Roble SL, no contactar por correo"],
  ["Notas", "no quiere recibir nada"],
  ["Notas", "suscripción cancelada"],
  ["Notas", "de baja"],
  ["Nome", "Ada Quercia (disiscritta)"],
  ["Azienda", "Quercia Srl: non iscritta"],
  ["Note", "non vuole ricevere messaggi"],
  ["Note", "iscrizione cancellata"],
  ["Nome", "Ada Carvalho (descadastrada)"],
  ["Notas", "não quer receber nada"],
  ["Notas", "não mais enviar mensagens"],
  ["Notas", "assinatura cancelada"],
  ["Naam", "Ada Eik (uitgeschreven)"],
  ["Bedrijf", "Eik BV, afgemeld"],
  ["Opmerking", "wil geen post"],
  ["Opmerking", "niet meer mailen"],
  ["Opmerking", "abonnement opgezegd"],
] as const;

describe("a leaving word in a column about something else", () => {
  test.each(others)("does not decide, and is shown: %s, “%s”", async (header, cell) => {
    const list = await listOf(header, cell);
    const found = await survey(list, agreed);
    assert.deepEqual([found.states.active.count, found.doubts], [2, []]);
    assert.ok(found.mentions.length <= 1);
  });

  test("is shown before the import, and counts if the owner says that these people left", async () => {
    for (const [header, cell] of [
      ["Company", "No Marketing Ltd"],
      ["Job title", "Head of complaints"],
      ["Note", "Please remove shoes"],
      ["Notiz", "Nicht mehr in Berlin"],
      ["Name", "Junk"],
    ] as const) {
      const list = await listOf(header, cell);
      const { mentions } = await survey(list, agreed);
      assert.deepEqual(mentions, [
        { doubt: { column: 1, word: cell }, people: 1, examples: ["reader@x.com"] },
      ]);
      const words = { [doubtKey(mentions[0]!.doubt)]: "unsubscribed" } as const;
      const states = await statesIn(list, { everyone: "agreed", words });
      assert.deepEqual(states, { "reader@x.com": "unsubscribed", "other@x.com": "active" });
    }
  });

  test("never decides, in a list of 100 companies", async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `n${index}@x.com,Blacklist Records ${index} Ltd`);
    const { states } = await survey(await openList(`Email,Company\n${lines.join("\n")}\n`), agreed);
    assert.equal(states.active.count, 100);
  });
});

describe("words that say that a person left", () => {
  test.each(left)("prevent the person from being active: %s, “%s”", async (header, cell) => {
    const states = await statesIn(await listOf(header, cell), agreed);
    assert.notEqual(states["reader@x.com"], "active");
    assert.notEqual(states["reader@x.com"], "pending");
    assert.equal(states["other@x.com"], "active");
  });
});

describe("a column with a header that is not a status", () => {
  test.each([
    [
      "a blank where others agreed, beside a WordPress role",
      "Email,Role,Newsletter opt-in",
      "subscriber,",
      "subscriber,1",
      "left out",
    ],
    [
      "a blank where others agreed, beside words of a status",
      "Email,Kind,Newsletter",
      "active,",
      "active,yes",
      "left out",
    ],
    ["a word for leaving", "Email,Lifecycle", "churned", "customer", "unsubscribed"],
    ["a date of leaving in Portuguese", "Email,Data de saída", "01/02/2021", "", "unsubscribed"],
    ["a date of leaving in Spanish", "Email,Fecha de salida", "01/02/2021", "", "unsubscribed"],
    ["a date of leaving in Italian", "Email,Data di uscita", "01/02/2021", "", "unsubscribed"],
    ["how often the person wants letters", "Email,Email frequency", "Never", "Weekly", "unsubscribed"],
    ["how often, in German", "Email,Newsletter", "nie", "monatlich", "unsubscribed"],
    ["short words", "Email,Newsletter", "unsub", "sub", "unsubscribed"],
    ["a word for members", "Email,Status", "Ausgetreten", "Mitglied", "unsubscribed"],
  ])("is read by its values: %s", async (_what, header, gone, here, state) => {
    const list = await openList(`${header}\nleft@x.com,${gone}\nstays@x.com,${here}\n`);
    assert.deepEqual(await statesIn(list, agreed), { "left@x.com": state, "stays@x.com": "active" });
  });
});

test("both halves have at least 40 lists of their own", () => {
  assert.ok(others.length >= 40 && left.length >= 40);
});
