import type { Nodes, Parents, Text } from "mdast";
import type { Extension as FromMarkdown } from "mdast-util-from-markdown";
import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly";
import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal";
import type { Code, Construct, Effects, Extension, State, Tokenizer } from "micromark-util-types";
import remarkCjkFriendly from "remark-cjk-friendly";
import remarkCjkFriendlyStrikethrough from "remark-cjk-friendly-gfm-strikethrough";
import remarkGfm from "remark-gfm";
import type { Preset, Processor } from "unified";
import { isCjkLetter, isCjkPunctuation } from "#worker/platform/text/cjk.ts";
import {
  addressesIn,
  endsAddress,
  FURTHER_LABEL,
  LONGEST_HOST,
} from "#worker/platform/text/web-addresses.ts";

/**
 * The site's Markdown dialect, for all parsers and writers: GitHub's, with emphasis that works beside the punctuation
 * of Chinese, Japanese and Korean, where bare addresses end as well.
 */
export const syntax: Preset = {
  plugins: [
    endAddresses,
    remarkGfm,
    remarkCjkFriendly,
    remarkCjkFriendlyStrikethrough,
    endParsedAddresses,
    pairUnderscores,
  ],
};

/** What a text without these signs cannot contain: GitHub's constructs that look for a bare address. */
const autolinks = [
  { signs: /@/, constructs: ["emailAutolink"] },
  {
    signs: /www\.|http/i,
    constructs: ["protocolAutolink", "wwwAutolink", "ending-protocolAutolink", "ending-wwwAutolink"],
  },
];

/** The dialect without the constructs that the text does not need: they try every word, which takes half of a parser's time. */
export function syntaxFor(markdown: string): Preset {
  const unneeded = autolinks.filter(({ signs }) => !signs.test(markdown));
  const key = unneeded.map(({ constructs: [first] }) => first).join(" ");
  const preset = presets.get(key) ?? {
    plugins: [syntax, [leaveOut, unneeded.flatMap(({ constructs }) => constructs)]],
  };
  presets.set(key, preset);
  return preset;
}

const presets = new Map<string, Preset>();

/** Makes a processor for each of these variants of the dialect, and returns the one for a text. */
export function processorFor<Made>(make: (dialect: Preset) => Made) {
  const made = new Map<Preset, Made>();
  return (markdown: string) => {
    const dialect = syntaxFor(markdown);
    const processor = made.get(dialect) ?? make(dialect);
    made.set(dialect, processor);
    return processor;
  };
}

/** Without these constructs at all: one that is only disabled still interrupts the text at each of its characters. */
function leaveOut(this: Processor, names: string[]) {
  const others = ({ text = {}, ...extension }: Extension): Extension => ({
    ...extension,
    text: Object.fromEntries(
      Object.entries(text).map(([code, given]) => [
        code,
        [given ?? []].flat().filter(({ name = "" }) => !names.includes(name)),
      ]),
    ),
  });
  const data = this.data();
  data.micromarkExtensions = data.micromarkExtensions?.map(others);
}

/** The style of all Markdown writers. */
export const style = { bullet: "-", emphasis: "*", rule: "-" } as const;

/** GitHub's autolink constructs for `http` and `www`, in either case; those for email addresses accept ASCII only. */
function endParsedAddresses(this: Processor) {
  const { text = {} } = gfmAutolinkLiteral();
  const ending: Extension = { text: {}, disable: { null: [] } };
  for (const [code, given] of Object.entries(text)) {
    for (const construct of [given].flat()) {
      if (!construct || !/^(?:protocol|www)Autolink$/.test(construct.name ?? "")) continue;
      ending.disable?.null?.push(construct.name ?? "");
      ending.text![Number(code)] = {
        ...construct,
        name: `ending-${construct.name}`,
        tokenize: endedBy(construct),
      };
    }
  }
  (this.data().micromarkExtensions ??= []).push(ending);
}

/** Shows the construct an end of text where its address ends. */
const endedBy = (construct: Construct): Tokenizer =>
  function (effects, ok, nok) {
    const start = this.now();
    /** The real code at this position. */
    let current: Code = null;
    let hasLeft = false;
    const truly =
      (state: State): State =>
      () =>
        state(current);
    const within = (inner: Construct): Construct => ({
      ...inner,
      tokenize(given, then, otherwise) {
        return inner.tokenize.call(this, ending(given), truly(then), truly(otherwise));
      },
    });
    const ending = (given: Effects): Effects => ({
      ...given,
      attempt: (inner, then, otherwise) => given.attempt(within(inner as Construct), then, otherwise),
      check: (inner, then, otherwise) => given.check(within(inner as Construct), then, otherwise),
    });
    const leaving =
      (state: State): State =>
      () => {
        hasLeft = true;
        return state(current);
      };
    const step = (state: State, code: Code) => {
      const next = state(code);
      return hasLeft || !next ? next : guarded(next);
    };
    const guarded =
      (state: State): State =>
      (code) => {
        current = code;
        const ends = endsAddress(unitOf(code), unitOf(this.previous), () =>
          this.sliceSerialize({ start, end: this.now() }),
        );
        if (ends !== "host") return step(state, ends ? null : code);
        return effects.check(
          furtherLabel,
          (same) => step(state, same),
          () => step(state, null),
        )(code);
      };
    return guarded(construct.tokenize.call(this, ending(effects), leaving(ok), leaving(nok)));
  };

/** Succeeds where a host has a further label. */
const furtherLabel: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    let ahead = "";
    const inside: State = (code) => {
      if (FURTHER_LABEL.test(ahead)) return ok(code);
      const unit = unitOf(code);
      if (!/^[^\s/?#]/.test(unit) || ahead.length > LONGEST_HOST) return nok(code);
      ahead += unit;
      effects.consume(code);
      return inside;
    };
    return inside;
  },
};

/**
 * Underscores within a word are not emphasis, but Chinese and Japanese have no spaces between words. So they count as
 * emphasis if punctuation is inside and a letter outside, as in `_「はい」_と言った`. File names such as `資料_最終_修正` stay
 * unchanged.
 */
function pairUnderscores(this: Processor) {
  const { text = {} } = cjkFriendlyExtension();
  const [attention] = [text[UNDERSCORE]].flat();
  if (!attention) return;
  const pairing: Construct = {
    ...attention,
    name: "underscores",
    tokenize(effects, ok, nok) {
      const before = unitOf(this.previous);
      const adjusted: State = (code) => {
        const after = unitOf(code);
        const [, token] = this.events.at(-1) ?? [];
        if (token && isMark(before) && isCjkLetter(after)) Object.assign(token, { _close: true });
        if (token && isCjkLetter(before) && isMark(after)) Object.assign(token, { _open: true });
        return ok(code);
      };
      return attention.tokenize.call(this, effects, adjusted, nok);
    },
  };
  (this.data().micromarkExtensions ??= []).push({ text: { [UNDERSCORE]: pairing } });
}

const UNDERSCORE = 95;

const isMark = (unit: string) => isCjkPunctuation(unit) || /[()[\]{}"'.,:;!?%]/.test(unit);

/** The code is null at either end of a text and negative for a line ending. */
const unitOf = (code: Code) => (code === null || code < 0 ? "" : String.fromCharCode(code));

/**
 * remark finds the other addresses in the parsed text, up to the end of a node: so split the node where its address
 * ends.
 */
function endAddresses(this: Processor) {
  const ending: FromMarkdown = { transforms: [(tree) => void splitTexts(tree)] };
  (this.data().fromMarkdownExtensions ??= []).push(ending);
}

function splitTexts(parent: Parents) {
  const children = parent.children.flatMap((child: Nodes): Nodes[] => {
    if (child.type === "text") return splitAtAddressEnds(child);
    if ("children" in child && !child.type.startsWith("link")) splitTexts(child);
    return [child];
  });
  Object.assign(parent, { children });
}

function splitAtAddressEnds({ value }: Text): Text[] {
  const ends = [...addressesIn(value)].map(({ end }) => end);
  return [0, ...ends]
    .map((start, index) => value.slice(start, ends[index]))
    .filter(Boolean)
    .map((part) => ({ type: "text", value: part }));
}
