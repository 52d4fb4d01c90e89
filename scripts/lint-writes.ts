/**
 * Work after a finished write must not turn its answer into a failure. In a file of commands, no `await` and no returned
 * query follow a write of the same function: directly (`db.batch`, `db.insert`, …) or by an async function of the file.
 */

type Node = {
  type: string;
  range: [number, number];
  parent?: Node;
  argument?: Node | null;
  body?: Node | Node[];
  consequent?: Node | null;
  id?: { name?: string } | null;
};

type RuleContext = {
  sourceCode: { getText(node: Node): string };
  report(problem: { node: Node; message: string }): void;
};

const REMEDY =
  "The write before it is done, so a failure here would answer an error for a success. Read in the batch of the " +
  "write (`writeAndRead`, `returning`), compute it before, or call `afterWrite`.";

const WRITE = /\bdb\s*\.\s*(?:batch|insert|update|delete)\(|\bwriteAndRead\(/;

/** Functions that a cron runs again the next day: they have no answer. */
const JOB = /^prune/;

/** A returned query, which may not be awaited. */
const QUERY = /^(?:read|find|list)[A-Z]\w*\(/;

const nameOf = (node: Node) => node.id?.name ?? node.parent?.id?.name ?? "";

const statementsOf = ({ type, body }: Node) => (type === "BlockStatement" ? (body as Node[]) : []);

/** The nodes around a node in its function. */
function around(node: Node, owner: Node) {
  const found: Node[] = [];
  for (let at = node.parent; at && at !== owner; at = at.parent) found.push(at);
  return found;
}

const ends = (node: Node | null | undefined): boolean =>
  node?.type === "ReturnStatement" ||
  node?.type === "ThrowStatement" ||
  (node?.type === "BlockStatement" && ends(statementsOf(node).at(-1)));

/** Whether a node runs only after the write has failed, or to explain why it changed nothing. */
const isOfFailure = (node: Node, owner: Node) =>
  around(node, owner).some(({ type }) => type === "ThrowStatement" || type === "CatchClause");

/** Whether a node is in a branch that ends by throwing. */
const isRefused = (node: Node, owner: Node) =>
  around(node, owner).some((each) => each !== owner.body && ends(each) && throws(each));

const throws = (node: Node) => (statementsOf(node).at(-1) ?? node).type === "ThrowStatement";

/** Whether only one of the two runs. */
const areAlternatives = (one: Node, other: Node, owner: Node) =>
  around(one, owner).some(
    (each) => each.type === "ConditionalExpression" && around(other, owner).includes(each),
  );

/** Where the function can continue after a write: to the end of the branch that returns or throws, or of the function. */
const endAfter = (write: Node, owner: Node) =>
  (around(write, owner).find((node) => node !== owner.body && ends(node)) ?? owner).range[1];

/** Whether an `if` between the two returns the answer of the write that has changed something. */
const isAnsweredBetween = (write: Node, node: Node, owner: Node) =>
  around(node, owner)
    .flatMap(statementsOf)
    .some(
      ({ type, consequent, range: [start, end] }) =>
        type === "IfStatement" &&
        ends(consequent) &&
        !throws(consequent!) &&
        start >= write.range[1] &&
        end <= node.range[0],
    );

type Scope = { owner: Node; awaits: Node[]; queries: Node[] };

export const nothingAfterWrite = {
  create({ sourceCode, report }: RuleContext) {
    const scopes: Scope[] = [];
    const open: Scope[] = [];
    const enter = (owner: Node) => {
      const scope = { owner, awaits: [], queries: [] };
      scopes.push(scope);
      open.push(scope);
    };
    const leave = () => void open.pop();

    const isWrite = (node: Node, writers: string[]) => {
      const text = sourceCode.getText(node.argument!);
      return WRITE.test(text) || writers.some((name) => new RegExp(`(?<![.\\w])${name}\\(`).test(text));
    };

    /** The async functions of the file that write, also by one another. */
    function findWriters() {
      const writers = new Set<string>();
      for (let size = -1; size !== writers.size;) {
        size = writers.size;
        for (const { owner, awaits } of scopes) {
          if (nameOf(owner) && awaits.some((node) => isWrite(node, [...writers]) && !isRefused(node, owner)))
            writers.add(nameOf(owner));
        }
      }
      return [...writers];
    }

    const isAfter = (node: Node, write: Node, owner: Node) =>
      write.range[1] <= node.range[0] &&
      node.range[0] < endAfter(write, owner) &&
      !isAnsweredBetween(write, node, owner) &&
      !areAlternatives(write, node, owner);

    return {
      FunctionDeclaration: enter,
      "FunctionDeclaration:exit": leave,
      FunctionExpression: enter,
      "FunctionExpression:exit": leave,
      ArrowFunctionExpression: enter,
      "ArrowFunctionExpression:exit": leave,
      AwaitExpression(node: Node) {
        open.at(-1)?.awaits.push(node);
      },
      ReturnStatement({ argument }: Node) {
        if (argument && QUERY.test(sourceCode.getText(argument))) open.at(-1)?.queries.push(argument);
      },
      "Program:exit"() {
        const writers = findWriters();
        for (const { owner, awaits, queries } of scopes) {
          if (JOB.test(nameOf(owner))) continue;
          const writes = awaits.filter((node) => isWrite(node, writers));
          for (const node of [...awaits, ...queries]) {
            if (!writes.some((write) => isAfter(node, write, owner))) continue;
            if (isOfFailure(node, owner)) continue;
            if (!sourceCode.getText(node).startsWith("await afterWrite(")) report({ node, message: REMEDY });
          }
        }
      },
    };
  },
};
