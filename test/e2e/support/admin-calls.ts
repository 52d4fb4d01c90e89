import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { matchRoutes, type RouteObject } from "react-router";
import { parseSync, Visitor } from "vite";
import routes from "../../../src/routes.ts";

/** The writes of the admin area, read from its source: docs/decisions/0069-every-admin-request-is-sent-by-a-test.md. */

/** A request as the source has it: `PATCH /newsletters/:id`. */
type Call = string;

/** A route module of the admin area, and the calls that it can reach, each with the file that has it. */
type Screen = { file: string; path: string; calls: Map<Call, string> };

const ADMIN = "src/admin/";
const API = "/api/admin";
const methods = new Map([
  ["$post", "POST"],
  ["$put", "PUT"],
  ["$patch", "PATCH"],
  ["$delete", "DELETE"],
]);

/**
 * Files whose calls need to be seen from one screen only. All others are asked for on each screen that imports them: what
 * they send depends on what the screen passes.
 */
const seenOnce = new Set([
  // They send what they made themselves.
  "desk/first-steps.tsx",
  "files/upload-api.ts",
  "markdown/picture-dialog.tsx",
  "moving-in/send-import.ts",
  "sound/file-peaks.ts",
  // They have the actions of several screens.
  "account/save.ts",
  "auth/passkeys.ts",
  "guests/save.ts",
  "lists/undo-deletion.ts",
  "moving-in/act-on-import.ts",
  "newsletter/subscribers/save.ts",
  "press/campaigns/save.ts",
  "press/posts/save.ts",
  "press/save.ts",
  "publishing/duplicate-button.tsx",
  "publishing/publications/use-follow-ups.ts",
  "ventures/save.ts",
]);

/** Sends to the routes of the noun that its caller names: `itemActions({ api: api.press })`. */
const ITEM_ACTIONS = "src/admin/form/item-actions.ts";

for (const file of seenOnce)
  if (!existsSync(join(ADMIN, file))) throw new Error(`seenOnce names ${file}, which does not exist.`);

/** The parts of an ESTree that are looked at. */
type Node = {
  type: string;
  name: string;
  value: unknown;
  init: Node | null;
  id: Node;
  key: Node;
  properties: (Node & { value: Node })[];
  object: Node;
  property: Node;
  computed: boolean;
  callee: Node;
  arguments: Node[];
  source: Node;
  expression: Node;
  consequent: Node;
  alternate: Node;
};

/** The screens of the site map. */
export const adminScreens = (): Screen[] => routes.flatMap((route) => screensBelow(route, ""));

function screensBelow({ file, path, children = [] }: RouteConfigEntry, above: string): Screen[] {
  const address = [above, path].filter(Boolean).join("/");
  const below = children.flatMap((child) => screensBelow(child, address));
  const source = `src/${file}`;
  return source.startsWith(ADMIN)
    ? [{ file: relative(ADMIN, source), path: `/${address}`, calls: callsBelow(source) }, ...below]
    : below;
}

function callsBelow(file: string, seen = new Set<string>()): Map<Call, string> {
  if (seen.has(file)) return new Map();
  seen.add(file);
  const { imports, calls } = read(file);
  const here = (file === ITEM_ACTIONS ? [] : calls).map((call): [Call, string] => [
    call,
    relative(ADMIN, file),
  ]);
  return new Map([...imports.flatMap((path) => [...callsBelow(path, seen)]), ...here]);
}

type Source = { imports: string[]; calls: Call[] };

const sources = new Map<string, Source>();

function read(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const { program, module, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const names = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const variables = new Map<string, Node[]>();
  const sent: [method: string, to: Node][] = [];
  const nouns: Node[] = [];
  const define = (name: string, value: Node) =>
    void variables.set(name, [...(variables.get(name) ?? []), value]);
  new Visitor({
    ImportExpression: ({ source }) => void (source.type === "Literal" && names.push(String(source.value))),
    VariableDeclarator(node) {
      const { id, init } = node as unknown as Node;
      if (!init) return;
      if (id.type === "Identifier") define(id.name, init);
      if (id.type !== "ObjectPattern") return;
      for (const { key, value } of id.properties)
        if (value?.type === "Identifier")
          define(value.name, {
            type: "MemberExpression",
            object: init,
            property: key,
            computed: false,
          } as Node);
    },
    CallExpression(node) {
      const { callee, arguments: given } = node as unknown as Node;
      if (callee.type === "Identifier" && callee.name === "itemActions") nouns.push(given[0]!);
      const method = callee.type === "MemberExpression" && methods.get(callee.property.name);
      if (method) sent.push([method, callee.object]);
    },
  }).visit(program);
  const pathsOf = (to: Node) =>
    valuesOf(to, variables).flatMap((value) => ("path" in value ? [value.path] : []));
  const direct = sent.flatMap(([method, to]) => {
    const paths = pathsOf(to);
    if (paths.length === 0) throw new Error(`${file}: name the route that a ${method} is sent to.`);
    return paths.map((path) => `${method} /${path.join("/")}`);
  });
  const shared = nouns.flatMap((spec) => {
    const paths = pathsOf({ type: "MemberExpression", object: spec, property: { name: "api" } } as Node);
    if (paths.length === 0) throw new Error(`${file}: name the noun of itemActions.`);
    return paths.flatMap((path) => read(ITEM_ACTIONS).calls.map((call) => callBelow(path, call)));
  });
  const calls = [...direct, ...shared];
  const source = { imports: names.flatMap((name) => fileOf(file, name)), calls };
  sources.set(file, source);
  return source;
}

/** `POST /` and `PATCH /:id` of a noun. */
function callBelow(path: string[], call: Call): Call {
  const [method, rest = ""] = call.split(" ");
  return `${method} /${path.join("/")}${rest === "/" ? "" : rest}`;
}

function fileOf(importer: string, name: string) {
  const path = name.startsWith(".") ? join(dirname(importer), name) : name.replace("#site/", "src/");
  return path.startsWith(ADMIN) && /\.tsx?$/.test(path) ? [path] : [];
}

/** A path of the client, or an object with such paths. */
type Value = { path: string[] } | { object: Node };

/** All possible values of an expression: several if it is conditional. */
function valuesOf(node: Node, variables: Map<string, Node[]>): Value[] {
  switch (node.type) {
    case "Identifier":
      if (node.name === "api") return [{ path: [] }];
      return (variables.get(node.name) ?? []).flatMap((value) => valuesOf(value, variables));
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return valuesOf(node.expression, variables);
    case "ConditionalExpression":
      return [node.consequent, node.alternate].flatMap((each) => valuesOf(each, variables));
    case "ObjectExpression":
      return [{ object: node }];
    case "MemberExpression":
      return valuesOf(node.object, variables).flatMap((value) => membersOf(value, node, variables));
    default:
      return [];
  }
}

function membersOf(value: Value, { property, computed }: Node, variables: Map<string, Node[]>): Value[] {
  const literal = property.type === "Literal" ? String(property.value) : null;
  const name = computed ? literal : property.name;
  if ("path" in value) return name === null ? [] : [{ path: [...value.path, name] }];
  return value.object.properties
    .filter(({ key }) => name === null || name === (key.name ?? key.value))
    .flatMap((each) => valuesOf(each.value, variables));
}

/** A request that a page sent: its method and path, and the address of the page. */
export type SentRequest = { method: string; path: string; screen: string };

/** Which calls no request was seen of: `src/admin/newsletter/send.tsx: POST /newsletters/:id/check`. */
export function unsentCalls(sent: SentRequest[]) {
  const screens = adminScreens();
  const calls = new Set(screens.flatMap(({ calls: reached }) => [...reached.keys()]));
  const seen = new Set<string>();
  for (const request of sent) {
    const call = callOf(request, calls);
    if (!call) continue;
    for (const file of filesAt(request.screen)) seen.add(`${file}: ${call}`);
    seen.add(call);
  }
  const missing = screens.flatMap(({ file, calls: reached }) =>
    [...reached].flatMap(([call, from]) => {
      const wanted = seenOnce.has(from) ? call : `${file}: ${call}`;
      return seen.has(wanted) ? [] : [seenOnce.has(from) ? `${from}: ${call}` : wanted];
    }),
  );
  return [...new Set(missing)].map((each) => `${ADMIN}${each}`).toSorted();
}

/** Each call on each screen that it was seen on, with the first of the tests that sent it. */
export function testsOfCalls(sent: (SentRequest & { test: string })[]) {
  const calls = new Set(adminScreens().flatMap(({ calls: reached }) => [...reached.keys()]));
  const tests: Record<string, string> = {};
  for (const request of sent) {
    const call = callOf(request, calls);
    if (call) tests[`${filesAt(request.screen).at(-1)}: ${call}`] ??= request.test;
  }
  return tests;
}

/** The call that a request belongs to: if two paths match, the one with fewer parameters. */
function callOf({ method, path }: SentRequest, calls: Set<Call>) {
  const segments = path.replace(API, "").split("/");
  const parametersOf = (call: Call) => call.split("/:").length;
  return [...calls]
    .filter((call) => {
      const [of, pattern = ""] = call.split(" ");
      const parts = pattern.split("/");
      return (
        of === method &&
        parts.length === segments.length &&
        parts.every((part, at) => part.startsWith(":") || part === segments[at])
      );
    })
    .toSorted((a, b) => parametersOf(a) - parametersOf(b))[0];
}

const routeObjects = (entries: RouteConfigEntry[]): RouteObject[] =>
  entries.map(({ file, path, index, children }) =>
    index
      ? { index, id: file, handle: file }
      : { path, handle: file, ...(children && { children: routeObjects(children) }) },
  );

/** The route modules of an address, layouts included. */
const filesAt = (address: string) =>
  (matchRoutes(routeObjects(routes), address) ?? []).map(({ route }) =>
    relative(ADMIN, `src/${String(route.handle)}`),
  );
