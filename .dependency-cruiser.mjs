import { markdownSyntax, pureHelpers } from "./scripts/keep-worker-out.ts";
import routes from "./src/routes.ts";

/**
 * Which folders may import which (docs/decisions/0027-import-rules.md). Paths are resolved, so that `#worker/x.ts` and
 * `../../worker/x.ts` are the same. Each rule refuses everything that it does not name: a new folder falls under the
 * rules.
 */

/** The folders of src/, each with those that it may import besides itself. */
const layers = {
  document: ["ui"],
  ui: ["document"],
  analytics: ["document"],
  offline: [],
  /** What the browser does with the passkeys of members and users. */
  webauthn: [],
  shell: ["document", "ui", "analytics"],
  player: ["document", "ui", "analytics", "shell", "offline"],
  playlists: ["document", "ui", "analytics", "shell", "player"],
  site: ["document", "ui", "analytics", "shell", "player", "playlists", "offline", "webauthn"],
  embed: ["document", "ui", "shell"],
  admin: ["document", "ui", "webauthn"],
};
/** The tabs of the admin area; press is the tab Media. */
const tabs = [
  "analytics",
  "articles",
  "guests",
  "newsletter",
  "podcast",
  "press",
  "settings",
  "speaking",
  "users",
  "ventures",
];
/** These know no product word. */
const generic = ["document", "ui"];

const bridges = "^src/(api|context)[.]ts$";
const addresses = "^worker/addresses[.]ts$";
const contracts = "^worker/.+/contract[.]ts$";
const helpers = `^worker/${pureHelpers}$`;
const syntax = `^worker/${markdownSyntax}$`;
const httpFiles = [
  "^worker/.+/(api|session-cookie|(feed|link|document)-routes)[.]tsx?$",
  "^worker/files/media[.]tsx?$",
];
const tables = "^worker/.+/table[.]ts$";
const packages = (...names) => `(^|node_modules/)(${names.join("|")})(/|$)`;

const exactly = (file) => `^${file.replaceAll(".", "[.]")}$`;
const filesOf = ({ file, children = [] }) => [`src/${file}`, ...children.flatMap(filesOf)];
/** React Router leaves their loaders, and what only those import, out of the browser's bundle. */
const loaderFiles = [...routes.flatMap(filesOf).map(exactly), "^src/.+[.]server[.]tsx?$"];

/** Files that do not follow a rule yet. */
export const exceptions = {
  // It joins what is found to the episodes and their passages, in one statement.
  "worker-foreign-tables": ["worker/discovery/search.ts"],
};

const local = { dependencyTypes: ["local"] };
const atRunTime = { dependencyTypesNot: ["type-only"] };

const forbidden = [
  ...Object.entries(layers).map(([layer, lower]) => ({
    name: `src-${layer}`,
    comment: generic.includes(layer)
      ? `src/${layer}/ knows no product word: take what it needs as a prop or an argument.`
      : `src/${layer}/ imports ${lower.join(", ")} and the bridges api.ts and context.ts: ` +
        "move what both need to a layer below both, or pass it down as a prop or children.",
    from: { path: `^src/${layer}/` },
    to: {
      ...local,
      pathNot: [
        `^src/(${[layer, ...lower].join("|")})/`,
        ...(generic.includes(layer) ? [] : [bridges, "^worker/"]),
      ],
    },
  })),
  {
    name: "admin-kit",
    comment:
      "The kit and the shell know no tab: take what this needs as a prop or an argument, or move it to the tab.",
    from: { path: "^src/admin/(form|lists|markdown|shell)/" },
    to: { path: `^src/admin/(${tabs.join("|")})/` },
  },
  {
    name: "src-new-folder",
    comment: "Name this folder of src/ and what it may import in `layers` of .dependency-cruiser.mjs.",
    from: { path: "^src/[^/]+/", pathNot: `^src/(${Object.keys(layers).join("|")})/` },
    to: local,
  },
  {
    name: "src-bridges",
    comment: "api.ts and context.ts join src/ to the Worker's types: put what needs more into a layer.",
    from: { path: bridges },
    to: { ...local, pathNot: "^worker/" },
  },
  {
    name: "player-core",
    comment:
      "core/ has the player's rules alone: pass what this needs as an argument, or move it to src/player/.",
    from: { path: "^src/player/core/" },
    to: { ...local, pathNot: ["^src/player/core/", "^worker/"] },
  },
  {
    name: "player-state",
    comment: "Atoms and hooks are used by components: set an atom that the component reads.",
    // An entry is what a dynamic import loads together.
    from: { path: "^src/(player|playlists)/.+[.]ts$", pathNot: "-entry[.]ts$" },
    to: { path: "[.]tsx$" },
  },
  {
    name: "src-runs-no-worker-code",
    comment:
      "This reaches the browser: import a type from the Worker, " +
      "or call a use case in the loader of a route module or in a *.server.ts file.",
    from: { path: "^src/", pathNot: loaderFiles },
    to: { path: "^worker/", pathNot: [addresses, contracts, helpers, syntax], ...atRunTime },
  },
  {
    name: "src-runs-no-queries",
    comment: "Call a use case in the loader; import only types from a table or the API.",
    from: { path: "^src/" },
    to: {
      path: [tables, "^worker/api[.]ts$", "^worker/.+/api[.]ts$", packages("drizzle-orm")],
      ...atRunTime,
    },
  },
  {
    name: "public-pages-ship-no-zod",
    comment: "zod is 25 kB: import the type, use native validation and the server's message.",
    from: { path: "^src/", pathNot: "^src/admin/" },
    to: { path: [contracts, packages("zod")], ...atRunTime },
  },
  {
    name: "worker-imports-no-src",
    comment:
      "The Worker does not import the site: move what both need to worker/, or pass it as an argument.",
    from: { path: "^worker/", pathNot: "^worker/site[.]ts$" },
    to: { ...local, pathNot: "^worker/" },
  },
  {
    name: "worker-site",
    comment: "worker/site.ts hands the pages their context: it imports src/context.ts alone.",
    from: { path: "^worker/site[.]ts$" },
    to: { ...local, pathNot: ["^worker/", "^src/context[.]ts$"] },
  },
  {
    name: "worker-addresses",
    comment:
      "The table of addresses is shipped to the browser and loaded by every cache hit: it imports nothing.",
    from: { path: addresses },
    to: {},
  },
  {
    name: "worker-platform",
    comment:
      "platform/ knows no product word: pass what it needs as an argument, or move this code to the noun.",
    from: { path: "^worker/platform/" },
    to: { ...local, pathNot: "^worker/platform/" },
  },
  {
    name: "worker-contracts",
    comment:
      "A contract is shipped to the admin's browser: import zod, other contracts and pure helpers only.",
    from: { path: contracts },
    to: { pathNot: [packages("zod"), contracts, addresses, helpers] },
  },
  {
    name: "worker-pure-helpers",
    comment: "A contract ships this to the admin's browser: import other pure helpers only.",
    from: { path: helpers },
    to: { pathNot: helpers },
  },
  {
    name: "worker-markdown-syntax",
    comment: "The importers ship this to the admin's browser: import packages and pure helpers only.",
    from: { path: syntax },
    to: { ...local, pathNot: helpers },
  },
  {
    name: "worker-use-cases",
    comment:
      "A use case is called by HTTP, queue, cron and tests alike: keep Hono, React and HTTP in api.ts or a file of routes.",
    from: { path: "^worker/[^/]+/", pathNot: ["^worker/platform/", contracts, ...httpFiles] },
    to: {
      path: [
        packages("hono", "@hono", "react", "react-dom", "react-router", "@react-router"),
        "^worker/platform/http/router[.]ts$",
        ...httpFiles,
      ],
    },
  },
  {
    name: "worker-nouns-below-entry",
    comment:
      "The files of worker/ itself put the nouns together: move what a noun needs into a noun or platform/.",
    from: { path: "^worker/[^/]+/" },
    to: { path: "^worker/[^/]+$", pathNot: addresses },
  },
  {
    name: "worker-noun",
    comment:
      "What the product knows of a noun is read through worker/nouns/list.ts; for a query, call the noun's queries.ts.",
    from: { path: "^worker/([^/]+)/", pathNot: "^worker/nouns/" },
    to: { path: "^worker/[^/]+/noun[.]ts$", pathNot: ["^worker/$1/", "^worker/nouns/"] },
  },
  {
    name: "worker-noun-commands",
    comment: "Commands import their noun.ts: move what it needs of them to a file below both.",
    from: { path: "^worker/([^/]+)/noun[.]ts$" },
    to: { path: ["^worker/$1/.*commands[.]ts$", "^worker/nouns/list[.]ts$"] },
  },
  {
    name: "worker-noun-list",
    comment: "The list imports every noun: take what this needs of it as an argument.",
    from: { path: "^worker/[^/]+/", pathNot: ["^worker/(nouns|bin|desk|exports|people)/", ...httpFiles] },
    to: { path: "^worker/nouns/list[.]ts$" },
  },
  {
    name: "worker-api",
    comment: "An API route calls a use case: write the query in queries.ts or commands.ts.",
    from: { path: httpFiles },
    to: { path: [tables, packages("drizzle-orm")] },
  },
  {
    name: "worker-entry-queries",
    comment: "The files of worker/ itself put the nouns together: call a noun's queries.ts or commands.ts.",
    from: { path: "^worker/[^/]+$" },
    to: { path: [tables, packages("drizzle-orm")], pathNot: "^worker/platform/" },
  },
  {
    name: "worker-foreign-tables",
    comment: "Another noun's table is its own: call its queries.ts, or add there what is missing.",
    // A table names the rows that its foreign keys lead to.
    from: { path: "^worker/([^/]+)/", pathNot: tables },
    to: { path: tables, pathNot: ["^worker/$1/", "^worker/platform/"] },
  },
];

const except =
  (exempt) =>
  ({ from, ...rule }) => ({
    severity: "error",
    ...rule,
    from: { ...from, pathNot: [from.pathNot ?? [], (exempt[rule.name] ?? []).map(exactly)].flat() },
  });

/** @returns {import("dependency-cruiser").IConfiguration} */
export const configure = (exempt) => ({
  forbidden: forbidden.map(except(exempt)),
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx"],
      exportsFields: ["exports"],
      conditionNames: ["import", "default"],
    },
  },
});

export default configure(exceptions);
