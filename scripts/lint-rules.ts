import { textInElements } from "./lint-text.ts";
import { nothingAfterWrite } from "./lint-writes.ts";
import { plainComments, plainWords } from "./lint-words.ts";

/** Rules of our own for oxlint. Those about imports stand in .dependency-cruiser.mjs. */

type Named = { name?: string; value?: string };
type Node = { type: string };
type NamedExport = Node & {
  declaration: (Node & { id?: Named }) | null;
  specifiers: { exported: Named }[];
};
type RuleContext = {
  sourceCode: { getDeclaredVariables(declaration: Node): Named[] };
  report(problem: { node: Node; message: string }): void;
};

const NO_ACTION =
  "Pages write through the API, which checks origin, session and rate: add an API route, " +
  "and call it from a `clientAction` or a form that posts to it.";

const noAction = {
  create: ({ sourceCode, report }: RuleContext) => ({
    ExportNamedDeclaration(node: NamedExport) {
      const { declaration, specifiers } = node;
      const exported =
        declaration?.type === "VariableDeclaration"
          ? sourceCode.getDeclaredVariables(declaration)
          : [declaration?.id, ...specifiers.map((specifier) => specifier.exported)];
      const isAction = exported.some((named) => (named?.name ?? named?.value) === "action");
      if (isAction) report({ node, message: NO_ACTION });
    },
    /** It may hide an action. */
    ExportAllDeclaration(node: Node) {
      report({ node, message: `Name what is exported. ${NO_ACTION}` });
    },
  }),
};

export default {
  meta: { name: "rostrum" },
  rules: {
    "no-action": noAction,
    "nothing-after-write": nothingAfterWrite,
    "plain-comments": plainComments,
    "plain-words": plainWords,
    "text-in-elements": textInElements,
  },
};
