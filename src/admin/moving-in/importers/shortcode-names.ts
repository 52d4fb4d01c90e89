/** Shortcodes that remain in a text, because only WordPress can render them. */

/** One with values, which ordinary brackets do not have. */
const WITH_VALUES = /\[([a-z][\w-]{1,40})\s+[\w-]+=[^\]]{0,500}\]/gi;
/** A value without a name. */
const WITH_ADDRESS = /\[([a-z][\w-]{1,40})\s+["']?https?:[^\]]{0,500}\]/gi;
/** A value without a name, as older forms have: [contact-form-7 5 "Contact"]. */
const WITH_NUMBER = /\[([a-z][\w-]{1,40})\s+["'\d][^\]]{0,500}\]/gi;
const CLOSED = /\[\/([a-z][\w-]{0,40})\]/gi;
const BARE = /(^|\n|>)?[^\S\n]{0,20}\[([a-z][\w-]{1,40})\s?\/?\](?=[^\S\n]{0,20}(\n|<|$))?/g;

/** Words that editors and transcripts have in brackets, alone on their line or not. */
const WORDS = new Set(
  "sic laughs laughter laughing music applause cheering crosstalk inaudible unintelligible pause silence noise sighs sigh chuckles coughs crying cries whispers beep bleep ellipsis emphasis redacted removed deleted continued cont break end ends start intro outro ad ads snip more note edit ed update updated citation draft todo photo image video audio link here".split(
    " ",
  ),
);

/** The names of the shortcodes that a text has, each once. */
export function shortcodesIn(html: string) {
  const names = new Set<string>();
  // Those that have an end are shortcodes wherever they are: [dropcap]T[/dropcap].
  const closed = new Set(Array.from(html.matchAll(CLOSED), ([, name]) => name!));
  const isCertain = (name: string) => closed.has(name) || /[-_]/.test(name) || KNOWN.has(name);
  const found = [
    ...Array.from(html.matchAll(WITH_VALUES), ({ index, 1: name }) => ({ index, name: name! })),
    ...Array.from(html.matchAll(WITH_ADDRESS), ({ index, 1: name }) => ({ index, name: name! })),
    ...Array.from(html.matchAll(WITH_NUMBER), ({ index, 1: name }) => ({ index, name: name! })).filter(
      ({ name }) => isCertain(name),
    ),
    ...Array.from(html.matchAll(BARE)).flatMap(({ index, 1: before, 2: name = "", 3: after }) => {
      const isAlone = (before !== undefined || index === 0) && after !== undefined;
      return isCertain(name) || (isAlone && !WORDS.has(name)) ? [{ index, name }] : [];
    }),
  ];
  for (const { name } of found.toSorted((a, b) => a.index - b.index)) names.add(`[${name}]`);
  return [...names];
}

/** Of well-known plugins, without a line between their words. */
const KNOWN = new Set(
  "toc powerpress podcast playlist gallery audio video year dropcap ref footnote footnotes contactform sitemap mailpoet youtube vimeo spotify soundcloud ninjaforms wpforms gravityform adsense subscribe".split(
    " ",
  ),
);
