import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { localVars, SETTINGS } from "../../scripts/deployment-settings.ts";
import { root } from "../../scripts/tools.ts";
import { ACCOUNT_ID, PER_PAGE, startCloudflareApi } from "../support/cloudflare-api.ts";
import { fullTest } from "../support/sweeps.ts";

/**
 * The real wrangler deploys to a simulated Cloudflare API, with a small Worker instead of the site. A deployment takes ten
 * commands of a second of processor time each, so most are only made by `npm run test:full`.
 */

const DEPLOYMENT = new URL("../../scripts/deployment.ts", import.meta.url).href;
const PLAN = new URL("../../scripts/deployment-plan.ts", import.meta.url).href;
const QUEUES = [
  "rostrum-jobs",
  "rostrum-letters",
  "rostrum-events",
  "rostrum-imports",
  "rostrum-dead-letters",
];
/** The last two, Enter, are the paid plan and copies. */
const ANSWERS = ["https://www.nadia-okafor.net", "nadia@okafor.net", "site@okafor.net", "", ""];

let cloudflare: Awaited<ReturnType<typeof startCloudflareApi>>;
let folder: string;
let answersFile: string;
let backFile: string;
let migrationsFolder: string;

beforeEach(async () => {
  cloudflare = await startCloudflareApi();
  folder = await mkdtemp(join(tmpdir(), "rostrum-deployment-"));
  answersFile = join(folder, ".deploy.json");
  backFile = join(folder, ".deploy-back.json");
  migrationsFolder = join(root, "migrations");
});
afterEach(async () => {
  cloudflare.stop();
  await rm(folder, { recursive: true });
});

/** Spares wrangler's question which accounts there are: each command takes a second of processor time. */
const KNOWN_ACCOUNT = { CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID };

/** What an earlier run has created. */
function createEarlier() {
  cloudflare.state.databases.set("db", { name: "rostrum", sqlite: new DatabaseSync(":memory:") });
  cloudflare.state.namespaces.set("kv", "rostrum-kv");
  for (const name of QUEUES) cloudflare.state.queues.set(name, { id: name, consumers: [] });
}

/** What a build leaves: the configuration of wrangler.toml, with paths from its own folder, and some code. */
async function writeBuild() {
  const build = join(folder, "build", "server");
  const client = join(folder, "build", "client");
  for (const path of [build, client]) await mkdir(path, { recursive: true });
  await writeFile(join(build, "index.js"), "export default { fetch: () => new Response('built') };");
  await writeFile(join(client, "robots.txt"), "User-agent: *");
  const {
    build: _,
    unsafe: __,
    ...configuration
  } = unstable_readConfig({
    config: join(root, "wrangler.toml"),
  });
  const built = {
    ...configuration,
    main: "index.js",
    assets: { directory: "../client" },
    d1_databases: configuration.d1_databases.map((database: { binding: string }) =>
      database.binding === "DB"
        ? { ...database, migrations_dir: relative(build, migrationsFolder) }
        : database,
    ),
  };
  await writeFile(join(build, "wrangler.json"), JSON.stringify(built));
  return build;
}

/** Runs a deployment as `npm run deploy` does, with the answers typed in. */
async function deploy(answers: string[] = [], env: Record<string, string> = {}, args: string[] = []) {
  const build = await writeBuild();
  return runScript(
    `deploy({ args: ${JSON.stringify(args)}, build: async () => {}, folder: ${JSON.stringify(build)}, ...files })`,
    answers,
    env,
  );
}

/** Runs `npm run deploy -- --back`. */
const goBack = (answers: string[]) => runScript("returnToPrevious(files)", answers, KNOWN_ACCOUNT);

async function runScript(call: string, answers: string[], env: Record<string, string>) {
  const script = `
    const { deploy, returnToPrevious } = await import(${JSON.stringify(DEPLOYMENT)});
    const { Stopped } = await import(${JSON.stringify(PLAN)});
    const files = ${JSON.stringify({ answersFile, backFile })};
    await ${call}.catch((error) => {
      console.error(error instanceof Stopped ? error.message : error);
      process.exit(1);
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    // Only ends what hangs, before the test itself would end.
    timeout: 800_000,
    env: {
      ...process.env,
      CLOUDFLARE_ACCOUNT_ID: "",
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      NO_COLOR: "1",
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      CLOUDFLARE_API_TOKEN: "a-token",
      ...env,
    },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += String(text)));
  child.stdin.end(answers.map((answer) => `${answer}\n`).join(""));
  const [code] = (await once(child, "close")) as [number];
  return { code, said };
}

const created = () =>
  cloudflare.state.requests.filter((request) =>
    /^POST .*\/(database|namespaces|buckets|queues)$/.test(request),
  );

const variables = () =>
  Object.fromEntries(
    cloudflare.state
      .worker!.bindings.filter(({ type }) => type === "plain_text")
      .map(({ name, text }) => [name, text]),
  );

/** That the Worker is deployed with the answers, which are stored, and that the repository is unchanged. */
async function assertDeployed(said: string, wranglerToml: string) {
  assert.deepEqual([...cloudflare.state.queues.keys()].toSorted(), QUEUES.toSorted());
  assert.equal(variables()["SITE_URL"], ANSWERS[0]);
  assert.equal(variables()["ADMIN_EMAIL"], ANSWERS[1]);
  assert.equal(variables()["MAIL_FROM"], ANSWERS[2]);
  assert.equal(variables()["PLAN"], "paid");
  assert.equal(variables()["CLOUDFLARE_ACCOUNT_ID"], ACCOUNT_ID);
  assert.match(said, /copies {7}every night/);
  assert.deepEqual(cloudflare.state.locks.get("rostrum-backup"), [
    lockRule("rostrum-copies", "copies/"),
    lockRule("rostrum-files", "files/"),
  ]);
  assert.deepEqual(cloudflare.state.domains, ["www.nadia-okafor.net"]);
  assert.deepEqual(cloudflare.state.crons, ["* * * * *", "17 3 * * *"]);
  assert.match(said, /https:\/\/www\.nadia-okafor\.net\/admin\/setup/);
  assert.equal(await readFile(join(root, "wrangler.toml"), "utf8"), wranglerToml);
  const { KEY_SECRET, ...answers } = JSON.parse(await readFile(answersFile, "utf8")) as Record<
    string,
    string
  >;
  assert.match(KEY_SECRET!, /^[\w-]{43}$/);
  assert.deepEqual(
    cloudflare.state.worker!.bindings.filter(({ name }) => name === "KEY_SECRET"),
    [{ name: "KEY_SECRET", type: "secret_text", text: KEY_SECRET }],
  );
  assert.deepEqual(answers, {
    CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID,
    SITE_URL: ANSWERS[0],
    ADMIN_EMAIL: ANSWERS[1],
    MAIL_FROM: ANSWERS[2],
    PLAN: "paid",
    COPIES: "yes",
  });
}

test("a deployment asks five questions and creates the missing resources, of each kind", async () => {
  const before = await readFile(join(root, "wrangler.toml"), "utf8");
  createEarlier();
  cloudflare.state.namespaces.clear();
  cloudflare.state.queues.delete("rostrum-dead-letters");
  const { code, said } = await deploy(ANSWERS);
  assert.equal(code, 0, said);
  assert.deepEqual(cloudflare.state.unknown, []);
  assert.equal(created().length, 5);
  assert.deepEqual([...cloudflare.state.buckets].toSorted(), ["rostrum-backup", "rostrum-media"]);
  assert.deepEqual([...cloudflare.state.namespaces.values()], ["rostrum-kv"]);
  assert.deepEqual(
    [...cloudflare.state.databases.values()].map(({ name }) => name),
    ["rostrum", "rostrum-drill"],
  );
  await assertDeployed(said, before);
});

fullTest(
  "a failed first deployment creates all resources; a repeated one asks none and creates the missing",
  async () => {
    const before = await readFile(join(root, "wrangler.toml"), "utf8");
    const upload = `PUT /accounts/${ACCOUNT_ID}/workers/scripts/rostrum`;
    cloudflare.state.failures.set(upload, "The plan of this account allows no such Worker.");
    const failed = await deploy(ANSWERS);
    assert.equal(failed.code, 1);
    assert.match(failed.said, /allows no such Worker/);
    assert.match(failed.said, /Deploying failed\. The database is migrated/);
    assert.equal(cloudflare.state.worker, undefined);
    assert.deepEqual(cloudflare.state.unknown, []);
    assert.equal(created().length, 10);
    assert.deepEqual([...cloudflare.state.queues.keys()], QUEUES);
    assert.deepEqual([...cloudflare.state.buckets].toSorted(), ["rostrum-backup", "rostrum-media"]);
    assert.deepEqual([...cloudflare.state.namespaces.values()], ["rostrum-kv"]);
    const databases = [...cloudflare.state.databases.values()];
    assert.deepEqual(
      databases.map(({ name }) => name),
      ["rostrum", "rostrum-drill"],
    );
    const { sqlite } = databases[0]!;
    const { applied } = sqlite.prepare("select count(*) as applied from d1_migrations").get() as {
      applied: number;
    };
    assert.equal(
      applied,
      (await readdir(join(root, "migrations"))).filter((file) => file.endsWith(".sql")).length,
    );

    cloudflare.state.failures.delete(upload);
    cloudflare.state.queues.delete("rostrum-dead-letters");
    cloudflare.state.requests.length = 0;
    cloudflare.state.secrets.push({ name: "RESEND_API_KEY", type: "secret_text" });
    const { code, said } = await deploy();
    assert.equal(code, 0, said);
    assert.match(said, /emails {7}by Resend[^\n]*\n {4}letters {6}by Resend/);
    assert.deepEqual(created(), [`POST /accounts/${ACCOUNT_ID}/queues`]);
    await assertDeployed(said, before);
  },
);

/** Thirty days, in seconds. */
const lockRule = (id: string, prefix: string) => ({
  id,
  prefix,
  enabled: true,
  condition: { type: "Age", maxAgeSeconds: 30 * 86_400 },
});

const bound = () => cloudflare.state.worker!.bindings.map(({ name }) => name);

// `deployment-copies.test.ts` tries each answer.
fullTest(
  "copies have a bucket and a database only if they are wanted, and are locked only if Cloudflare does",
  async () => {
    createEarlier();
    cloudflare.state.buckets.add("rostrum-media");
    const without = await deploy([...ANSWERS.slice(0, 4), "no"], KNOWN_ACCOUNT);
    assert.equal(without.code, 0, without.said);
    assert.deepEqual(created(), []);
    assert.equal(bound().includes("BACKUP"), false);
    assert.equal(bound().includes("DRILL"), false);
    assert.match(without.said, /copies {7}none: npm run deploy -- --copies yes/);

    const path = `PUT /accounts/${ACCOUNT_ID}/r2/buckets/rostrum-backup/lock`;
    cloudflare.state.failures.set(path, "This account has no locks.");
    const { code, said } = await deploy([], KNOWN_ACCOUNT, ["--copies", "yes"]);
    assert.equal(code, 0, said);
    assert.deepEqual([...cloudflare.state.buckets].toSorted(), ["rostrum-backup", "rostrum-media"]);
    assert.equal(bound().includes("BACKUP") && bound().includes("DRILL"), true);
    assert.match(
      said,
      /To do it by hand:\n\s+npx wrangler r2 bucket lock add rostrum-backup rostrum-copies copies\/[^]*rostrum-backup rostrum-files files\//,
    );
    const answers = JSON.parse(await readFile(answersFile, "utf8")) as Record<string, string>;
    assert.equal(answers["COPIES"], "yes");

    // An earlier version did not store the answer.
    delete answers["COPIES"];
    await writeFile(answersFile, JSON.stringify(answers));
    const again = await deploy([], KNOWN_ACCOUNT);
    assert.equal(again.code, 0, again.said);
    assert.equal(bound().includes("BACKUP") && bound().includes("DRILL"), true);
  },
);

fullTest("a failed migration does not change the Worker", async () => {
  createEarlier();
  cloudflare.state.failures.set(`POST /accounts/${ACCOUNT_ID}/d1/database/db/query`, "D1 is overloaded.");
  const { code, said } = await deploy(ANSWERS, KNOWN_ACCOUNT);
  assert.equal(code, 1);
  assert.match(said, /D1 is overloaded[^]*Migrating the database failed\./);
  assert.equal(cloudflare.state.uploads, 0);
});

fullTest(
  "a queue is found in an account with more queues than wrangler lists, and one that cannot be created is reported",
  async () => {
    createEarlier();
    const { queues, failures } = cloudflare.state;
    queues.delete("rostrum-imports");
    queues.delete("rostrum-dead-letters");
    for (let n = 0; n < PER_PAGE; n++) queues.set(`other-${n}`, { id: `other-${n}`, consumers: [] });
    queues.set("rostrum-imports", { id: "imports", consumers: [] });
    // The first is found although a queue of its name cannot be created.
    failures.set(`POST /accounts/${ACCOUNT_ID}/queues`, "The plan of this account allows no more queues.");
    const { code, said } = await deploy(ANSWERS, KNOWN_ACCOUNT);
    assert.equal(code, 1);
    assert.match(said, /Creating queue .rostrum-dead-letters.[^]*allows no more queues/);
  },
);

describe("npm run deploy -- --back", () => {
  const subjects = () =>
    database()
      .prepare("select subject from letters order by id")
      .all()
      .map(({ subject }) => subject);
  const database = () => cloudflare.state.databases.get("db")!.sqlite;
  const writeLetter = (subject: string, startedAt: number) =>
    database()
      .prepare(
        `insert into letters (subject, preheader, status, segment, started_at, is_public, created_at, updated_at,
          embedded_file_ids, content, content_html) values (?, '', 'sent', '{}', ?, 0, 0, 0, '[]', '', '')`,
      )
      .run(subject, startedAt);

  async function deployed() {
    const { code, said } = await deploy(ANSWERS, KNOWN_ACCOUNT);
    assert.equal(code, 0, said);
    return cloudflare.state.versions[0]!;
  }

  // `deployment-back.test.ts` tries the other answers.
  fullTest(
    "restores the database on request, once it has named the migrations and counted the letters sent since",
    async () => {
      createEarlier();
      const migrations = join(folder, "migrations");
      await cp(join(root, "migrations"), migrations, { recursive: true });
      const newest = (await readdir(migrations))
        .filter((file) => file.endsWith(".sql"))
        .toSorted()
        .at(-1)!;
      await rename(join(migrations, newest), join(folder, newest));
      migrationsFolder = migrations;
      const first = await deployed();
      writeLetter("Before", 1);
      database().exec("insert into cache_tags (tag, version) values ('site', 5)");

      await rename(join(folder, newest), join(migrations, newest));
      const upload = `POST /accounts/${ACCOUNT_ID}/workers/scripts/rostrum/versions`;
      cloudflare.state.failures.set(upload, "Cloudflare is busy.");
      assert.equal((await deploy([], KNOWN_ACCOUNT)).code, 1);
      cloudflare.state.failures.delete(upload);
      // The repeated one migrates nothing, and still knows what the failed one has changed.
      await deployed();
      writeLetter("Since", Date.now());
      database().exec("update cache_tags set version = 7");

      const { code, said } = await goBack(["data"]);
      assert.equal(code, 0, said);
      assert.ok(said.includes(`changed the database (${newest.replace(".sql", "")})`), said);
      assert.match(said, /\(1 were sent since\)/);
      assert.match(said, /to undo that: npx wrangler d1 time-travel restore rostrum --bookmark=/);
      assert.equal(cloudflare.state.versions[0], first);
      assert.deepEqual(subjects(), ["Before"]);
      // A page that was cached since counts as older than the restored database.
      const { version } = database().prepare("select version from cache_tags").get() as { version: number };
      assert.ok(version > 7);
      assert.deepEqual(cloudflare.state.unknown, []);
    },
  );
});

test("without a Cloudflare login no question is asked", async () => {
  const { code, said } = await deploy(ANSWERS, { CLOUDFLARE_API_TOKEN: "" });
  assert.equal(code, 1);
  assert.match(said, /npx wrangler login/);
  assert.equal(said.includes("Site address"), false);
  assert.equal(existsSync(answersFile), false);
});

test("an invalid answer is asked again; without a terminal the deployment ends", async () => {
  const answers = ["http://localhost:8787", "https://podcast.example.com"];
  const { code, said } = await deploy(answers, KNOWN_ACCOUNT);
  assert.equal(code, 1);
  assert.match(said, /"http:\/\/localhost:8787" is not an address/);
  assert.match(said, /"https:\/\/podcast\.example\.com" is a local or an example address/);
  assert.match(said, /Nobody answers here/);
  assert.deepEqual(created(), []);
});

test("of several accounts one is chosen, once", async () => {
  cloudflare.state.accounts.unshift({ id: "b".repeat(32), name: "Somebody else's" });
  const { said } = await deploy(["2"]);
  assert.match(said, /1 {2}Somebody else's\n {2}2 {2}The owner's account/);
  const again = await deploy([], {
    ...KNOWN_ACCOUNT,
    SITE_URL: "http://podcast.okafor.net",
  });
  assert.equal(again.said.includes("Which account"), false);
  assert.match(again.said, /SITE_URL "http:\/\/podcast\.okafor\.net" does not begin with https/);
});

fullTest("a workers.dev address of another account's subdomain is refused", async () => {
  createEarlier();
  const answers = ["https://rostrum.stranger.workers.dev", ...ANSWERS.slice(1, 4), "no"];
  const { code, said } = await deploy(answers, KNOWN_ACCOUNT);
  assert.equal(code, 1);
  assert.equal(bound().includes("BACKUP") || bound().includes("DRILL"), false);
  assert.match(said, /answers at https:\/\/rostrum\.owner\.workers\.dev, not at https:\/\/rostrum\.stranger/);
});

describe("a value that is refused for deployment", () => {
  test.each([
    "http://okafor.net",
    "https://localhost",
    "https://site.localhost",
    "https://podcast.test",
    "https://nas.local",
    "https://example.com",
    "https://www.example.org",
    "https://192.168.1.20",
    "https://[::1]",
    "https://okafor.net:8443",
    "https://okafor.net/podcast",
    "https://a:b@okafor.net",
    "okafor.net",
    "",
  ])("the address %s", (value) => assert.notEqual(SETTINGS.SITE_URL.problemOf(value), null));

  test.each([
    "owner@example.com",
    "owner@mail.example.net",
    "owner@localhost",
    "owner@nas.local",
    "owner",
    "",
  ])("the email address %s", (value) => assert.notEqual(SETTINGS.MAIL_FROM.problemOf(value), null));

  test("a variable of wrangler.toml with a local value that has no question", () => {
    const vars = {
      RELAY: "https://user@localhost:25",
      REPLY_TO: "x@example.com",
      EDGE_CACHE: "on",
      LIMIT: 3,
    };
    assert.deepEqual(localVars(vars), ["RELAY", "REPLY_TO"]);
  });

  test("only that", () => {
    assert.equal(SETTINGS.SITE_URL.problemOf("https://example-podcast.net/"), null);
    assert.equal(SETTINGS.SITE_URL.problemOf("https://rostrum.nadia.workers.dev"), null);
    assert.equal(SETTINGS.ADMIN_EMAIL.problemOf("nadia@okafor.net"), null);
  });
});
