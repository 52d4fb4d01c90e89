/**
 * A browser's page translation replaces text nodes, and React continues with the nodes that it created. A text is safe
 * if it is the only child of its element, which React sets by the element, or if React never updates it. Without types,
 * the rule treats every value as text, except names that the file declares as elements.
 */

type Node = {
  type: string;
  range: [number, number];
  parent?: Node;
  name?: string | Node;
  value?: unknown;
  operator?: string;
  expression?: Node;
  expressions?: Node[];
  children?: Node[];
  openingElement?: { name: Node; attributes: { name?: { name?: unknown } }[] };
  test?: Node;
  consequent?: Node;
  alternate?: Node;
  left?: Node;
  right?: Node;
  callee?: Node;
  property?: Node;
  key?: Node;
  id?: Node | null;
  init?: Node | null;
  body?: Node;
  argument?: Node | null;
  typeAnnotation?: Node | null;
};

type RuleContext = {
  sourceCode: { getText(node: Node): string };
  report(problem: { node: Node; message: string }): void;
};

const REMEDY =
  "Page translations replace text nodes, and React then changes, removes or goes by one that is gone. Put this text " +
  "into an element of its own (<span>), or make it the only child of its element, for example as one template literal. " +
  "A value that is no text can be declared as ReactNode in this file.";

/**
 * - `fixed`: a text that never changes
 * - `text`: one that may change
 * - `value`: may be a text
 * - `optional`: elements that may appear and disappear
 * - `element`, `nothing`
 */
type Kind = "fixed" | "text" | "value" | "optional" | "element" | "nothing";

const isText = (kind: Kind) => kind === "fixed" || kind === "text" || kind === "value";

export const textInElements = {
  create({ sourceCode, report }: RuleContext) {
    /** Names of elements: typed as such, or built from JSX. */
    const elements = new Set<unknown>(["children"]);
    const found: Node[] = [];

    const kindOfBranches = (...kinds: Kind[]): Kind => {
      if (kinds.some((kind) => kind === "fixed" || kind === "text")) return "text";
      if (kinds.includes("value")) return "value";
      return kinds.some((kind) => kind !== "nothing") ? "optional" : "nothing";
    };

    const kindOfNamed = (name: unknown): Kind => (elements.has(name) ? "optional" : "value");

    const kindOfExpression = (node: Node): Kind => {
      switch (node.type) {
        case "Literal":
          return node.value === null || typeof node.value === "boolean" ? "nothing" : "fixed";
        case "TemplateLiteral":
          return node.expressions!.length > 0 ? "text" : "fixed";
        case "BinaryExpression":
          return "text";
        case "ConditionalExpression":
          return kindOfBranches(kindOfExpression(node.consequent!), kindOfExpression(node.alternate!));
        case "LogicalExpression":
          return kindOfBranches(
            node.operator === "&&" ? "nothing" : kindOfExpression(node.left!),
            kindOfExpression(node.right!),
          );
        case "JSXEmptyExpression":
          return "nothing";
        case "JSXElement":
        case "JSXFragment":
          return "element";
        case "Identifier":
          return node.name === "undefined" ? "nothing" : kindOfNamed(node.name);
        case "MemberExpression":
          return kindOfNamed(node.property!.name);
        case "CallExpression": {
          const name = node.callee!.property?.name ?? node.callee!.name;
          return name === "map" || name === "flatMap" || name === "createPortal"
            ? "optional"
            : kindOfNamed(name);
        }
        case "ChainExpression":
        case "ParenthesizedExpression":
        case "TSNonNullExpression":
        case "TSAsExpression":
          return kindOfExpression(node.expression!);
      }
      return "value";
    };

    const kindOf = (child: Node): Kind => {
      if (child.type === "JSXText") {
        const text = child.value as string;
        return text.trim() === "" && text.includes("\n") ? "nothing" : "fixed";
      }
      if (child.type === "JSXExpressionContainer") return kindOfExpression(child.expression!);
      const isKeyed = child.openingElement?.attributes.some(({ name }) => name?.name === "key");
      return isKeyed ? "optional" : "element";
    };

    const checkChildren = (node: Node) => {
      const children = node.children!.map((child) => ({ child, kind: kindOf(child) }));
      const present = children.filter(({ kind }) => kind !== "nothing");
      // What is in a fragment has the siblings of the fragment.
      const isFragment = node.type === "JSXFragment";
      if (present.length < 2 && !isFragment) return;
      let isAfterOptional = isFragment;
      for (const { child, kind } of present) {
        if (isText(kind) && (kind !== "fixed" || isAfterOptional)) report({ node: child, message: REMEDY });
        isAfterOptional ||= kind === "optional";
      }
    };

    /** A component's text has the siblings of the component. */
    const checkReturned = (returned: Node | null | undefined, component: Node) => {
      const name = (component.id ?? component.parent?.id)?.name;
      if (!returned || typeof name !== "string" || !/^[A-Z]/.test(name)) return;
      const kind = kindOfExpression(returned);
      if (isText(kind)) report({ node: returned, message: REMEDY });
    };

    const check = (node: Node) => {
      if (node.type.startsWith("JSX")) checkChildren(node);
      else if (node.type === "ReturnStatement") {
        let component = node.parent;
        while (component && !component.type.includes("Function")) component = component.parent;
        if (component) checkReturned(node.argument, component);
      } else if (node.body!.type !== "BlockStatement") checkReturned(node.body, node);
    };

    const isBuilt = (node: Node | null | undefined): boolean => {
      if (node?.type === "ArrowFunctionExpression") return isBuilt(node.body);
      if (!node) return false;
      const kind = kindOfExpression(node);
      return kind === "element" || kind === "optional";
    };
    const isTyped = (node: Node | null | undefined) =>
      Boolean(node && /ReactNode|ReactElement/.test(sourceCode.getText(node)));
    const collect = (node: Node) => void found.push(node);

    return {
      TSPropertySignature(node: Node) {
        if (isTyped(node.typeAnnotation)) elements.add(node.key!.name);
      },
      VariableDeclarator({ id, init }: Node) {
        if (isTyped(id!.typeAnnotation) || isBuilt(init)) elements.add(id!.name);
      },
      JSXElement: collect,
      JSXFragment: collect,
      ReturnStatement: collect,
      ArrowFunctionExpression: collect,
      // Once all names are known.
      "Program:exit": () => found.forEach(check),
    };
  },
};
