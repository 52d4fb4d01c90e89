/**
 * Work after a finished write must not turn its answer into a failure. In a file of commands, no `await` and no returned
 * query follow a write of the same function: directly (`db.batch`, `db.insert`, …), by a function of the file, or as a
 * variable that is awaited. Nor does `afterWrite`, which hides a failure, take a write of the database.
 */

type Node = {
  type: string;
  range: [number, number];
  parent?: Node;
  argument?: Node | null;
  init?: Node | null;
  name?: string;
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

const HIDDEN =
  "afterWrite hides a failure, and what this writes would be missing: write it in the batch before.";

const WRITE =
  /\bdb\s*\.\s*(?:batch|insert|update|delete|run)\(|\bdb\s*\.\s*(?:all|get|values)(?:<[^()]*>)?\(\s*sql(?:<[^()]*>)?`\s*(?:insert|update|delete|replace)\b|\bwriteAndRead\(/i;

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

type Scope = {
  owner: Node;
  awaits: Node[];
  queries: Node[];
  /** What the function returns without awaiting it. */
  returns: Node[];
  /** What its variables are initialised with, by name. */
  variables: Map<string, Node>;
};

export const nothingAfterWrite = {
  create({ sourceCode, report }: RuleContext) {
    const scopes: Scope[] = [];
    const open: Scope[] = [];
    const enter = (owner: Node) => {
      const { body } = owner;
      const isExpression = body && !Array.isArray(body) && body.type !== "BlockStatement";
      const returns = isExpression && body.type !== "AwaitExpression" ? [body] : [];
      const scope: Scope = { owner, awaits: [], queries: [], returns, variables: new Map() };
      scopes.push(scope);
      open.push(scope);
    };
    const leave = () => void open.pop();

    const writes = (node: Node, writers: string[]) => {
      const text = sourceCode.getText(node);
      return WRITE.test(text) || writers.some((name) => new RegExp(`(?<![.\\w])${name}\\(`).test(text));
    };

    /** Of a returned expression, which the caller awaits: not of statements in an array, for the caller's batch. */
    const isSent = (node: Node, writers: string[]) =>
      writes(node, writers) && /^(?:\w+\.)*\w+\s*\(|^(?:\w+\.)*db\b/.test(sourceCode.getText(node));

    /** Of an `await`: of a write, or of a variable that is one. */
    const isWrite = ({ argument }: Node, { variables }: Scope, writers: string[]) =>
      writes((argument!.type === "Identifier" && variables.get(argument!.name!)) || argument!, writers);

    /** The functions of the file that write, also by one another. */
    function findWriters() {
      const writers = new Set<string>();
      for (let size = -1; size !== writers.size;) {
        size = writers.size;
        for (const scope of scopes) {
          const { owner, awaits, returns } = scope;
          const isWriter =
            awaits.some((node) => isWrite(node, scope, [...writers]) && !isRefused(node, owner)) ||
            returns.some((node) => isSent(node, [...writers]) && !isRefused(node, owner));
          if (nameOf(owner) && isWriter) writers.add(nameOf(owner));
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
      VariableDeclarator({ id, init }: Node) {
        if (id?.name && init && init.type !== "AwaitExpression") open.at(-1)?.variables.set(id.name, init);
      },
      ReturnStatement({ argument }: Node) {
        if (argument && argument.type !== "AwaitExpression") open.at(-1)?.returns.push(argument);
        if (argument && QUERY.test(sourceCode.getText(argument))) open.at(-1)?.queries.push(argument);
      },
      "Program:exit"() {
        const writers = findWriters();
        for (const scope of scopes) {
          const { owner, awaits, queries } = scope;
          if (JOB.test(nameOf(owner))) continue;
          const isHiding = (node: Node) => sourceCode.getText(node).startsWith("await afterWrite(");
          for (const node of awaits.filter(isHiding)) {
            if (WRITE.test(sourceCode.getText(node))) report({ node, message: HIDDEN });
          }
          const done = awaits.filter((node) => isWrite(node, scope, writers));
          for (const node of [...awaits, ...queries]) {
            if (!done.some((write) => isAfter(node, write, owner))) continue;
            if (isOfFailure(node, owner)) continue;
            if (!isHiding(node)) report({ node, message: REMEDY });
          }
        }
      },
    };
  },
};
