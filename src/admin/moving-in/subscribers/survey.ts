import { textOf } from "../file-text.ts";
import {
  ColumnFacts,
  doubtKey,
  isAddress,
  isAddressHeader,
  keyOf,
  layoutOf,
  OTHER_MENTIONS,
  readRow,
  rowStates,
  type Answers,
  type Doubt,
  type Layout,
  type Mapping,
  type ReadRow,
  type RowState,
} from "./columns.ts";
import type { ListFile } from "./list-file.ts";
import { recordsOf, type FileRecord } from "./records.ts";
import { signInWords, statusOf } from "./signs.ts";

/** People of each state that are named. */
const EXAMPLES = 10;
/** People in one list: their addresses are in memory, since a later line may say that one of them left. */
const MOST_PEOPLE = 2_000_000;
/** Values that are listed. */
const MOST_WORDS = 50;

export type SurveyedWord = { doubt: Doubt; people: number; examples: string[] };

/** The names with leaving words that are too many to list: their people are left out until the owner answers for all. */
type OtherMentions = { keys: ReadonlySet<string>; people: number; examples: string[] };

export type Survey = {
  layout: Layout;
  /** People by their state, each once. */
  states: Record<RowState, { count: number; examples: string[] }>;
  futureMembers: number;
  /** Columns that say, or could say, who left, with the number of people. */
  deciding: { column: number; people: number }[];
  /** Values of status columns that were not understood. */
  doubts: SurveyedWord[];
  /** Leaving words in other columns, which do not decide. */
  mentions: SurveyedWord[];
  otherMentions: OtherMentions;
  /** Lines without an address, and lines with broken quotation marks. */
  withoutAddress: number;
  broken: number;
  /** The last line, if the file is truncated within it. */
  cutLine: number | null;
  /** The line that counts, of an address that several lines have. */
  chosen: ReadonlyMap<string, number>;
};

type Options = { signal: AbortSignal; /** From 0 to 1. */ onProgress: (part: number) => void };

/** For a file that is not a list, or too long, with a message. */
export class BadList extends Error {}

/**
 * Reads a list to its end, twice, before anyone is imported: what its columns are follows from all of their cells, and who a
 * person is from all of their lines.
 * @throws {BadList}; an `AbortError`
 */
export async function surveyList(
  list: ListFile,
  choice: { mapping?: Partial<Mapping>; answers: Answers },
  options: Options,
): Promise<Survey> {
  const { onProgress } = options;
  const counted = await countColumns(list, { ...options, onProgress: (part) => onProgress(part / 2) });
  const layout = layoutOf({ header: list.header, ...counted }, list.file.name, choice.mapping);
  if (layout.mapping.email === null) throw new BadList("No column of this file has email addresses.");
  const people = new People(layout, choice.answers, counted.cutLine);
  for await (const { record, heading, part } of recordsIn(list, options)) {
    people.add(record, heading);
    if (part !== null) onProgress((1 + part) / 2);
  }
  return { layout, cutLine: counted.cutLine, ...people.result() };
}

/** The lines behind the header, with the heading above each, and how much of the file is read at the end of each part. */
export async function* recordsIn(
  { file, encoding, delimiter, headerLine }: ListFile,
  { signal }: { signal: AbortSignal },
) {
  let heading = isNameOfLeaving(file.name) ? file.name : null;
  for await (const { records, bytes } of recordsOf(textOf(file, encoding), delimiter)) {
    signal.throwIfAborted();
    for (const [index, record] of records.entries()) {
      if (record.line !== headerLine && "cells" in record)
        heading = headingIn(record.cells, heading, record.line < headerLine);
      if (record.line > headerLine)
        yield { record, heading, part: index === records.length - 1 ? bytes / file.size : null };
    }
  }
}

const isOfLeaving = (words: string) => ![null, "pending"].includes(signInWords(words, { isStatus: true }));

/** “out” or “left” may be about anything in a file's name, and “cleaned” is also said of a tidy list. */
const isNameOfLeaving = (fileName: string) =>
  ![null, "pending"].includes(signInWords(fileName.replace(/\.\w+$/, "").replaceAll(/cleaned/gi, " ")));

/**
 * Lists that people write themselves have lines such as “Unsubscribed” between their people, or above them. The owner is
 * asked about each later one separately, such as “Our readers”.
 */
function headingIn(cells: string[], former: string | null, isAboveHeader: boolean) {
  const [first = "", ...others] = cells.map((cell) => cell.trim());
  if (first === "" || others.some((cell) => cell !== "") || isAddress(first)) return former;
  if (isOfLeaving(first)) return first;
  if (former === null || statusOf(first) === "active") return null;
  const isHeading = !isAboveHeader && /^[^@]*\p{L}[^@]*$/u.test(first) && !isAddressHeader(first);
  return isHeading ? first : former;
}

async function countColumns(list: ListFile, options: Options) {
  const facts: ColumnFacts[] = [];
  let lines = 0;
  let last: FileRecord | null = null;
  for await (const { record, part } of recordsIn(list, options)) {
    if (part !== null) options.onProgress(part);
    last = record;
    if ("broken" in record) continue;
    lines++;
    for (const [index, cell] of record.cells.entries()) (facts[index] ??= new ColumnFacts()).add(cell);
  }
  while (facts.length < list.header.length) facts.push(new ColumnFacts());
  const isCut =
    last && "cells" in last && last.cells.length < facts.length && !(await endsWithBreak(list.file));
  return { facts, lines, cutLine: isCut ? last!.line : null };
}

async function endsWithBreak(file: Blob) {
  const end = new Uint8Array(await file.slice(-4).arrayBuffer());
  return end.includes(10) || end.includes(13);
}

type Person = {
  line: number;
  state: RowState;
  email: string;
  at: number | null;
  columns: number[];
  doubts: Doubt[];
  mentions: Doubt[];
  isMember: boolean;
};

class People {
  readonly #layout: Layout;
  readonly #answers: Answers;
  readonly #now = Date.now();
  readonly #people = new Map<string, Person>();
  #withoutAddress = 0;
  #broken = 0;
  readonly #cutLine: number | null;

  constructor(layout: Layout, answers: Answers, cutLine: number | null) {
    this.#layout = layout;
    this.#answers = answers;
    this.#cutLine = cutLine;
  }

  add(record: FileRecord, heading: string | null) {
    if ("broken" in record) return void this.#broken++;
    const place = { line: record.line, heading };
    const read = readRow(record.cells, place, this.#layout, this.#answers, this.#now);
    const { email } = read.row;
    if (!isAddress(email)) return void this.#withoutAddress++;
    const person = personOf(read, stateBeforeOthers(read, this.#cutLine));
    const key = keyOf(email);
    const former = this.#people.get(key);
    if (!former && this.#people.size >= MOST_PEOPLE)
      throw new BadList("This list has more than 2,000,000 addresses. Split it into several files.");
    this.#people.set(key, former ? chooseOf(former, person) : person);
  }

  result() {
    const states = Object.fromEntries(
      rowStates.map((state) => [state, { count: 0, examples: [] as string[] }]),
    ) as Survey["states"];
    const deciding = new Map<number, number>(
      this.#layout.roles.flatMap(({ reads }, column) =>
        reads === "words" || reads === "nothing" ? [] : [[column, 0] as const],
      ),
    );
    const doubts = new Map<string, SurveyedWord>();
    const mentions = new Map<string, SurveyedWord>();
    const chosen = new Map<string, number>();
    let futureMembers = 0;
    for (const { mentions: found, email } of this.#people.values())
      for (const mention of found) addDoubt(mentions, mention, email);
    const [listed, others] = mostCommon(mentions);
    const keys = new Set(others.map(({ doubt }) => doubtKey(doubt)));
    const otherMentions = { keys, people: 0, examples: [] as string[] };
    for (const [key, person] of this.#people) {
      chosen.set(key, person.line);
      const { email, columns, isMember } = person;
      const state = stateWithOthers(person, keys, this.#answers);
      if (hasOthers(person, keys)) {
        otherMentions.people++;
        if (otherMentions.examples.length < 3) otherMentions.examples.push(email);
      }
      states[state].count++;
      if (states[state].examples.length < EXAMPLES) states[state].examples.push(email);
      for (const column of columns) deciding.set(column, (deciding.get(column) ?? 0) + 1);
      if (isMember && (state === "active" || state === "pending")) futureMembers++;
      for (const doubt of person.doubts) addDoubt(doubts, doubt, email);
    }
    return {
      states,
      futureMembers,
      deciding: [...deciding].map(([column, people]) => ({ column, people })),
      doubts: mostCommon(doubts)[0],
      mentions: listed,
      otherMentions,
      withoutAddress: this.#withoutAddress,
      broken: this.#broken,
      chosen,
    };
  }
}

/** The most common words, and the others. */
function mostCommon(words: Map<string, SurveyedWord>) {
  const sorted = [...words.values()].toSorted((a, b) => b.people - a.people);
  return [sorted.slice(0, MOST_WORDS), sorted.slice(MOST_WORDS)] as const;
}

function addDoubt(doubts: Map<string, SurveyedWord>, doubt: Doubt, email: string) {
  const key = doubtKey(doubt);
  const known = doubts.get(key) ?? { doubt, people: 0, examples: [] };
  known.people++;
  if (known.examples.length < 3) known.examples.push(email);
  doubts.set(key, known);
}

/** What a line says, in a file that was surveyed. */
export const stateOf = (read: ReadRow, { cutLine, otherMentions: { keys } }: Survey, answers: Answers) =>
  stateWithOthers({ ...read, state: stateBeforeOthers(read, cutLine) }, keys, answers);

/** A line that is cut off may have lost the sign that the person left. */
const stateBeforeOthers = ({ row, state }: ReadRow, cutLine: number | null): RowState =>
  row.line === cutLine && !hasLeft(state) ? "doubtful" : state;

/** A name with a leaving word that the owner does not see is left out, unless the owner answered for all of those. */
function stateWithOthers(
  person: Pick<Person, "state" | "mentions">,
  keys: ReadonlySet<string>,
  { words }: Answers,
) {
  const { state } = person;
  if (hasLeft(state) || !hasOthers(person, keys)) return state;
  const answer = words[OTHER_MENTIONS];
  return answer === "active" ? state : (answer ?? "doubtful");
}

const hasOthers = ({ mentions }: Pick<Person, "mentions">, keys: ReadonlySet<string>) =>
  mentions.some((mention) => keys.has(doubtKey(mention)));

/** The date of a sign: when the person left, or else when they joined. */
const personOf = ({ row, columns, doubts, mentions }: ReadRow, state: RowState): Person => ({
  line: row.line,
  state,
  email: row.email,
  at: hasLeft(state) ? row.leftAt : state === "active" ? (row.confirmedAt ?? row.subscribedAt) : null,
  columns,
  doubts,
  mentions,
  isMember: row.futureMember !== null,
});

export const hasLeft = (state: RowState): state is "unsubscribed" | "bounced" | "complained" =>
  state === "unsubscribed" || state === "bounced" || state === "complained";

/** Of two lines for one person the later sign counts; if one has no date, the more cautious. */
function chooseOf(a: Person, b: Person) {
  if (a.at !== null && b.at !== null && a.at !== b.at) return a.at > b.at ? a : b;
  const order = rowStates.indexOf(a.state) - rowStates.indexOf(b.state);
  return order > 0 || (order === 0 && b.mentions.length > a.mentions.length) ? b : a;
}
