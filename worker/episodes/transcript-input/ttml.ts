import { SaxesParser } from "saxes";
import { secondsOf, toMs } from "#worker/episodes/transcript-input/times.ts";
import {
  cueText,
  notATime,
  shortened,
  type Problem,
  type TimedText,
} from "#worker/episodes/transcript-input/texts.ts";

type Rates = { frames: number; ticks: number };
type Element = { name: string; begin: number; isTimed: boolean; speaker: string; keepsSpace: boolean };
type Paragraph = {
  line: number;
  begin: number | null;
  end: number | null;
  /** Of its own; its spans may have ends. */
  lacksEnd: boolean;
  speaker: string;
  text: string;
  /** Whether a word may begin behind the text so far. */
  isApart: boolean;
};

export const isTtml = (source: string) => /<(?:[\w-]+:)?tt[\s>]/.test(source.slice(0, 5000));

/** The paragraphs of a TTML document, with the names of their agents. */
export function readTtml(source: string): (TimedText | Problem)[] {
  return new TtmlReader().read(source);
}

/** Elements within one another. */
const MOST_LEVELS = 200;

class TtmlReader {
  private readonly parser = new SaxesParser({ position: true, xmlns: false } as const);
  private readonly problems: Problem[] = [];
  private readonly spoken: (TimedText & { speaker: string })[] = [];
  private readonly agents = new Map<string, string>();
  private readonly open: Element[] = [];
  private rates: Rates = { frames: 30, ticks: 1 };
  private paragraph: Paragraph | null = null;
  private agent = "";

  read(source: string): (TimedText | Problem)[] {
    this.parser.on("error", () => {
      throw new BadXml();
    });
    this.parser.on("opentag", ({ name, attributes }) => this.openTag(localOf(name), attributes));
    this.parser.on("closetag", ({ name }) => this.closeTag(localOf(name)));
    this.parser.on("text", (text) => this.addText(text));
    this.parser.on("cdata", (text) => this.addText(text));
    try {
      this.parser.write(source).close();
    } catch (error) {
      if (!(error instanceof BadXml)) throw error;
      return [{ line: this.parser.line, problem: "the XML is broken here." }];
    }
    // All agents are known at the end of the file.
    const spoken = this.spoken.map(({ speaker, text, ...times }) => {
      const agent = speaker.replace(/^#/, "");
      return { ...times, text: cueText(text, this.agents.get(agent) || agent) };
    });
    return [...this.problems, ...spoken];
  }

  private openTag(name: string, attributes: Record<string, string>) {
    const value = (wanted: string) =>
      Object.entries(attributes).find(([each]) => localOf(each) === wanted)?.[1];
    if (name === "tt") this.rates = ratesOf(value);
    if (name === "agent") this.agent = value("id") ?? "";
    if (name === "br") this.addText("\n", true);
    if (value("timeContainer") === "seq")
      this.problems.push({
        line: this.parser.line,
        problem: "times one after the other (“seq”) can’t be read.",
      });
    const parent = this.open.at(-1);
    const base = parent?.begin ?? 0;
    const begin = this.time(value("begin"));
    const [end, lasts] = [this.time(value("end")), this.time(value("dur"))];
    const starts = base + (begin ?? 0);
    const element: Element = {
      name,
      begin: starts,
      isTimed: begin !== null || parent?.isTimed === true,
      speaker: value("agent") ?? parent?.speaker ?? "",
      keepsSpace: value("space") === undefined ? parent?.keepsSpace === true : value("space") === "preserve",
    };
    const ends = end !== null ? base + end : lasts !== null ? starts + lasts : null;
    this.open.push(element);
    if (this.open.length > MOST_LEVELS) throw new BadXml();
    if (name === "p") this.openParagraph(element, ends);
    if (name === "span" && this.paragraph) {
      this.openSpan(begin === null ? null : starts, ends);
      if (value("unit") === "word") this.separateWord();
    }
  }

  private openParagraph({ begin, isTimed, speaker }: Element, end: number | null) {
    const { line } = this.parser;
    const isWhole = isTimed || end !== null;
    this.paragraph = {
      line,
      begin: isWhole ? begin : null,
      end,
      lacksEnd: end === null,
      speaker,
      text: "",
      isApart: true,
    };
  }

  /** Words and sentences may have the times that their paragraph lacks. */
  private openSpan(begin: number | null, end: number | null) {
    const paragraph = this.paragraph!;
    paragraph.begin ??= begin;
    if (paragraph.lacksEnd && end !== null) paragraph.end = Math.max(paragraph.end ?? 0, end);
  }

  /** Apple writes words without spaces between them. */
  private separateWord() {
    if (!this.paragraph!.isApart) this.addText(" ");
  }

  private closeTag(name: string) {
    this.open.pop();
    if (name !== "p" || !this.paragraph) return;
    const { line, begin, end, speaker, text } = this.paragraph;
    const lines = text.split("\n").map((each) => each.trim());
    const said = lines.join("\n").trim();
    if (begin !== null)
      this.spoken.push({
        line,
        start: toMs(begin),
        end: end === null ? null : toMs(end),
        text: said,
        speaker,
      });
    else if (said !== "") this.problems.push({ line, problem: `“${shortened(said)}” has no begin.` });
    this.paragraph = null;
  }

  private addText(text: string, isBreak = false) {
    const element = this.open.at(-1);
    if (element?.name === "name" && this.agent) this.agents.set(this.agent, text.trim());
    if (!this.paragraph || this.open.some(({ name }) => name === "metadata" || name === "desc")) return;
    this.paragraph.text += isBreak || element?.keepsSpace ? text : text.replace(/\s+/g, " ");
    // Reading the end of the whole text would copy it for each word.
    if (text !== "") this.paragraph.isApart = /\s/.test(text.at(-1)!);
  }

  private time(text: string | undefined) {
    if (text === undefined) return null;
    const seconds = timeOf(text.trim(), this.rates);
    if (seconds === null) this.problems.push({ line: this.parser.line, problem: notATime(text) });
    return seconds;
  }
}

class BadXml extends Error {}

const localOf = (name: string) => name.slice(name.indexOf(":") + 1);

function ratesOf(value: (name: string) => string | undefined): Rates {
  const [top = 1, bottom = 1] = (value("frameRateMultiplier") ?? "1 1").split(/[\s:]+/).map(Number);
  const frames = (Number(value("frameRate")) || 30) * (top / bottom || 1);
  return { frames, ticks: Number(value("tickRate")) || frames };
}

/** A clock, with frames or a fraction, or a number of a unit; Apple's seconds have none. */
function timeOf(text: string, { frames, ticks }: Rates) {
  const [, number, unit = "s"] = /^(\d+(?:\.\d+)?)(h|m|s|ms|f|t)?$/.exec(text) ?? [];
  if (number !== undefined) {
    const units: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / frames, t: 1 / ticks };
    return Number(number) * units[unit]!;
  }
  const [, clock, frame] = /^(\d+:\d+:\d+):(\d+)(?:\.\d+)?$/.exec(text) ?? [];
  if (clock === undefined) return secondsOf(text);
  const seconds = secondsOf(clock);
  return seconds === null ? null : seconds + Number(frame) / frames;
}
