/**
 * Words that texts of the interface, emails and error messages do not use, each with what is written instead. The
 * specification's own messages have none of them, so that there is no exception.
 */

const words: [pattern: RegExp, instead: string][] = [
  [/\be-mails?\b/i, "email"],
  // A mail server and a mail scanner are the field's own words, and MAIL FROM is SMTP's.
  [/(?<!-)\b[Mm]ails?\b(?! (?:server|scanner))/, "email"],
  [/\bEmpty(?::| (?:for|means|takes)\b)/, "Leave blank to use…"],
  [/\b(?:any|every|some)body\b/i, "anyone, everyone or someone; better, the person’s role"],
  [/\bwho(?:m)?ever\b/i, "anyone who"],
  [/\bby (?:itself|themselves)\b/i, "automatically"],
  [/\bmeanwhile\b/i, "nothing, or what happens while"],
  [/\bat once\b/i, "straight away, or at the same time"],
  [/\bin all\b(?! \w)/i, "in total"],
  [/\bgo(?:es)? on\b(?! \w)/i, "continue"],
  [/\bnot any more\b/i, "no longer"],
  [/\b(?:is|are) told\b/i, "notified"],
  [/\bto mend\b|^Mend\b/i, "to fix"],
];

type Node = {
  type: string;
  value?: unknown;
  quasis?: { value: { raw: string } }[];
};

type RuleContext = { report(problem: { node: Node; message: string }): void };

/** Sentences, labels and titles begin with a capital letter; keys, classes, statements and log lines do not. */
const isText = (text: string) => /^[\s“‘(]*(?:\$\{\}|[A-Z])/.test(text) && /[a-z]/.test(text);

export const plainWords = {
  create({ report }: RuleContext) {
    const check = (node: Node, source: string) => {
      const text = source.replace(/\s+/g, " ");
      for (const [pattern, instead] of words) {
        const found = pattern.exec(text)?.[0];
        if (found) report({ node, message: `“${found}” in a text that people read: write ${instead}.` });
      }
    };
    return {
      JSXText: (node: Node) => check(node, String(node.value)),
      Literal(node: Node) {
        if (typeof node.value === "string" && isText(node.value)) check(node, node.value);
      },
      TemplateLiteral(node: Node) {
        const text = node.quasis!.map(({ value }) => value.raw).join("${}");
        if (isText(text)) check(node, text);
      },
    };
  },
};
