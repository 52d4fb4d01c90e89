import { readForeignDate } from "#worker/imports/foreign-date.ts";
import type { ImportRow } from "#worker/newsletter/contract.ts";
import { MOST_TOPICS } from "#worker/topics/contract.ts";
import { knownExportOf, knownRoleOf, type FutureMember, type KnownExport } from "./known-exports.ts";
import {
  isBlank,
  isFilled,
  isLimited,
  isNo,
  isNone,
  isOfMembership,
  isOfOtherChannel,
  isPlanWord,
  isStatusWord,
  isStayingWord,
  isYes,
  isYesOrNo,
  mostCautious,
  placeOfPhrase,
  roleOfHeader,
  saidInName,
  saidInWords,
  signInWords,
  signs,
  simple,
  statusOf,
  type Sign,
} from "./signs.ts";

/** The fields that the owner may choose a column for. */
export const columnNames = {
  email: "Email address",
  subscribedAt: "Sign-up date",
  confirmedAt: "Confirmation date",
  source: "Source",
};
export type ColumnKind = keyof typeof columnNames;

/** The index of the column for each field; null for none. */
export type Mapping = Record<ColumnKind, number | null>;

const headers: Record<ColumnKind | "changedAt", RegExp> = {
  email:
    /^(subscriber |member |contact |primary |your )?(e ?mail|mail|correo|courriel|e ?mail adresse|adresse e ?mail|adresse mail|mail adresse|correo electronico|indirizzo e ?mail|endereco de e ?mail|e ?mailadres)( ?address| addr)?$/,
  subscribedAt:
    /^(optin time|opt in (time|date)|subscribed|subscribed (at|on|date)|subscriber since|subscri(be|bed|ption) (date|time)|created?( at| on| date| time)?|date (subscribed|added|created|joined)|(sign ?up|signup) (date|time)|start date|creation date|add(ed)? (date|time|at|on)|joined( at| on)?|join date|entered|patronage since date|anmeldedatum|angemeldet am|date d inscription|inscrit le|fecha de (alta|suscripcion)|data di iscrizione|data de inscricao|inschrijfdatum)$/,
  confirmedAt:
    /^(confirm time|confirmed( at| on)?|verified (at|on)|confirmation (date|time)|opt in confirmed at|bestatigt am|confirme le|confirmado el|confermato il|confirmado em|bevestigd op)$/,
  source:
    /^(source|signup source|sign ?up source|utm source|origin|referr?er source|subscri(ber|ption) source|source name)$/,
  changedAt:
    /^(last changed?|last modified|last updated|updated( at| on)?|modified( at| on| time)?|date updated)$/,
};

/** A line that begins with # or ~~ was commented or struck out. */
const EMAIL = /^'?(?!#|~~|--|\/\/)\S+@\S+\.\S+$/;
export const isAddress = (cell: string) => EMAIL.test(cell.trim());

/** A normalised address: lines with the same one are the same person. */
export const keyOf = (email: string) => email.trim().replace(/^'/, "").toLowerCase();

export const isAddressHeader = (cell: string) => headers.email.test(simple(cell));

/** Columns of an address: next to them, "State" is a region. */
const PLACE =
  /^(.* )?(city|town|country|zip|zip code|postcode|postal code|province|region|street|address|ort|stadt|plz|land|strasse|ville|pays|ciudad|pais|citta|paese|cidade|stad)$/;

const SURNAME =
  /^(last ?name|l ?name|surname|family ?name|nachname|familienname|zuname|nom de famille|apellidos?|cognome|sobrenome|apelidos?|achternaam|efternamn|efternavn)$/;

/** Words in the headers of columns that hold a name, a company, a post in it, a place or a web address. */
const OF_NAMES = new Set(
  (
    "name names firstname lastname fullname surname forename nickname username vorname nachname familienname zuname nom prenom nombre nombres apellido apellidos nome cognome sobrenome apelido apelidos naam voornaam achternaam efternamn efternavn " +
    "company companies organisation organization organisations org employer business firm firma firmenname unternehmen betrieb verein arbeitgeber organisationen entreprise societe association employeur organisme empresa compania empleador organizacion asociacion azienda ditta societa impresa organizzazione associazione organizacao associacao empregador bedrijf bedrijfsnaam werkgever organisatie vereniging " +
    "title job jobtitle role roles rolle rollen rol position occupation profession department industry school university titel beruf berufsbezeichnung position funktion abteilung branche schule titre poste fonction metier profession departement secteur ecole titulo puesto cargo profesion ocupacion departamento sector escuela titolo lavoro professione ruolo mansione qualifica reparto settore scuola profissao funcao emprego setor escola beroep functie afdeling branche " +
    "city town country street address suburb neighbourhood location venue ort stadt wohnort land strasse anschrift adresse gemeinde bundesland ville pays rue lieu ciudad pais calle direccion localidad provincia citta paese indirizzo via comune localita luogo cidade endereco rua localidade stad straat adres woonplaats plaats gemeente " +
    "website webseite web homepage blog domain url site sitio sito"
  )
    .split(" ")
    .map(simple),
);
/** Words beside these. */
const BESIDE_NAMES = new Set(
  "first last full middle given family display current home work billing shipping mailing postal primary secondary default main your the of and or contact customer subscriber member user account person line optional ihr ihre der die das und oder de du des la le les l d et votre su del y el tu di il lo e o do da dos van het en je".split(
    " ",
  ),
);

function isOfNames(name: string) {
  if (headers.email.test(name)) return false;
  const words = name.split(" ");
  return (
    SURNAME.test(name) ||
    PLACE.test(name) ||
    (words.some((word) => OF_NAMES.has(word)) &&
      words.every((word) => OF_NAMES.has(word) || BESIDE_NAMES.has(word)))
  );
}

/** Columns of which a few cells may contain any word. */
const LOOSE =
  /(^| )(tags?|labels?|groups?|segments?|lists?|notes?|name|interests?|listes?|listas?|gruppen?|notiz|notizen|notas?|remarks?|comments?|description|bio|about|message|bemerkung|bemerkungen|anmerkung|anmerkungen|kommentare?|remarqu(e?s)?|commentaires?|observa\w+|osservazioni|comentarios?|commenti|opmerking|opmerkingen)( |$)/;

/** Words about letters: “active” may be about a membership, “subscribed” is about letters. */
const OF_LETTERS =
  /subscri|opted|abonn|inscri|iscri|suscri|meldet|ingeschreven|uitgeschreven|aangemeld|afgemeld/;

/** Counts of a column's values over the whole file. */
export class ColumnFacts {
  filled = 0;
  addresses = 0;
  dates = 0;
  yesOrNo = 0;
  /** Of those, the ones that are not perhaps a missing value. */
  answers = 0;
  statusWords = 0;
  /** Of those, the ones of a person who gets letters. */
  stayingWords = 0;
  planWords = 0;
  /** Words of a status that are about letters, such as “subscribed”. */
  ofLetters = 0;
  /** Words of a membership. */
  ofMembership = 0;
  /** Whole numbers other than 0 and 1. */
  codes = 0;

  add(cell: string) {
    if (isBlank(cell)) return;
    this.filled++;
    if (isAddress(cell)) return void this.addresses++;
    if (/\d{4}|\d[./-]\d/.test(cell)) this.dates++;
    if (/^\s*-?\d+\s*$/.test(cell) && !/^\s*[01]\s*$/.test(cell)) this.codes++;
    // Longer ones are not single words.
    if (cell.length > 60) return;
    if (isOfMembership(cell)) this.ofMembership++;
    if (isYesOrNo(cell)) {
      this.yesOrNo++;
      if (!isNone(cell)) this.answers++;
    } else if (isStatusWord(cell)) {
      this.statusWords++;
      if (isStayingWord(cell)) this.stayingWords++;
      if (OF_LETTERS.test(simple(cell))) this.ofLetters++;
    } else if (isPlanWord(cell)) this.planWords++;
  }
}

export type ColumnRole =
  | { reads: "nothing" }
  /** Words about leaving, in any column; in a status column also its status words; in one of names they never decide. */
  | { reads: "words"; ofStatus: boolean; ofNames?: boolean }
  /** A non-empty cell is the sign. */
  | { reads: "sign"; sign: Sign }
  /** A date in the past is the sign that a person left. */
  | { reads: "end" }
  /** A no is the sign. A blank is ignored if no other cell says yes or no, and a 0 among numbers may be a count. */
  | {
      reads: "agreement";
      sign: "unsubscribed" | "pending";
      cells: "yes or no" | "dates" | "numbers" | "other";
    }
  | {
      reads: "status";
      words: Record<string, Sign | "active" | "doubtful"> | null;
      hasCodes: boolean;
      /** Its values alone say so, not its header: a good word there says nothing about a blank elsewhere. */
      isGuessed?: boolean;
      /** Its header is that of names or posts: “subscriber” in it is perhaps the role of a user account. */
      ofNames?: boolean;
    };

/** How a file is read: its columns, and what its name or program says about all lines. */
export type Layout = {
  /** Column indexes by their headers, normalised by `simple`. */
  byName: ReadonlyMap<string, number>;
  /** A column's name for the owner: its header, or “Column 3”. */
  nameOf: (column: number) => string;
  mapping: Mapping;
  roles: ColumnRole[];
  changedAt: number | null;
  known: KnownExport | null;
  /** It lists members; paying is not an agreement to letters. */
  isOfMembers: boolean;
  /** Whether a column says who left; otherwise the owner is asked. */
  saysWhoLeft: boolean;
};

export const nameOfColumn = (header: string[], column: number) =>
  header[column]?.trim() || `Column ${column + 1}`;

type Lines = { header: string[]; facts: ColumnFacts[]; lines: number };

/** The role of each column, from its header and all its values. */
export function layoutOf(
  { header, facts, lines }: Lines,
  fileName: string,
  chosen: Partial<Mapping> = {},
): Layout {
  const names = header.map(simple);
  const known = knownExportOf(header, fileName);
  const rules = known?.isUnverified ? null : known;
  const find = (kind: keyof typeof headers) => indexOf(names, (name) => headers[kind].test(name));
  const mapping: Mapping = {
    email: addressColumn(names, facts),
    subscribedAt: find("subscribedAt"),
    confirmedAt: find("confirmedAt"),
    source: find("source"),
    ...chosen,
  };
  const hasPlaces = names.some((name) => PLACE.test(name) && !headers.email.test(name));
  const roles = facts.map((column, index): ColumnRole => {
    if (index === mapping.email) return { reads: "nothing" };
    return roleOf(header[index] ?? "", column, { known: rules, lines, hasPlaces });
  });
  const says = roles.map((role, index) => saysWhoLeft(role, facts[index]!));
  const isOfMembers = rules
    ? rules.isOfMembers === true
    : names.some((name) => OF_MEMBERS.test(name)) ||
      roles.some(({ reads }, index) => reads === "status" && facts[index]!.ofMembership > 0);
  return {
    byName: new Map(names.map((name, index) => [name, index] as const).toReversed()),
    nameOf: (column) => nameOfColumn(header, column),
    mapping,
    roles,
    changedAt: find("changedAt"),
    known,
    isOfMembers,
    saysWhoLeft:
      known?.everyone !== undefined ||
      roles.some(
        (role, index) => says[index] && (!isOfMembers || isAboutLetters(role, names[index]!, facts[index]!)),
      ),
  };
}

/** The column with the most addresses; among those with many, the one with a matching header. */
function addressColumn(names: string[], facts: ColumnFacts[]) {
  const most = Math.max(0, ...facts.map(({ addresses }) => addresses));
  if (most === 0) return null;
  const isOfAddresses = (index: number) => facts[index]!.addresses >= most / 2;
  return (
    indexOf(names, (name, index) => headers.email.test(name) && isOfAddresses(index)) ??
    facts.findIndex(({ addresses }) => addresses === most)
  );
}

type Around = { known: KnownExport | null; lines: number; hasPlaces: boolean };

function roleOf(header: string, facts: ColumnFacts, { known, lines, hasPlaces }: Around): ColumnRole {
  const own = knownRoleOf(known, header);
  if (own === "text") return { reads: "nothing" };
  if (own === "words" || own === "status words") return { reads: "words", ofStatus: own === "status words" };
  if (own) return { reads: "status", words: own.words, hasCodes: false };
  if (isOfOtherChannel(header)) return { reads: "nothing" };
  const role = roleOfHeader(header);
  const status: ColumnRole = { reads: "status", words: null, hasCodes: facts.codes > 0 };
  switch (role.says) {
    case "sign":
      return { reads: "sign", sign: role.sign };
    case "end":
      return { reads: "end" };
    case "agreement":
      return { reads: "agreement", sign: role.sign, cells: cellsOf(facts) };
    case "status":
      return facts.filled > 0 ? status : { reads: "words", ofStatus: true };
    case "perhaps status": {
      const understood = facts.statusWords + facts.planWords + facts.yesOrNo;
      const isStatus = hasPlaces ? understood === facts.filled : understood >= facts.filled / 2;
      return isStatus && facts.statusWords + facts.planWords > 0
        ? status
        : { reads: "words", ofStatus: false };
    }
    case "nothing": {
      // “Email” under “Marketing”, with yes and no; a second address of which all are "NULL" is no such column.
      if (isAddressHeader(header) && facts.addresses === 0 && facts.answers > 0)
        return { reads: "agreement", sign: "unsubscribed", cells: cellsOf(facts) };
      if (known?.otherColumns === "left") return { reads: "sign", sign: "unsubscribed" };
      const name = simple(header);
      const ofNames = isOfNames(name);
      const { statusWords, stayingWords, filled } = facts;
      const isStatus = statusWords > 0 && statusWords >= filled * 0.8 && filled >= lines / 2;
      // “Role” may hold “active” and “inactive”; a name alone may be “Paused”.
      if (isStatus && (ofNames ? stayingWords > 0 : !LOOSE.test(name)))
        return { ...status, isGuessed: true, ofNames };
      return { reads: "words", ofStatus: false, ofNames };
    }
  }
}

function cellsOf({ filled, yesOrNo, statusWords, dates, codes }: ColumnFacts) {
  if (filled === 0) return "other";
  if (codes > 0) return "numbers";
  if (yesOrNo + statusWords >= filled / 2) return "yes or no";
  return dates >= filled / 2 ? "dates" : "other";
}

/** Columns of lists of members, patrons and customers of a plan. */
const OF_MEMBERS =
  /^(plan|plan name|tier|tier name|membership|membership (plan|level|type|tier)|stripe customer id|pledge amount|patron status)$/;

/** In a list of members, an active or paid membership is not an agreement to letters. */
function isAboutLetters(role: ColumnRole, name: string, { ofLetters }: ColumnFacts) {
  if (role.reads === "status") return ofLetters > 0;
  return role.reads === "sign" || !/^(is )?active$/.test(name);
}

function saysWhoLeft(role: ColumnRole, { filled, ofMembership, ofLetters, ...facts }: ColumnFacts) {
  switch (role.reads) {
    case "status":
      if (ofMembership > 0 && ofLetters === 0) return false;
      return role.ofNames ? facts.statusWords > facts.stayingWords : filled > 0;
    case "sign":
      return role.sign === "unsubscribed";
    case "agreement":
      return role.sign === "unsubscribed" && role.cells === "yes or no";
    default:
      return false;
  }
}

function indexOf(names: string[], isIt: (name: string, index: number) => boolean) {
  const index = names.findIndex(isIt);
  return index < 0 ? null : index;
}

/** When the first email newsletters existed; an earlier date is invalid. */
const EARLIEST = Date.UTC(1990, 0, 1);

/**
 * Milliseconds UTC. Null for none; undefined if it is unreadable, in the future, or ambiguous between day and month.
 */
export function dateOf(cell: string, now: number): number | null | undefined {
  const date = readForeignDate(cell);
  if (date.at === null) return date.problem === "none" ? null : undefined;
  return date.at >= EARLIEST && date.at <= now ? date.at : undefined;
}

/** A normalised word for the list's filter; null for none. */
export function sourceOf(cell: string) {
  const word = cell
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  return word === "" ? null : word;
}

/** The longest address that is sent, in characters: the report shows the start of a longer cell. */
const MAX_EMAIL = 300;

/**
 * A value that could not be understood: a cell, a blank cell in a status column (""), or a heading above it (a column of
 * null). It is the whole cell: notes with the same beginning are several questions.
 */
export type Doubt = { column: number | null; word: string };
export const doubtKey = ({ column, word }: Doubt) =>
  `${column} ${word.trim().toLowerCase().replaceAll(/\s+/g, " ")}`;

/** Characters of a value that are shown. */
const SHOWN = 40;

/** An excerpt of a value for the owner: its start, or the text around the words found in it. */
export function shownPart({ word }: Doubt) {
  if (word.length <= SHOWN * 1.5) return word;
  const { start, end } = placeOfPhrase(word) ?? { start: 0, end: 0 };
  const spare = Math.max(0, SHOWN - (end - start));
  const from = Math.max(0, start - Math.ceil(spare / 2));
  const to = Math.max(end, from + SHOWN);
  const shown = word.slice(from === 0 ? 0 : from + word.slice(from, start).indexOf(" ") + 1, to).trim();
  return `${from === 0 ? "" : "… "}${shown}${to < word.length ? " …" : ""}`;
}

/** The owner's answers before the import. */
export type Answers = {
  /** For a file that does not say who left: whether everyone in it agreed and stayed, or left. */
  everyone: "agreed" | "left" | null;
  /** For values that were not understood, by `doubtKey`, and for those too many to list, by `OTHER_MENTIONS`. */
  words: Readonly<Record<string, "active" | "unsubscribed">>;
};
export const OTHER_MENTIONS = "others";
export const NO_ANSWERS: Answers = { everyone: null, words: {} };

/** From the most cautious to the least. In doubt, a person is not imported. */
export const rowStates = [...signs.slice(0, 3), "doubtful", "pending", "active"] as const;
export type RowState = (typeof rowStates)[number];

export type ReadRow = {
  row: Omit<ImportRow, "status">;
  state: RowState;
  /** Values that were not understood, answered or not. */
  doubts: Doubt[];
  /** Names with a leaving word in them, unless the person left by another column. */
  mentions: Doubt[];
  /** The columns that have a sign. */
  columns: number[];
  isDateUnread: boolean;
};

/** A position in the file. */
export type Place = {
  line: number;
  /** The last heading above it that says that people left: the file's name, or a line between the people. */
  heading: string | null;
};

/** Reads one line. A person is active only if no column says otherwise; the most cautious sign wins. */
export function readRow(
  cells: string[],
  { line, heading }: Place,
  layout: Layout,
  answers: Answers,
  now: number,
): ReadRow {
  const { mapping, known } = layout;
  const cell = (kind: ColumnKind) => (mapping[kind] === null ? "" : (cells[mapping[kind]] ?? ""));
  const [subscribedAt, confirmedAt] = [dateOf(cell("subscribedAt"), now), dateOf(cell("confirmedAt"), now)];
  const above = heading === null ? [] : [{ column: null, word: heading }];
  const found = signsOf(cells, above, layout, answers, now);
  const changedAt = layout.changedAt === null ? null : dateOf(cells[layout.changedAt] ?? "", now);
  const dates = found.columns.map((column) => dateOf(cells[column] ?? "", now) ?? 0);
  const named = (header: string) => cells[layout.byName.get(simple(header)) ?? -1] ?? "";
  return {
    row: {
      line,
      email: cell("email").trim().slice(0, MAX_EMAIL),
      source: sourceOf(cell("source")),
      subscribedAt: subscribedAt ?? null,
      confirmedAt: confirmedAt ?? null,
      leftAt: Math.max(0, ...dates) || changedAt || null,
      pausedUntil: known?.pausedUntil ? pauseIn(named(known.pausedUntil), now) : null,
      topics: known?.topics ? topicsIn(named(known.topics)) : null,
      futureMember: (known?.memberOf?.(named) ?? null) satisfies FutureMember | null,
    },
    ...found,
    isDateUnread: subscribedAt === undefined || confirmedAt === undefined,
  };
}

/** Null for an empty cell: every letter. */
const topicsIn = (cell: string) =>
  isBlank(cell)
    ? null
    : cell
        .split(";")
        .map((name) => name.trim().replace(/^'(?=[=+\-@])/, ""))
        .filter((name) => name !== "")
        .slice(0, MOST_TOPICS);

/** The end of a pause; null if it is over. */
function pauseIn(cell: string, now: number) {
  const { at } = readForeignDate(cell);
  return at !== null && at > now ? at : null;
}

function signsOf(
  cells: string[],
  above: Doubt[],
  { roles, known, saysWhoLeft: isSaid }: Layout,
  { everyone, words }: Answers,
  now: number,
) {
  const found: { sign: Sign; column: number }[] = [];
  const doubts: Doubt[] = [];
  const mentions: Doubt[] = [];
  /** Blank cells and headings, which a word in another status column overrides. */
  const blanks = [...above];
  /** A confirmation without a date: pending, unless a status says more. */
  let isUndated = false;
  let isStaying = false;
  for (const [column, role] of roles.entries()) {
    const text = cells[column] ?? "";
    const read = readCell(text, role, now);
    if (read === "stays") isStaying ||= role.reads === "status" && !role.isGuessed;
    else if (read === "blank") blanks.push({ column, word: "" });
    else if (read === "undated") isUndated = true;
    else if (read === "doubtful") doubts.push({ column, word: text.trim() });
    else if (read === "mention") mentions.push({ column, word: text.trim() });
    else if (read) found.push({ sign: read, column });
  }
  const left = mostCautious(found.map(({ sign }) => (sign === "pending" ? null : sign)));
  const open = [...doubts, ...(isStaying ? [] : blanks)];
  const answered = open.map((doubt) => words[doubtKey(doubt)]);
  const isSaidToHaveLeft = [...open, ...mentions].some((doubt) => words[doubtKey(doubt)] === "unsubscribed");
  const isPending = found.some(({ sign }) => sign === "pending") || (isUndated && !isStaying);
  const columns = found.map(({ column }) => column);
  const result = (state: RowState) => ({ state, doubts: open, mentions, columns });
  /** Who left needs no question. */
  const leaves = (state: RowState) => ({ state, doubts: [], mentions: [], columns });
  const all = known?.everyone?.sign ?? null;
  if (left || (all && all !== "pending")) return leaves(mostCautious([left, all])!);
  if (!isSaid && everyone === "left") return leaves("unsubscribed");
  if (isSaidToHaveLeft) return result("unsubscribed");
  if (answered.includes(undefined) || (!isSaid && everyone === null)) return result("doubtful");
  return result(isPending ? "pending" : "active");
}

type ReadCell = Sign | "stays" | "blank" | "undated" | "doubtful" | "mention" | null;

function readCell(text: string, role: ColumnRole, now: number): ReadCell {
  switch (role.reads) {
    case "nothing":
      return null;
    case "words": {
      const said = role.ofNames
        ? saidInName(text)
        : role.ofStatus
          ? signInWords(text, { isStatus: true })
          : saidInWords(text);
      if (said === "doubt") return "doubtful";
      return said === "pending" ? null : said;
    }
    case "sign":
      return mostCautious([signInWords(text), isFilled(text) ? role.sign : null]);
    case "end":
      return mostCautious([signInWords(text), isPast(text, now) ? "unsubscribed" : null]);
    case "agreement": {
      if (role.cells === "numbers" && /^\s*0\s*$/.test(text)) return "doubtful";
      const sign = mostCautious([signInWords(text, { isStatus: true }), isNo(text) ? role.sign : null]);
      if (sign) return sign;
      if (isLimited(text)) return "doubtful";
      if (!isBlank(text)) return role.cells === "yes or no" && !isYes(text) ? "doubtful" : null;
      if (role.cells === "yes or no") return "blank";
      return role.cells === "dates" && role.sign === "pending" ? "undated" : null;
    }
    case "status":
      return readStatus(text, role);
  }
}

/** Whether an end is in the past. An unreadable date, such as an ambiguous day and month, may be; “Lifetime” is not. */
function isPast(text: string, now: number) {
  if (!isFilled(text) || isPlanWord(text)) return false;
  const { at } = readForeignDate(text);
  return at === null || at <= now;
}

function readStatus(text: string, { words, hasCodes }: Extract<ColumnRole, { reads: "status" }>): ReadCell {
  const own = words?.[simple(text)];
  if (own) return own === "active" ? "stays" : own;
  if (hasCodes && /^\s*-?\d+\s*$/.test(text)) return "doubtful";
  const status = statusOf(text);
  if (status === "active") return "stays";
  return status ?? "doubtful";
}
