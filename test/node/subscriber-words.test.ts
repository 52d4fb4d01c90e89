import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  doubtKey,
  OTHER_MENTIONS,
  shownPart,
  type Answers,
} from "../../src/admin/moving-in/subscribers/columns.ts";
import { openList, statesIn, survey } from "../support/subscriber-lists.ts";

const agreed = { everyone: "agreed", words: {} } as const;

/** A list with one column beside the address, and another reader whose cell in it is blank. */
const listOf = (header: string, cell: string) =>
  openList(`Email,${header}\nreader@x.com,"${cell}"\nother@x.com,\n`);

/** People who may be written to: the word is in a name, a place or a post. */
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
  ["City", "Baja"],
  ["Website", "https://unsubscribed.example"],
  ["Website", "www.opt-out-records.example"],
  ["Blog", "nomail.org"],
  ["School", "Suppression Bay High School"],
  ["Ort", "Nicht mehr in Berlin"],
  ["Firma", "Sperrliste GmbH & Co. KG"],
  ["Firma", "Gesperrte Wege e. V."],
  ["Beruf", "Leiterin Beschwerden und Lob"],
  ["Funktion", "Beschwerdemanagement"],
  ["Nachname", "Austrag"],
  ["Straße", "Alter Kündigungsweg 4"],
  ["Entreprise", "Liste Rouge Éditions"],
  ["Poste", "Responsable des plaintes"],
  ["Nom", "Plaint"],
  ["Ville", "Rebond"],
  ["Empresa", "Lista Negra Discos"],
  ["Cargo", "Jefa de quejas"],
  ["Ciudad", "Baja"],
  ["Azienda", "Lista Nera Film"],
  ["Ruolo", "Responsabile ordini annullati"],
  ["Empresa", "Quarto Cancelado Produções"],
  ["Função", "Chefe de queixas"],
  ["Bedrijf", "Zwarte Lijst Boeken"],
  ["Functie", "Hoofd klachten en lof"],
] as const;

/** Notes with a leaving word and another matter: people are left out until the owner answers. */
const asked = [
  ["Note", "Please remove shoes"],
  ["Notes", "please remove your shoes at the door"],
  ["Notes", "her flight was cancelled"],
  ["Comment", "Complained about the coffee"],
  ["Note", "refused dessert"],
  ["Notes", "deals with complaints: head of complaints at a bank"],
  ["Notiz", "Nicht mehr in Berlin"],
  ["Bemerkung", "nicht mehr bei Siemens"],
  ["Bemerkung", "Flug storniert"],
  ["Remarque", "vol annulé en mai"],
  ["Remarque", "chef du bureau des plaintes"],
  ["Nota", "vuelo cancelado"],
  ["Notas", "de baja médica hasta mayo"],
  ["Note", "volo cancellato"],
  ["Notas", "já não mais em Lisboa"],
  ["Notas", "voo cancelado"],
  ["Opmerking", "niet meer in Utrecht"],
  ["Opmerking", "vlucht geannuleerd"],
  ["Note", "do not send offers"],
  ["Note", "complained about too many offers"],
  ["Note", "refused all offers"],
  ["Note", "please remove after workshop"],
  ["Note", "cancelled after the event"],
  ["Note", "unsubscribed@2023"],
  ["Anything", "do not send offers"],
  ["", "cancelled after the event"],
  ["Notiz", "bitte nicht mehr an diese Adresse"],
  ["Notiz", "nicht mehr als Leser"],
  ["Notiz", "gekündigt wegen Job"],
  ["Notiz", "Widerspruch beim Termin"],
  ["Notiz", "gesperrt nach Vortrag"],
  ["Remarque", "ne plus envoyer par la poste"],
  ["Remarque", "résilié après le cours"],
  ["Nota", "no enviar oferta"],
  ["Nota", "cancelado tras el curso"],
  ["Nota", "non inviare nessuna offerta"],
  ["Nota", "annullato dopo il corso"],
  ["Nota", "não mais na base"],
  ["Nota", "não enviar nenhuma oferta"],
  ["Opmerking", "niet meer in bestand"],
  ["Opmerking", "opgezegd na de vergadering"],
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

describe("a leaving word in a name", () => {
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
      ["Firma", "Sperrliste GmbH & Co. KG"],
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

  test("is still shown after its answer, with the same counts", async () => {
    const list = await openList(
      "Email,Company,Job title\na@x.com,No Marketing Ltd,Head of complaints\nb@x.com,No Marketing Ltd,\n",
    );
    const { mentions } = await survey(list, agreed);
    assert.equal(mentions.length, 2);
    for (const { doubt } of mentions) {
      const words = { [doubtKey(doubt)]: "unsubscribed" } as const;
      assert.deepEqual((await survey(list, { everyone: "agreed", words })).mentions, mentions);
    }
  });

  test("is left out beyond the 50 that are shown, until the owner answers for all others", async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `n${index}@x.com,Blacklist Records ${index} Ltd`);
    const list = await openList(`Email,Company\n${lines.join("\n")}\n`);
    const found = await survey(list, agreed);
    assert.equal(found.mentions.length, 50);
    assert.deepEqual([found.otherMentions.keys.size, found.otherMentions.people], [50, 50]);
    const counts = async (words: Answers["words"]) => {
      const { states } = await survey(list, { everyone: "agreed", words });
      const sent = Object.values(await statesIn(list, { everyone: "agreed", words }));
      assert.equal(sent.filter((state) => state === "active").length, states.active.count);
      return [states.active.count, states.doubtful.count, states.unsubscribed.count];
    };
    assert.deepEqual(await counts({}), [50, 50, 0]);
    assert.deepEqual(await counts({ [OTHER_MENTIONS]: "active" }), [100, 0, 0]);
    assert.deepEqual(await counts({ [OTHER_MENTIONS]: "unsubscribed" }), [50, 0, 50]);
  });
});

describe("a leaving word in a note", () => {
  test.each(asked)("is a question, beside another matter: %s, “%s”", async (header, cell) => {
    const list = await listOf(header, cell);
    const { doubts, mentions } = await survey(list, agreed);
    assert.deepEqual([doubts.map(({ doubt }) => doubt), mentions], [[{ column: 1, word: cell }], []]);
    assert.deepEqual(await statesIn(list, agreed), { "reader@x.com": "left out", "other@x.com": "active" });
    const words = { [doubtKey(doubts[0]!.doubt)]: "active" } as const;
    assert.equal((await statesIn(list, { everyone: "agreed", words }))["reader@x.com"], "active");
  });

  test("is a question for each note, with the words around it", async () => {
    const start = "Met her at the conference in Berlin in 2019, and again a year later in Köln.";
    const list = await openList(
      `Email,Notes\na@x.com,"${start} Please do not send offers to her after that"\nb@x.com,"${start} Her flight was cancelled"\nc@x.com,\n`,
    );
    const { doubts } = await survey(list, agreed);
    assert.deepEqual(
      doubts.map(({ doubt }) => shownPart(doubt)),
      ["… Köln. Please do not send offers to her …", "… Her flight was cancelled"],
    );
    const words = { [doubtKey(doubts[1]!.doubt)]: "active" } as const;
    assert.deepEqual(await statesIn(list, { everyone: "agreed", words }), {
      "a@x.com": "left out",
      "b@x.com": "active",
      "c@x.com": "active",
    });
  });
});

describe("a column of posts, names or places that holds a status", () => {
  const headers =
    "Role, Title, Company, Position, Department, Sector, Site, Member role, Name, City, Rolle, Funktion, Beruf, Titre, Fonction, Puesto, Cargo, Ruolo, Função, Functie";
  test.each(headers.split(", "))("is read as one: %s", async (header) => {
    for (const [stays, gone, banned] of [
      ["subscriber", "inactive", "banned"],
      ["aktiv", "inaktiv", "ehemalig"],
      ["actif", "inactif", "désactivé"],
      ["activo", "inactivo", "eliminado"],
      ["attivo", "inattivo", "rimosso"],
      ["ativo", "inativo", "removido"],
      ["actief", "inactief", "gestopt"],
    ] as const) {
      const list = await openList(`Email,${header}\na@x.com,${stays}\nb@x.com,${gone}\nc@x.com,${banned}\n`);
      assert.equal((await survey(list)).layout.saysWhoLeft, true);
      assert.deepEqual(await statesIn(list), {
        "a@x.com": "active",
        "b@x.com": "unsubscribed",
        "c@x.com": "unsubscribed",
      });
    }
  });

  test.each([
    ["Role", "inactive"],
    ["First name", "Paused"],
    ["Rolle", "ehemalig"],
    ["Titre", "inactif"],
    ["Puesto", "inactivo"],
    ["Ruolo", "rimosso"],
    ["Função", "inativo"],
    ["Functie", "gestopt"],
    ["Name", "Ada Oak (inactive)"],
  ])("is a question where most cells are no status: %s, “%s”", async (header, cell) => {
    const list = await openList(
      `Email,${header}\na@x.com,${cell}\nb@x.com,Ada\nc@x.com,Ben\nd@x.com,Robinson\n`,
    );
    const states = await statesIn(list, agreed);
    assert.deepEqual(Object.values(states).toSorted(), ["active", "active", "active", "left out"]);
    assert.equal(states["a@x.com"], "left out");
  });

  test("does not say who left if all are “subscriber”, the role of user accounts", async () => {
    const { layout } = await survey(await openList("Email,Role\na@x.com,subscriber\nb@x.com,subscriber\n"));
    assert.equal(layout.saysWhoLeft, false);
  });
});

describe("a status with more than a word for staying", () => {
  test.each([
    "active | on hold",
    "active?",
    "un/sub",
    "Subscribed (until 2020)",
    "Member (until 2020)",
    "yes, until 2020",
    "Mitglied (bis 2019)",
    "Mitglied 2019",
    "ex - Mitglied",
    "Mitglied / ruht",
    "ja (bis 2019)",
    "ex / membre",
    "membre (jusqu’en 2019)",
    "ex (socio)",
    "socio (hasta 2019)",
    "socio (fino al 2019)",
    "membro (até 2019)",
    "lid (tot 2020)",
    "oud / lid",
  ])("is a question: %s", async (word) => {
    const list = await openList(`Email,Status\na@x.com,"${word}"\nb@x.com,active\n`);
    assert.deepEqual(await statesIn(list, agreed), { "a@x.com": "left out", "b@x.com": "active" });
  });

  test.each([
    "active, weekly",
    "Aktiv (bestätigt)",
    "abonné·e",
    "suscrito/a",
    "iscritto (confermato)",
    "active;paid",
  ])("is active if each of them is: %s", async (word) => {
    const list = await openList(`Email,Status\na@x.com,"${word}"\n`);
    assert.deepEqual(await statesIn(list, agreed), { "a@x.com": "active" });
  });

  test.each([
    "yes, until 2020",
    "ja, bis 2019",
    "oui, jusqu’en 2019",
    "sí, hasta 2019",
    "fino al 2019",
    "até 2019",
    "tot 2019",
  ])("is a question in an agreement too: %s", async (word) => {
    const list = await openList(`Email,Newsletter\na@x.com,"${word}"\nb@x.com,yes\nc@x.com,yes\n`);
    assert.equal((await statesIn(list, agreed))["a@x.com"], "left out");
  });
});

test.each([
  ["Type", "Member"],
  ["Category", "Member"],
  ["Status", "Member"],
  ["Typ", "Mitglied"],
  ["Kategorie", "Mitglied"],
  ["Status", "Vereinsmitglied"],
  ["Rolle", "Mitglied"],
  ["Catégorie", "Membre"],
  ["Statut", "Membre"],
  ["Tipo", "Socio"],
  ["Categoria", "Socio"],
  ["Estado", "Miembro"],
  ["Situação", "Membro"],
  ["Soort", "Lid"],
  ["Status", "Lid"],
])("a list of members asks whether they agreed to letters: %s, “%s”", async (header, word) => {
  const list = await openList(`Email,${header}\na@x.com,${word}\nb@x.com,${word}\n`);
  assert.equal((await survey(list)).layout.saysWhoLeft, false);
  assert.deepEqual(Object.values(await statesIn(list)), ["left out", "left out"]);
});

test("a header with a zero byte is read without it, as its cells are", async () => {
  const list = await openList("Email,Sta\0tus\na@x.com,Fro\0zen\nb@x.com,unsub\0scribed\n");
  assert.deepEqual(list.header, ["Email", "Status"]);
  assert.deepEqual(await statesIn(list, agreed), { "a@x.com": "left out", "b@x.com": "unsubscribed" });
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
  assert.ok(others.length + asked.length >= 40 && left.length >= 40);
});
