/**
 * Words that texts of the interface, emails and error messages avoid, each with its replacement. The specification's
 * own messages contain none of them, so there are no exceptions.
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

/** Words that comments and the names of tests do not use either: they say too little, or two things. */
const commentWords: [pattern: RegExp, instead: string][] = [
  [/\b(?:some|no)body\b/i, "the role: the owner, a visitor, a listener, the caller"],
  [/\bwho(?:m)?ever\b/i, "the role: the owner, a visitor, a listener, the caller"],
  [/\bstands\b/i, "is, follows, is ready"],
  [/\btold\b/i, "is reported, shown, logged or passed"],
  [/\bby (?:itself|themselves)\b/i, "automatically, alone or separately"],
  [/\bmeanwhile\b/i, "what happens while it runs"],
  [/\bat once\b/i, "immediately, or at the same time"],
  [/\bto be had\b/i, "available"],
  [/\bnot there\b/i, "missing"],
  [/\b(?:go(?:es)?|going|went) on\b/i, "continue"],
  [/\blead(?:s|ing)? on\b|\bled on\b/i, "redirect, link or navigate"],
  [/\bbec(?:ame|omes?) of\b/i, "the result"],
  [/\ball the same\b/i, "anyway, or nothing"],
  [/\banew\b/i, "again, or from the start"],
  [/\bany more\b/i, "no longer"],
  [/\bby then\b/i, "before or after what"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
];

type Comment = Node & { value: string };

type Node = {
  type: string;
  value?: unknown;
  quasis?: { value: { raw: string } }[];
};

type RuleContext = {
  sourceCode: { getAllComments(): Comment[] };
  report(problem: { node: Node; message: string }): void;
};

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

/** Functions whose first argument is a name, such as `test.each(rows)("…")`. */
const isTest = ({ type, name, object, callee, tag }: Callee): boolean =>
  type === "Identifier"
    ? ["describe", "it", "test"].includes(name!)
    : Boolean([object, callee, tag].find((part) => part && isTest(part)));

type Callee = { type: string; name?: string; object?: Callee; callee?: Callee; tag?: Callee };

export const plainComments = {
  create({ sourceCode, report }: RuleContext) {
    const check = (node: Node, source: string, where: string) => {
      for (const [pattern, instead] of commentWords) {
        const found = pattern.exec(source)?.[0];
        if (found) report({ node, message: `“${found}” in ${where}: write ${instead}.` });
      }
    };
    return {
      Program() {
        for (const comment of sourceCode.getAllComments())
          check(comment, comment.value.replace(/[\s*]+/g, " "), "a comment");
      },
      CallExpression({ callee, arguments: [name] }: Node & { callee: Callee; arguments: Node[] }) {
        if (!name || !isTest(callee)) return;
        const text = name.quasis ? name.quasis.map(({ value }) => value.raw).join("${}") : name.value;
        if (typeof text === "string") check(name, text, "a test’s name");
      },
    };
  },
};
