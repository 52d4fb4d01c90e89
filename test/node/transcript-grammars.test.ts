import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTranscript } from "#worker/episodes/transcript.ts";
import "../support/property-seed.ts";

/** A cue as a program has it before it writes a file. Times in milliseconds. */
type Made = { start: number; end: number; speaker: string; lines: string[] };
/** Chooses what the grammar leaves open. */
type Choose = fc.GeneratorValue;

/** Words without what any of the formats has as markup. */
const words = fc
  .array(fc.stringMatching(/^[a-zäöüéA-Z][a-zäöüéA-Z’]{0,8}$/), { minLength: 1, maxLength: 5 })
  .map((list) => list.join(" "));
const speakers = fc.constantFrom("", "Zoë Ash", "Fred");

/** One after the other, on whole `step`s, each with a text that is said once. */
const cuesOf = (step: number) =>
  fc
    .array(
      fc.record({
        after: fc.integer({ min: 0, max: 400_000 / step }),
        lasts: fc.integer({ min: 1, max: 9000 / step }),
        speaker: speakers,
        lines: fc.array(words, { minLength: 1, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 10 },
    )
    .map((list) => {
      let at = 0;
      return list.map(({ after, lasts, speaker, lines }, index): Made => {
        const start = (at += after * step);
        return {
          start,
          end: (at += lasts * step),
          speaker,
          lines: [`${lines[0]!} ${index}`, ...lines.slice(1)],
        };
      });
    });

const two = (value: number) => String(value).padStart(2, "0");
const parts = (ms: number) => [
  Math.floor(ms / 3_600_000),
  Math.floor(ms / 60_000) % 60,
  Math.floor(ms / 1000) % 60,
  ms % 1000,
];
const fraction = (ms: number, digits = 3) => String(ms).padStart(3, "0").slice(0, digits);
function clock(ms: number, mark = ".") {
  const [h, m, s, rest] = parts(ms) as [number, number, number, number];
  return `${two(h)}:${two(m)}:${two(s)}${mark}${fraction(rest)}`;
}
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const maybe = (choose: Choose, text: string, other = "") => (choose(fc.boolean) ? text : other);
const anyOf = <T>(choose: Choose, ...options: T[]): T => choose(fc.constantFrom<T[]>, ...options) as T;

type Grammar = {
  write: (made: Made[], choose: Choose) => string;
  /** Milliseconds that its times are whole multiples of. */
  step?: number;
  hasSpeakers?: boolean;
  /** A text ends when the next begins, the last two seconds later. */
  lacksEnds?: boolean;
  /** Each text has a speaker, and there are three texts at least, so that one of the two speaks again. */
  isConversation?: boolean;
};

const grammars: Record<string, Grammar> = {
  WebVTT: {
    hasSpeakers: true,
    write: (made, choose) => {
      const time = (ms: number) => (ms < 3_600_000 && choose(fc.boolean) ? clock(ms).slice(3) : clock(ms));
      const remark = () =>
        anyOf(choose, "", "", "NOTE a remark\nof two lines\n\n", "NOTE\n00:99 is no time\n\n");
      const cues = made.map(({ start, end, speaker, lines }, at) => {
        const id = anyOf(choose, "", `${at + 1}\n`, "intro of it\n", "3f2a-12/0\n");
        const settings = anyOf(choose, "", " align:start position:0%", " region:fred line:-1", "\tsize:50%");
        const said = lines.map((line) =>
          anyOf(choose, line, `<c.loud.yellow>${line}</c>`, `<i>${line}</i>`, line.replace("é", "&eacute;")),
        );
        const voice = speaker && `<v${maybe(choose, ".first")} ${speaker}>`;
        const arrow = anyOf(choose, " --> ", "\t-->  ");
        const text = `${voice}${said.join(anyOf(choose, "\n", "\n \n"))}${voice && maybe(choose, "</v>")}`;
        return `${remark()}${id}${time(start)}${arrow}${time(end)}${settings}\n${text}\n${"\n".repeat(choose(fc.integer, { min: 1, max: 3 }))}`;
      });
      const header = anyOf(choose, "", " - Plain Ground", "\nKind: captions\nLanguage: en");
      const styles = maybe(
        choose,
        "STYLE\n::cue(.loud) {\n  color: red;\n}\n\nREGION\nid:fred\nwidth:40%\n\n",
      );
      return `${maybe(choose, "\uFEFF")}WEBVTT${header}\n\n${styles}${cues.join("")}`;
    },
  },
  SRT: {
    write: (made, choose) => {
      const mark = anyOf(choose, ",", ".");
      const isNumbered = choose(fc.boolean);
      const gap = isNumbered ? anyOf(choose, "\n", "", "\n\n", " \n") : "\n";
      const time = (ms: number) => clock(ms, mark).replace(/^00(?=:)/, anyOf(choose, "00", "0"));
      const cues = made.map(({ start, end, lines }, at) => {
        const place = anyOf(choose, "", "", " X1:100 X2:600 Y1:050 Y2:100");
        const said = lines.map((line) =>
          anyOf(choose, line, `<i>${line}</i>`, `<FONT color="#fff">${line}</FONT>`, `{\\an8}${line}`),
        );
        const number = isNumbered ? `${at + 1}\n` : "";
        return `${number}${time(start)} --> ${time(end)}${place}\n${said.join("\n")}\n${gap}`;
      });
      return cues.join("");
    },
  },
  SBV: {
    write: (made, choose) =>
      made
        .map(({ start, end, lines }) => {
          const said = lines.join(anyOf(choose, "\n", "[br]"));
          return `${clock(start).replace(/^0/, "")},${clock(end).replace(/^0/, "")}\n${said}\n\n`;
        })
        .join(""),
  },
  LRC: {
    step: 10,
    lacksEnds: true,
    write: (made, choose) => {
      const digits = anyOf(choose, 2, 3);
      const offset = anyOf(choose, 0, 500, -Math.min(250, made[0]!.start));
      const time = (ms: number) => {
        const [h, m, s, rest] = parts(ms + offset) as [number, number, number, number];
        return `${two(h * 60 + m)}:${two(s)}.${fraction(rest, digits)}`;
      };
      const lines = made.map(({ start, lines: said }) => {
        const [first = "", ...others] = said.join(" ").split(" ");
        return anyOf(
          choose,
          `[${time(start)}]${said.join(" ")}`,
          `[${time(start)}] ${said.join("\n")}`,
          `[${time(start)}]<${time(start)}> ${first} <${time(start)}> ${others.join(" ")}`,
        );
      });
      const tags = `${maybe(choose, "[ti:Plain Ground]\n[#:remark]\n")}${offset === 0 ? "" : `[offset:${offset > 0 ? "+" : ""}${offset}]\n`}`;
      return `${tags}${lines.join(anyOf(choose, "\n", "\n\n"))}\n`;
    },
  },
  "ASS and SSA": {
    step: 10,
    hasSpeakers: true,
    write: (made, choose) => {
      const isSsa = choose(fc.boolean);
      const time = (ms: number) => clock(ms).replace(/^0/, "").slice(0, -1);
      const layer = isSsa ? "Marked" : "Layer";
      const order = choose(fc.shuffledSubarray<string>, [layer, "Start", "End", "Style", "Name", "Effect"], {
        minLength: 6,
      });
      const events = made.map(({ start, end, speaker, lines }) => {
        const said = lines.map((line) =>
          anyOf(
            choose,
            line,
            `{\\i1}${line}{\\i0}`,
            `{\\k20}${line.replace(" ", " {\\kf30}")}`,
            `{\\p1}m 0 0 l 9 9{\\p0}${line}`,
          ),
        );
        const values: Record<string, string> = {
          [layer]: isSsa ? "Marked=0" : "0",
          Start: time(start),
          End: time(end),
          Style: "Default",
          Name: speaker,
          Effect: "",
        };
        const row = [...order.map((name) => values[name]!), said.join(anyOf(choose, "\\N", "\\n"))].join(",");
        return `${maybe(choose, "Comment: 0,0:00:00.00,0:00:01.00,no\n")}Dialogue: ${row}\n`;
      });
      const styles = `[${isSsa ? "V4" : "V4+"} Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n`;
      return `${maybe(choose, "; made by a test\n")}[Script Info]\nTitle: Plain Ground\n\n${maybe(choose, styles)}[Events]\nFormat: ${order.join(", ")}, Text\n${events.join("")}${maybe(choose, "\n[Fonts]\nfontname: a.ttf\n")}`;
    },
  },
  TTML: {
    hasSpeakers: true,
    write: (made, choose) => {
      const prefix = anyOf(choose, "", "tt:");
      const base = anyOf(choose, 0, 1000);
      const time = (ms: number) =>
        anyOf(
          choose,
          clock(ms),
          `${ms}ms`,
          `${ms / 1000}s`,
          `${ms}t`,
          `${clock(ms).slice(0, 8)}:${String(ms % 1000)}`,
        );
      const cues = made.map(({ start, end, speaker, lines }) => {
        const said = lines.map((line) =>
          anyOf(
            choose,
            escaped(line),
            `<${prefix}span>${line}</${prefix}span>`,
            `<${prefix}span tts:color="red">${line.replace(" ", ` <${prefix}span>`)}${line.includes(" ") ? `</${prefix}span>` : ""}</${prefix}span>`,
            `<![CDATA[${line}]]>`,
          ),
        );
        const agent = speaker && ` ttm:agent="${speaker === "Fred" ? "a1" : "a2"}"`;
        const isDiv = base > 0 && start >= base && choose(fc.boolean);
        const from = isDiv ? base : 0;
        const ends = choose(fc.boolean) ? `end="${time(end - from)}"` : `dur="${time(end - start)}"`;
        const p = `<${prefix}p begin="${time(start - from)}" ${ends}${agent}>${said.join(`<${prefix}br/>`)}</${prefix}p>`;
        return `<${prefix}div${isDiv ? ` begin="${base}ms"` : ""}>\n${p}\n</${prefix}div>`;
      });
      const agents = [
        ["a1", "Fred"],
        ["a2", "Zoë Ash"],
      ].map(
        ([id, name]) =>
          `<ttm:agent xml:id="${id}" type="person"><ttm:name type="full">${name}</ttm:name></ttm:agent>`,
      );
      const xmlns = `xmlns${prefix && ":tt"}="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:tts="http://www.w3.org/ns/ttml#styling"`;
      return `${maybe(choose, '<?xml version="1.0" encoding="UTF-8"?>\n')}${maybe(choose, "<!-- made by a test -->\n")}<${prefix}tt ${xmlns} ttp:frameRate="1000" ttp:tickRate="1000">\n<${prefix}head><${prefix}metadata>${agents.join("")}</${prefix}metadata></${prefix}head>\n<${prefix}body>${cues.join("\n")}</${prefix}body></${prefix}tt>`;
    },
  },
  "Podcasting 2.0 JSON": {
    hasSpeakers: true,
    write: (made, choose) => {
      const seconds = (ms: number) => anyOf<number | string>(choose, ms / 1000, String(ms / 1000));
      const segments = made.map(({ start, end, speaker, lines }) => ({
        ...(speaker && { speaker }),
        startTime: seconds(start),
        endTime: seconds(end),
        body: lines.join(anyOf(choose, " ", "\n")),
      }));
      return JSON.stringify({ version: "1.0.0", segments }, null, anyOf<number | string>(choose, 0, 2, "\t"));
    },
  },
  "Whisper’s JSON": {
    write: (made, choose) => {
      const segments = made.map(({ start, end, lines }, id) => ({
        id,
        seek: 0,
        start: start / 1000,
        end: end / 1000,
        text: ` ${lines.join(" ")}`,
        ...(choose(fc.boolean) && { tokens: [50364, 5346], temperature: 0, no_speech_prob: 0.01 }),
        ...(choose(fc.boolean) && {
          words: [{ word: ` ${lines[0]!}`, start: start / 1000, end: end / 1000 }],
        }),
      }));
      const text = segments.map((segment) => segment.text).join("");
      return JSON.stringify(choose(fc.boolean) ? { text, segments, language: "en" } : { segments });
    },
  },
  "Whisper’s TSV": {
    write: (made, choose) => {
      const rows = made.map(({ start, end, lines }) => `${start}\t${end}\t${lines.join(" ")}`);
      return `start\tend\ttext\n${rows.join("\n")}${maybe(choose, "\n")}`;
    },
  },
};

grammars["TMPlayer"] = {
  step: 1000,
  lacksEnds: true,
  write: (made, choose) => {
    const mark = anyOf(choose, ":", "=", ",1=");
    const digits = anyOf(choose, 8, 7);
    const rows = made.map(
      ({ start, lines }) => `${clock(start).slice(0, 8).slice(-digits)}${mark}${lines.join("|")}`,
    );
    return rows.join(anyOf(choose, "\n", "\n\n"));
  },
};

grammars["A text with speakers and times"] = {
  step: 1000,
  hasSpeakers: true,
  lacksEnds: true,
  isConversation: true,
  write: (made, choose) => {
    const whole = (ms: number) => clock(ms).slice(0, 8);
    const short = (ms: number) => whole(ms).replace(/^00:0?/, "");
    const gap = anyOf(choose, "\n", "\n\n", "\n \n");
    const form = anyOf<(time: number, name: string, said: string) => string>(
      choose,
      (time, name, said) => `${name}  ${short(time)}  \n${said}`,
      (time, name, said) => `${name} (${short(time)}):\n${said}`,
      (time, name, said) => `${name} (${clock(time)})\n${said}`,
      (time, name, said) => `[${clock(time).slice(0, 11)}] - ${name}\n${said}`,
      (time, name, said) => `${name} [${whole(time)}]\n${said}`,
      (time, name, said) => `${name}: [${whole(time)}] ${said}`,
      (time, name, said) => `[${whole(time)}] ${name}: ${said}`,
    );
    return made.map(({ start, speaker, lines }) => form(start, speaker, lines.join(gap))).join(gap);
  },
};

function expectedOf(made: Made[], { hasSpeakers = false, lacksEnds = false }: Grammar) {
  return made.map(({ start, end, speaker, lines }, at) => ({
    start: start / 1000,
    end: (lacksEnds ? (made[at + 1]?.start ?? start + 2000) : end) / 1000,
    speaker: hasSpeakers ? speaker : "",
    text: lines.join(" "),
  }));
}

const newlines = fc.constantFrom("\n", "\r\n", "\r");
/** What no program shows to its listeners. */
const RAW = /^\s*(?:[{<]|\[(?:\s*\{|Script Info)|(?:start|end|text)[\t,;])/i;

describe.each(Object.entries(grammars))("%s", (_name, grammar) => {
  const cues = cuesOf(grammar.step ?? 1).filter(
    (made) => !grammar.isConversation || (made.length > 2 && made.every(({ speaker }) => speaker !== "")),
  );

  test("that its grammar allows is read whole, with each time and speaker", () => {
    fc.assert(
      fc.property(cues, newlines, fc.gen(), (made, newline, choose) => {
        const source = grammar.write(made, choose);
        const read = readTranscript(source.replaceAll("\n", newline)).cues;
        expect(read).toEqual(expectedOf(made, grammar));
      }),
    );
  });

  test("that is broken anywhere is read, or refused with its line, and never published unchanged", () => {
    const broken = fc.constantFrom("", "{", "<", "-->", "\n", "x:y", '"', "[", "\t");
    fc.assert(
      fc.property(cues, fc.gen(), fc.nat(), broken, fc.nat(2), (made, choose, seed, instead, cut) => {
        const source = grammar.write(made, choose);
        // Its first characters determine the format.
        const at = 12 + (seed % Math.max(1, source.length - 12));
        const changed = source.slice(0, at) + instead + (cut === 0 ? "" : source.slice(at + 1));
        try {
          expect(readTranscript(changed).transcript).not.toMatch(RAW);
        } catch (error) {
          if ((error as { code?: string }).code !== "invalid") throw error;
          expect((error as Error).message).toMatch(/^Line \d+: |^This |^These /);
        }
      }),
    );
  });
});

describe("plain text", () => {
  const line = fc.oneof(
    words,
    words.map((said) => `Zoë Ash: ${said}`),
    words.map((said) => `[00:01:02] Fred: ${said}`),
    words.map((said) => `(00:12) ${said}, at 10:30`),
    words.map((said) => `- ${said}; “${said}”`),
    fc.constant(""),
  );

  test("is unchanged, whatever its lines contain", () => {
    const text = fc
      .array(line, { minLength: 1, maxLength: 12 })
      .map((lines) => ["Welcome.", ...lines, "End."]);
    fc.assert(
      fc.property(text, newlines, (lines, newline) => {
        const read = readTranscript(lines.join(newline));
        expect(read.cues).toEqual([]);
        expect(read.transcript).toBe(lines.join("\n").replace(/\n{3,}/g, "\n\n"));
      }),
    );
  });
});

test("a cue of at most one voice is read as others are, with tags around nothing", () => {
  const piece = fc.constantFrom(
    "a",
    " ",
    "Ann",
    "é",
    "\n",
    "&amp;",
    "<v Ann Lee>",
    "<v  B>",
    "<v.loud C>",
    "</v>",
    "<i>x</i>",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
      const said = pieces.join("").replace(/\n\s*/g, "\n").trim();
      fc.pre(said !== "");
      const cuesWith = (text: string) =>
        readTranscript(`WEBVTT\n\n00:01.000 --> 00:02.000\nx ${text}\n`).cues.concat(
          readTranscript(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n\n00:03.000 --> 00:04.000\nEnd.\n`)
            .cues,
        );
      expect(cuesWith(said)).toEqual(cuesWith(`${said}<b></b>`));
    }),
    { numRuns: 300 },
  );
});
