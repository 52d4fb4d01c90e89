import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root } from "../../scripts/tools.ts";
import { fullTest } from "../support/sweeps.ts";

const CONFIG = join(root, ".dependency-cruiser.mjs");

type Violation = { from: string; to: string; rule: { name: string } };
type Rule = { name: string; comment?: string };

let house: string;
let inHouse: Awaited<ReturnType<typeof cruise>>;
beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), "rostrum-import-rules-"));
  await copyFile(join(root, "package.json"), join(house, "package.json"));
  await symlink(join(root, "node_modules"), join(house, "node_modules"), "junction");
  const files = Object.assign({}, allowed, ...Object.values(refused)) as Record<string, string>;
  await write(files);
  inHouse = await cruise(house);
});
afterAll(() => rm(house, { recursive: true }));

async function runTool(script: string, args: string[], cwd: string) {
  const command = [join(root, "node_modules", script), ...args];
  const maxBuffer = 100_000_000;
  // Both tools end with an error code when they have found something.
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd, maxBuffer }).catch(
    (error: { stdout: string }) => error,
  );
  return JSON.parse(stdout) as unknown;
}

async function cruise(cwd: string, config = CONFIG) {
  const args = ["--config", config, "--output-type", "json", "src", "worker"];
  const { summary } = (await runTool("dependency-cruiser/bin/dependency-cruiser.mjs", args, cwd)) as {
    summary: { violations: Violation[]; ruleSetUsed: { forbidden: Rule[] }; totalCruised: number };
  };
  return summary;
}

/** Writes files, and an empty one for each of our files that they import. */
async function write(files: Record<string, string>) {
  for (const [file, code] of Object.entries(files)) {
    const imported = [...code.matchAll(/"((?:#|\.)[^"]+)"/g)].map(([, specifier = ""]) =>
      specifier.startsWith("#")
        ? specifier.replace("#worker/", "worker/").replace("#site/", "src/")
        : posix.join(posix.dirname(file), specifier),
    );
    for (const path of [file, ...imported]) {
      await mkdir(dirname(join(house, path)), { recursive: true });
      const content = path === file ? code : (files[path] ?? "export {};\n");
      await writeFile(join(house, path), content);
    }
  }
}

/** By rule: files that break it. Route modules are those of the real `src/routes.ts`. */
const refused: Record<string, Record<string, string>> = {
  "src-document": {
    "src/document/player.ts": 'import type { A } from "../player/slot.tsx";',
    "src/document/worker.ts": 'import type { A } from "#worker/platform/log.ts";',
  },
  "src-ui": {
    "src/ui/relative.tsx": 'import { A } from "../site/a.tsx";',
    "src/ui/deep/folder.tsx": 'import { A } from "../../shell/a.tsx";',
    "src/ui/bridge.ts": 'import { A } from "#site/api.ts";',
    "src/ui/worker-type.ts": 'import type { A } from "../../worker/episodes/contract.ts";',
  },
  "src-webauthn": {
    "src/webauthn/of-users.ts": 'import { A } from "../admin/auth/a.tsx";',
    "src/webauthn/of-members.ts": 'import { A } from "#site/site/account/a.tsx";',
  },
  "src-analytics": {
    "src/analytics/tracker/player.ts": 'import { A } from "#site/player/a.ts";',
    "src/analytics/ui.ts": 'import { A } from "../ui/a.tsx";',
  },
  "src-shell": {
    "src/shell/player.tsx": 'import { A } from "#site/player/a.ts";',
    "src/shell/site.tsx": 'const load = () => import("../site/a.tsx");',
  },
  "src-player": {
    "src/player/playlists.ts": 'export { A } from "#site/playlists/a.ts";',
    "src/player/deck/site.tsx": 'import "../../site/a.tsx";',
  },
  "src-playlists": {
    "src/playlists/site.tsx": 'import type { A } from "#site/site/a.tsx";',
    "src/playlists/root.tsx": 'import { A } from "../root.tsx";',
  },
  "src-site": {
    "src/site/admin.tsx": 'import { A } from "#site/admin/form/a.tsx";',
    "src/site/about/test.tsx": 'import { A } from "../../../test/support/a.ts";',
  },
  "src-offline": {
    "src/offline/player.ts": 'import { A } from "#site/player/a.ts";',
    "src/offline/ui.ts": 'import { A } from "../ui/a.tsx";',
  },
  "src-embed": {
    "src/embed/player.tsx": 'import { A } from "#site/player/a.ts";',
    "src/embed/site.tsx": 'import { A } from "../site/a.tsx";',
  },
  "src-admin": {
    "src/admin/site.tsx": 'import { A } from "../site/a.tsx";',
    "src/admin/users/player.tsx": 'import { A } from "#site/player/a.ts";',
  },
  "admin-kit": {
    "src/admin/form/field.tsx": 'import type { A } from "../podcast/a.ts";',
    "src/admin/lists/row.tsx": 'const load = () => import("../press/posts/a.tsx");',
    "src/admin/markdown/toolbar.tsx": 'import { A } from "../articles/a.ts";',
    "src/admin/shell/header.tsx": 'import { A } from "../settings/a.ts";',
  },
  "src-new-folder": { "src/widgets/a.tsx": 'import { A } from "../site/a.tsx";' },
  "src-bridges": { "src/api.ts": 'import { A } from "./site/a.tsx";' },
  "player-core": {
    "src/player/core/state.ts": 'import type { A } from "../state.ts";',
    "src/player/core/shell.ts": 'import { A } from "#site/shell/a.ts";',
  },
  "player-state": {
    "src/player/use-play.ts": 'import { Player } from "./player.tsx";',
    "src/player/deck/lazy.ts": 'const load = () => import("../follow.tsx");',
    "src/playlists/type.ts": 'import type { A } from "#site/ui/a.tsx";',
  },
  "src-runs-no-worker-code": {
    "src/site/about/part.tsx": 'import { A } from "#worker/pages/queries.ts";',
    "src/site/inline-type.tsx": 'import { type A, b } from "../../worker/platform/errors.ts";',
    "src/admin/users/part.tsx": 'const load = () => import("../../../worker/accounts/queries.ts");',
  },
  "src-runs-no-queries": {
    "src/site/home/page.tsx": 'import { A } from "#worker/episodes/table.ts";',
    "src/admin/shell/layout.tsx": 'import { eq } from "drizzle-orm";',
    "src/site/a.server.ts": 'import { api } from "../../worker/api.ts";',
  },
  "public-pages-ship-no-zod": {
    "src/site/contact/page.tsx": 'import { schema } from "#worker/pages/contract.ts";',
    "src/playlists/schema.ts": 'import { z } from "zod";',
  },
  "worker-imports-no-src": {
    "worker/app.ts": 'import { A } from "../src/context.ts";',
    "worker/letters/deep/queries.ts": 'import type { A } from "#site/ui/a.tsx";',
    "worker/letters/test.ts": 'import { A } from "../../test/support/a.ts";',
  },
  "worker-site": { "worker/site.ts": 'import { A } from "#site/api.ts";' },
  "worker-addresses": { "worker/addresses.ts": 'import { A } from "./platform/errors.ts";' },
  "worker-platform": {
    "worker/platform/noun.ts": 'import { A } from "../episodes/queries.ts";',
    "worker/platform/deep/access.ts": 'import type { A } from "#worker/access/contract.ts";',
  },
  "worker-contracts": {
    "worker/letters/contract.ts": 'import { AppError } from "../platform/errors.ts";',
    "worker/letters/parts/contract.ts": 'import { Hono } from "hono";',
  },
  "worker-pure-helpers": {
    "worker/platform/text/costly-markdown.ts": 'import { A } from "../errors.ts";',
    "worker/episodes/taxonomy.ts": 'import type { Person } from "./contract.ts";',
  },
  "worker-markdown-syntax": {
    "worker/platform/text/markdown-syntax.ts": 'import { A } from "../errors.ts";',
  },
  "worker-use-cases": {
    "worker/letters/commands.ts": 'import { Hono } from "hono";',
    "worker/letters/deep/commands.ts": 'import type { Context } from "hono";',
    "worker/letters/view.tsx": 'import { useState } from "react";',
    "worker/letters/http.ts": 'import { A } from "../platform/http/router.ts";',
    "worker/letters/route.ts": 'import { A } from "./api.ts";',
  },
  "worker-nouns-below-entry": { "worker/letters/entry.ts": 'import { A } from "#worker/jobs.ts";' },
  "worker-noun": {
    "worker/letters/origins.ts": 'import { A } from "../articles/noun.ts";',
    "worker/letters/deep/origins.ts": 'import type { A } from "#worker/articles/noun.ts";',
  },
  "worker-noun-commands": {
    "worker/letters/noun.ts": 'import { A } from "./commands.ts";',
    "worker/enquiries/noun.ts": 'import { A } from "./owner/mail-commands.ts";',
    "worker/people/noun.ts": 'import { A } from "../nouns/list.ts";',
  },
  "worker-noun-list": { "worker/letters/replace.ts": 'import { A } from "#worker/nouns/list.ts";' },
  "worker-api": {
    "worker/letters/api.ts": 'import { letters } from "./table.ts";',
    "worker/enquiries/api.ts": 'import { eq } from "drizzle-orm";',
    "worker/letters/feed-routes.ts": 'import type { letters } from "#worker/letters/table.ts";',
  },
  "worker-entry-queries": { "worker/jobs.ts": 'import { letters } from "./letters/table.ts";' },
  "worker-foreign-tables": {
    "worker/letters/queries.ts": 'import { episodes } from "../episodes/table.ts";',
    "worker/letters/deep/queries.tsx": 'import { users } from "#worker/accounts/table.ts";',
  },
};

const allowed: Record<string, string> = {
  "src/root.tsx": 'import "./site/layout.tsx"; import "./admin/shell/layout.tsx";',
  "src/shell/header.tsx": 'import { pages } from "#worker/addresses.ts"; import "../ui/a.tsx";',
  "src/site/search/page.tsx": 'import { search } from "#worker/discovery/search.ts";',
  "src/site/search/form.tsx":
    'import type { A } from "#worker/discovery/table.ts"; import "#site/player/a.ts";',
  "src/player/core/queue.ts": 'import "./rates.ts"; import type { A } from "#worker/episodes/contract.ts";',
  "src/player/follow-entry.ts": 'export { A } from "./follow.tsx";',
  "src/site/loader.server.ts": 'import { AppError } from "#worker/platform/errors.ts";',
  "src/admin/podcast/a.tsx": 'import { personRoles } from "#worker/episodes/taxonomy.ts";',
  "src/admin/users/fields.tsx": 'import { user } from "#worker/accounts/contract.ts"; import "#site/api.ts";',
  "worker/letters/table.ts":
    'import { text } from "drizzle-orm/sqlite-core"; import { users } from "../accounts/table.ts";',
  "worker/comments/contract.ts":
    'import { z } from "zod"; import "../files/contract.ts"; import "#worker/platform/text/costly-markdown.ts";',
  "worker/comments/commands.ts":
    'import "./table.ts"; import "../letters/queries.ts"; import "#worker/platform/work/outbox.ts"; import "drizzle-orm";',
  "worker/nouns/list.ts": 'import "../letters/noun.ts"; import "./noun.ts";',
  "worker/people/queries.ts": 'import "#worker/nouns/list.ts";',
  "worker/comments/noun.ts":
    'import "#worker/nouns/noun.ts"; import "./table.ts"; import "../letters/queries.ts"; import "drizzle-orm";',
  "worker/comments/api.ts": 'import "hono"; import "./commands.ts"; import "../platform/http/router.ts";',
  "worker/platform/http/router.ts": 'import { Hono } from "hono"; import { AppError } from "../errors.ts";',
};

test("refuses each import that a rule forbids, under the rule's name, and no other", () => {
  const expected = Object.entries(refused).flatMap(([rule, broken]) =>
    Object.keys(broken).map((file) => `${rule}: ${file}`),
  );
  assert.deepEqual(
    inHouse.violations.map(({ rule, from }) => `${rule.name}: ${from}`).toSorted(),
    expected.toSorted(),
  );
});

test("each rule is tried here and says the remedy", () => {
  const { forbidden } = inHouse.ruleSetUsed;
  assert.deepEqual(forbidden.map(({ name }) => name).toSorted(), Object.keys(refused).toSorted());
  for (const { name, comment = "" } of forbidden) assert.match(comment, /\w{3}/, name);
});

// `npm run check` reads the tree, too: the other half is that no exception outlives its need.
fullTest("the tree follows the rules, but for exceptions that are still needed", async () => {
  const { exceptions } = (await import(pathToFileURL(CONFIG).href)) as {
    exceptions: Record<string, string[]>;
  };
  const withoutExceptions = join(house, "without-exceptions.mjs");
  const url = JSON.stringify(pathToFileURL(CONFIG).href);
  await writeFile(withoutExceptions, `import { configure } from ${url};\nexport default configure({});\n`);
  const { violations, totalCruised } = await cruise(root, withoutExceptions);
  assert.ok(totalCruised > 400);
  const found = new Set(violations.map(({ rule, from }) => `${rule.name}: ${from}`));
  const excepted = Object.entries(exceptions).flatMap(([rule, files]) =>
    files.map((file) => `${rule}: ${file}`),
  );
  assert.deepEqual([...found].toSorted(), excepted.toSorted());
});

/** What the rules of our own find in files. */
async function lint(files: Record<string, string>) {
  const folder = await mkdtemp(join(house, "lint-"));
  for (const [file, code] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), code);
  }
  const own = ["lint-rules", "lint-text", "lint-words", "lint-writes"].map((name) => `scripts/${name}.ts`);
  for (const file of [".oxlintrc.json", ...own]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(root, file), join(folder, file));
  }
  const paths = Object.keys(files);
  const { diagnostics } = (await runTool("oxlint/bin/oxlint", ["--format", "json", ...paths], folder)) as {
    diagnostics: Finding[];
  };
  return diagnostics
    .filter(({ code }) => code.startsWith("rostrum("))
    .map(({ filename, ...finding }) => ({ ...finding, filename: filename.replaceAll("\\", "/") }));
}

type Finding = {
  code: string;
  message: string;
  filename: string;
  labels: { span: { offset: number; length: number } }[];
};

test("refuses a server action in src/, however it is exported", async () => {
  const found = await lint({
    "src/site/const.tsx": "export const action = () => null;\n",
    "src/site/function.tsx": "export async function action() {}\n",
    "src/new/deep/renamed.ts": "const post = () => null;\nexport { post as action };\n",
    "src/admin/from.ts": 'export { action } from "../site/const.tsx";\n',
    "src/admin/pattern.ts": "export const { action } = { action: () => null };\n",
    "src/admin/all.ts": 'export * from "../site/const.tsx";\n',
    "src/admin/client.ts": "export const clientAction = (action: string) => action;\n",
    "worker/letters/events.ts": 'export const action = "opened";\n',
  });
  assert.deepEqual(found.map(({ filename }) => filename).toSorted(), [
    "src/admin/all.ts",
    "src/admin/from.ts",
    "src/admin/pattern.ts",
    "src/new/deep/renamed.ts",
    "src/site/const.tsx",
    "src/site/function.tsx",
  ]);
  for (const { code, message } of found) {
    assert.equal(code, "rostrum(no-action)");
    assert.match(message, /add an API route/);
  }
});

/** The body of a command, and the `await`s that the rule reports. */
const commands: [body: string, ...refused: string[]][] = [
  // A read, a note or a second write after the write.
  ["await ctx.db.batch([change]); return await read(ctx);", "await read(ctx)"],
  ["const [row] = await ctx.db.insert(rows).values(row).returning(); await note(row);", "await note(row)"],
  ["await ctx.db.batch([change]); return readRow(ctx, 1);", "readRow(ctx, 1)"],
  ["await refusingTaken(() => ctx.db.batch([change])); await forget(ctx);", "await forget(ctx)"],
  ["await writeAndRead(ctx, write, read); await note(ctx);", "await note(ctx)"],
  ["await store(ctx); return { proof: await sign(ctx) };", "await sign(ctx)"],
  ["const [row] = await ctx.db.batch([change]); if (!row) throw gone(); await note(row);", "await note(row)"],
  ["if (isLate) await ctx.db.batch([change]); await note(ctx);", "await note(ctx)"],
  // However the write is sent.
  ["const writing = ctx.db.batch([change]); const row = await writing; await note(row);", "await note(row)"],
  ["await ctx.db.run(sql`update rows set a = 1`); await note(ctx);", "await note(ctx)"],
  ["await ctx.db.all<Row>(sql`\n insert into rows values (1)`); await note(ctx);", "await note(ctx)"],
  ["await insertRow(ctx); await note(ctx);", "await note(ctx)"],
  ["await removeRow(ctx); await note(ctx);", "await note(ctx)"],
  // A write of the database that may fail unseen.
  [
    "await ctx.db.batch([change]); await afterWrite('count', ctx.db.update(rows).set(one));",
    "await afterWrite('count', ctx.db.update(rows).set(one))",
  ],
  ["const rows = await ctx.db.all(sql`select 1`); await note(rows);"],
  ["await ctx.db.batch([change, ...(await statementsOf(ctx)), ...(await statementsOf(ctx))]);"],
  ["const statements = await statementsOf(ctx); await check(ctx); await ctx.db.batch(statements);"],
  // What comes before it, its own parts, and what cannot fail.
  ["const row = await read(ctx); await ctx.db.batch([change, ...(await more(ctx))]); return row;"],
  ["await ctx.db.batch([change]); await afterWrite('note', note(ctx)); ctx.later(note(ctx));"],
  // Without an effect of the write there is no success to lose.
  ["if (isWrong) { await ctx.db.batch([failure]); throw wrong(); } await check(ctx); await store(ctx);"],
  ["const [row] = await ctx.db.batch([change]); if (!row) throw await reasonOf(ctx); return row;"],
  ["const [row] = await ctx.db.batch([change]); if (row) return row; await requireRow(ctx); throw full();"],
  ["try { await ctx.db.batch([change]); } catch (error) { await undo(ctx); throw error; }"],
  ["const row = isNew ? await ctx.db.batch([one]) : await store(ctx); return row;"],
];

test("refuses a command that awaits something after its write", async () => {
  const files = Object.fromEntries(
    commands.map(([body], index) => [
      `worker/noun${index}/commands.ts`,
      `export async function change(ctx: Context) { ${body} }\n` +
        "async function store(ctx: Context) { await ctx.db.delete(rows); }\n" +
        "const insertRow = (ctx: Context) => ctx.db.insert(rows).values(row);\n" +
        "async function removeRow(ctx: Context) { return store(ctx); }\n" +
        "const statementsOf = async (ctx: Context) => [ctx.db.delete(rows)];\n" +
        "export async function pruneRows(ctx: Context) { await ctx.db.delete(rows); await store(ctx); }\n",
    ]),
  );
  const found = await lint({ ...files, "worker/noun0/queries.ts": files["worker/noun0/commands.ts"]! });
  const rule = found.filter(({ code }) => code === "rostrum(nothing-after-write)");
  const reported = rule.map(({ filename, labels: [label] }) => {
    const { offset, length } = label!.span;
    return [filename, files[filename]!.slice(offset, offset + length)];
  });
  const expected = commands.flatMap(([, ...awaits], index) =>
    awaits.map((text) => [`worker/noun${index}/commands.ts`, text]),
  );
  assert.deepEqual(reported.toSorted(), expected.toSorted());
  for (const { message } of rule) assert.match(message, /afterWrite/);
});

/** A component, or its result, and what the rule reports. */
const translatable: [code: string, ...refused: string[]][] = [
  // A text that changes beside others.
  ["<p>By {author}</p>", "{author}"],
  ["<p>{`${count} plays`} <b>now</b></p>", "{`${count} plays`}"],
  ["<b>{count + 1} of <i>9</i></b>", "{count + 1}"],
  ["<dd>{item.name}<Badge /></dd>", "{item.name}"],
  ["<p><Icon />{isOpen ? 'Hide' : 'Show'}</p>", "{isOpen ? 'Hide' : 'Show'}"],
  ["<p>{isLate && 'Late. '}<a href='/'>Now</a></p>", "{isLate && 'Late. '}"],
  ["<p>{isLate ? <b>Late</b> : 'In time'} <i>9</i></p>", "{isLate ? <b>Late</b> : 'In time'}"],
  ["<Button><Icon />{format(at)}</Button>", "{format(at)}"],
  // A text after optional elements.
  ["<p>{isBusy && <Spinner />} Save</p>", " Save"],
  ["<p>{list.map((each) => <b key={each}>{each}</b>)}.</p>", "."],
  ["<p><b key={count}>{count}</b> plays</p>", " plays"],
  ["({ icon }: { icon: ReactNode }) => (<p>{icon} plays</p>)", " plays"],
  // A text without an element.
  ["<>Last: <b>{count}</b></>", "Last: "],
  ["<>{name}</>", "{name}"],
  ['"None yet"', '"None yet"'],
  ["isLate ? 'Late' : <b>{name}</b>", "isLate ? 'Late' : <b>{name}</b>"],
  ["() => { if (isLate) return 'Late'; return <b>{name}</b>; }", "'Late'"],
  [
    "({ item }: Props) => { if (isLate) return item.title || item.name; return <b>{name}</b>; }",
    "item.title || item.name",
  ],
  // Texts that React sets by their element, or never touches again.
  ["<p>{`By ${author}`}</p>"],
  ["<p>{isOpen ? 'Hide' : name}</p>"],
  ["<p>Read <a href='/'>this</a> now. <b>{count}</b></p>"],
  ["<p>Wait {isLate && <b>Late</b>}</p>"],
  ["<p><span>{name}</span>, <Time at={at} />{isLate && <b>!</b>}</p>"],
  ["({ children }: Props) => (<div><h2>{title}</h2>{children}</div>)"],
  ["({ icon }: { icon: ReactNode }) => (<dt>{icon}<span>{name}</span></dt>)"],
  ["({ children }: Props) => (children)"],
  ["() => { const note = isLate && <b>Late</b>; return note; }"],
  ["() => { const note = isLate && <b>Late</b>; return <p>{note}<i>{name}</i></p>; }"],
  ["<ul>\n  {/* Newest first. */}\n  <li>{name}</li>\n</ul>"],
];

test("refuses a text that a page translation would part from React", async () => {
  const files = Object.fromEntries(
    translatable.map(([code], index) => [
      `src/site/c${index}.tsx`,
      `export const Part = ${code.startsWith("(") ? code : `() => ${code}`};\n`,
    ]),
  );
  const found = await lint(files);
  for (const [index, [code, ...expected]] of translatable.entries()) {
    const file = `src/site/c${index}.tsx`;
    const pointedAt = found
      .filter(({ filename }) => filename === file)
      .map(({ labels: [label] }) => files[file]!.slice(label!.span.offset).slice(0, label!.span.length));
    assert.deepEqual(pointedAt.toSorted(), expected.toSorted(), code);
  }
  for (const { message } of found) assert.match(message, /element of its own/);
});

test("refuses unclear words in a text that people read, and in nothing else", async () => {
  const found = await lint({
    "src/site/words.tsx": [
      'export const label = "Empty takes the title.";',
      "export const Note = () => <p>Whoever has its link can listen.</p>;",
      "export const message = (name: string) => `Somebody wrote to ${name} by e-mail.`;",
      "",
    ].join("\n"),
    "worker/keys.ts": ['export const key = "mails";', 'export const kind = "whoever";', ""].join("\n"),
    "src/site/plain.tsx": 'export const label = "Leave blank to use the title. The mail server answers.";\n',
  });
  assert.deepEqual(
    found.map(({ filename, message }) => [filename, /“(.*?)”/.exec(message)?.[1]]).toSorted(),
    [
      ["src/site/words.tsx", "Empty takes"],
      ["src/site/words.tsx", "Somebody"],
      ["src/site/words.tsx", "Whoever"],
      ["src/site/words.tsx", "e-mail"],
    ],
  );
});
