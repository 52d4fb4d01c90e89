import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  localVars,
  readAnswers,
  saveAnswers,
  settingNames,
  SETTINGS,
  type Settings,
} from "./deployment-settings.ts";
import { goBack, noteMigrations, noteWayBack, readWayBack, type WayBack } from "./deployment-back.ts";
import { chooseCopies, lockCopies, withCopies } from "./deployment-copies.ts";
import { KEY_SECRET, keySecretFor } from "./deployment-key-secret.ts";
import { choosePlan, configurationFor, refuseLargeWorker, Stopped } from "./deployment-plan.ts";
import { capture, run } from "./tools.ts";
import type { LetterWay, MailWay } from "../worker/mail/contract.ts";
import { letterWayOf, mailWayOf } from "../worker/mail/ways.ts";

/** The variable by which wrangler knows the account. */
const ACCOUNT = "CLOUDFLARE_ACCOUNT_ID";

/** The variable by which the Worker knows its plan, and an answer of the owner. */
const PLAN = "PLAN";

/** An answer of the owner: whether copies are made. */
const COPIES = "COPIES";
/** As wrangler.toml names it. */
const COPIES_BUCKET = "rostrum-backup";

type Deployment = {
  /** The arguments of the command. */
  args?: string[];
  build: () => Promise<void>;
  /** Where the built Worker is, with the `wrangler.json` that Vite makes of wrangler.toml. */
  folder: string;
  /** The file with the owner's answers. */
  answersFile: string;
  /** The file with the way back from the last deployment. */
  backFile: string;
};

type Resource<T> = T & { binding: string };

/** The parts of the built configuration that are read here. */
type Configuration = {
  name: string;
  vars: Record<string, string>;
  triggers: { crons: string[] };
  limits?: unknown;
  routes?: { pattern: string; custom_domain: true }[];
  d1_databases: Resource<{ database_name: string; database_id?: string; preview_database_id?: string }>[];
  r2_buckets: Resource<{ bucket_name: string }>[];
  kv_namespaces: Resource<{ id?: string; preview_id?: string }>[];
  send_email?: { name: string }[];
  queues: { producers: { queue: string }[]; consumers: { queue: string; dead_letter_queue?: string }[] };
};

/**
 * Deploys the site to its owner's Cloudflare account: asks for unknown settings, creates missing resources, migrates
 * the database and deploys. Each step finds what an earlier run has done, so that it can be repeated at any time.
 * @throws `Stopped`
 */
export async function deploy({ args = [], build, folder, answersFile, backFile }: Deployment) {
  const prompt = createPrompt();
  const saved = readAnswers(answersFile);
  const known = (name: string) => process.env[name] || saved[name];
  const remember = (answers: Record<string, string>) =>
    saveAnswers(answersFile, Object.assign(saved, answers));

  const account = known(ACCOUNT) ?? (await chooseAccount(prompt));
  const isAsking = settingNames.some((name) => known(name) === undefined);
  const settings = await askSettings(prompt, known);
  const ask = (question: string) => prompt.ask(question).catch(() => null);
  const plan = await choosePlan({ args, known: known(PLAN), isAsking, ask });
  const hasCopies = await chooseCopies({
    args,
    known: known(COPIES),
    isAsking,
    hasBucket: () => hasCopiesBucket(account),
    ask,
  });
  remember({ [ACCOUNT]: account, ...settings });
  prompt.close();

  await step("Building the site", build, "Nothing was changed at Cloudflare.");

  refuseLargeWorker(plan, folder);
  remember({ [PLAN]: plan, [COPIES]: hasCopies ? "yes" : "no" });
  const built = readJson<Configuration>(join(folder, "wrangler.json"));
  const local = withCopies(hasCopies, built);
  const configuration = configurationFor(plan, siteConfiguration(local, settings, account));
  const file = join(folder, "wrangler.deploy.json");
  const wrangler: Wrangler = (command) =>
    capture("wrangler", [...command, "--config", file], { env: { [ACCOUNT]: account } });
  const write = () => writeFileSync(file, JSON.stringify(configuration));
  write();
  await step(
    "Creating what is missing",
    () => provision(configuration, wrangler),
    "A new account needs R2, switched on once at https://dash.cloudflare.com, and for the paid plan Workers Paid.",
  );
  write();
  await step(
    "Noting the way back",
    () => noteWayBack(backFile, siteOf(configuration), wrangler),
    "The database was not changed, and a site that is live was not replaced.",
  );
  const migrated = await step(
    "Migrating the database",
    () => wrangler(["d1", "migrations", "apply", "DB", "--remote"]),
    "The failed migration was rolled back, and a site that is live was not replaced.",
  );
  noteMigrations(backFile, migrated);
  const secrets = await listSecrets(wrangler);
  const keySecret = keySecretFor({ given: process.env[KEY_SECRET], saved: saved[KEY_SECRET], secrets });
  // First: a key that it encrypts cannot be read without it.
  if (keySecret !== null) remember({ [KEY_SECRET]: keySecret });
  const targets = await step(
    "Deploying",
    () => upload(file, account, keySecret),
    "The database is migrated, and what was created stays. A site that was live still runs its old version, or the new one if the upload was completed.",
  );
  const locks = await lockCopies(configuration, wrangler);
  greet(settings.SITE_URL, targets, {
    mail: mailOf(configuration, secrets ?? (await listSecrets(wrangler))),
    copies: hasCopies ? "every night" : "none: npm run deploy -- --copies yes",
    locks,
    hasNewKeySecret: keySecret !== null,
  });
}

/** Whether the bucket of copies exists. Its name is the same in each configuration. */
async function hasCopiesBucket(account: string) {
  const list = ["r2", "bucket", "list"];
  const said = await capture("wrangler", list, { env: { [ACCOUNT]: account } }).catch(() => "");
  return said.split(/\s+/).includes(COPIES_BUCKET);
}

/** What the way back is about. The database's id is known once what was missing is created. */
function siteOf({ name, d1_databases }: Configuration) {
  const { database_name, database_id } = d1_databases.find(({ binding }) => binding === "DB")!;
  return { worker: name, database: { name: database_name, id: database_id! } };
}

/**
 * `npm run deploy -- --back`: the version before the last deployment, and its database if the owner wants.
 * @throws `Stopped`
 */
export async function returnToPrevious({
  answersFile,
  backFile,
}: Pick<Deployment, "answersFile" | "backFile">) {
  const folder = await mkdtemp(join(tmpdir(), "rostrum-back-"));
  const prompt = createPrompt();
  try {
    const account = process.env[ACCOUNT] || readAnswers(answersFile)[ACCOUNT];
    const config = join(folder, "wrangler.json");
    const wayBack = readWayBack(backFile);
    if (wayBack) writeFileSync(config, JSON.stringify(minimalConfiguration(wayBack)));
    const wrangler: Wrangler = (command) =>
      capture("wrangler", [...command, "--config", config], { env: account ? { [ACCOUNT]: account } : {} });
    await goBack({ file: backFile, wrangler, ask: prompt.ask });
  } finally {
    prompt.close();
    await rm(folder, { recursive: true });
  }
}

/** Enough for wrangler to know the Worker and the database, without a build. */
const minimalConfiguration = ({ worker, database }: WayBack) => ({
  name: worker,
  d1_databases: [{ binding: "DB", database_name: database.name, database_id: database.id }],
});

type Prompt = ReturnType<typeof createPrompt>;

/** Reads answers line by line. Standard input is not touched before the first question: wrangler may ask too. */
function createPrompt() {
  let input: ReturnType<typeof createInterface> | undefined;
  let lines: AsyncIterator<string> | undefined;
  return {
    async ask(question: string) {
      input ??= createInterface({ input: process.stdin });
      lines ??= input[Symbol.asyncIterator]();
      process.stdout.write(`${question}\n> `);
      const { value, done } = await lines.next();
      if (done) throw new Stopped("Nobody answers here. Run it in a terminal once, or set the variable.");
      return value.trim();
    },
    close: () => input?.close(),
  };
}

/** The id of the account to deploy to: the only one, or the one that is chosen. */
async function chooseAccount(prompt: Prompt) {
  const answer = await step(
    "Asking Cloudflare who you are",
    () => capture("wrangler", ["whoami", "--json"]),
    "Sign in first: npx wrangler login",
  );
  const { accounts } = JSON.parse(answer) as { accounts: { id: string; name: string }[] };
  if (accounts.length === 1) return accounts[0]!.id;
  const list = accounts.map(({ name }, index) => `  ${index + 1}  ${name}`).join("\n");
  for (;;) {
    const chosen = accounts[Number(await prompt.ask(`Which account?\n${list}`)) - 1];
    if (chosen) return chosen.id;
  }
}

/** What is known is checked, what is not is asked, until each answer may go live. */
async function askSettings(prompt: Prompt, known: (name: string) => string | undefined) {
  const settings: Partial<Settings> = {};
  for (const name of settingNames) {
    const { question, problemOf } = SETTINGS[name];
    const given = known(name);
    if (given !== undefined) {
      const problem = problemOf(given);
      if (problem)
        throw new Stopped(`${name} "${given}" ${problem}. Correct it in .deploy.json or the environment.`);
    }
    let answer = given ?? (await prompt.ask(question));
    for (let problem = problemOf(answer); problem; problem = problemOf(answer)) {
      answer = await prompt.ask(`"${answer}" ${problem}. ${question}`);
    }
    settings[name] = name === "SITE_URL" ? new URL(answer).origin : answer;
  }
  return settings as Settings;
}

const WORKERS_DEV = ".workers.dev";

/** The built configuration with the owner's values, without the local ones, and with the domain that it answers at. */
function siteConfiguration(local: Configuration, settings: Settings, account: string): Configuration {
  const vars = { ...local.vars, ...settings, [ACCOUNT]: account };
  const built = {
    ...local,
    vars,
    d1_databases: local.d1_databases.map(({ preview_database_id: _local, ...database }) => database),
    kv_namespaces: local.kv_namespaces.map(({ preview_id: _local, ...namespace }) => namespace),
  };
  const unset = localVars(vars);
  if (unset.length > 0)
    throw new Stopped(`Set ${unset.join(", ")} in wrangler.toml: its value is a local one.`);
  const { hostname } = new URL(settings.SITE_URL);
  if (!hostname.endsWith(WORKERS_DEV)) {
    return { ...built, routes: [{ pattern: hostname, custom_domain: true }] };
  }
  if (!hostname.startsWith(`${built.name}.`)) {
    throw new Stopped(
      `At ${WORKERS_DEV.slice(1)} this Worker is https://${built.name}.YOUR-SUBDOMAIN${WORKERS_DEV}. Correct SITE_URL in .deploy.json.`,
    );
  }
  return built;
}

type Wrangler = (args: string[]) => Promise<string>;

/**
 * Finds or creates the database, the KV namespace and the queues, and writes their ids into the configuration. Wrangler
 * itself finds the R2 bucket by name, or creates it, when it deploys. The database must exist earlier, because its
 * migrations come first; so must the namespace, which wrangler finds only through a deployed Worker: a first deployment
 * that failed after creating it could not be repeated. Wrangler does not create a dead-letter queue.
 */
async function provision({ name, d1_databases, kv_namespaces, queues }: Configuration, wrangler: Wrangler) {
  const named = new Set([
    ...queues.producers.map(({ queue }) => queue),
    ...queues.consumers.flatMap(({ queue, dead_letter_queue }) =>
      dead_letter_queue ? [queue, dead_letter_queue] : [queue],
    ),
  ]);
  await ensureDatabases(d1_databases, wrangler);
  for (const namespace of kv_namespaces) {
    namespace.id ??= await namespaceId(`${name}-${namespace.binding.toLowerCase()}`, wrangler);
  }
  // The first page of a table; `ensureQueue` finds a queue of a later page.
  const listed = new Set((await wrangler(["queues", "list"])).split(/[│\s]+/));
  for (const queue of named) if (!listed.has(queue)) await ensureQueue(queue, wrangler);
}

async function ensureDatabases(databases: Configuration["d1_databases"], wrangler: Wrangler) {
  const list = async () =>
    JSON.parse(await wrangler(["d1", "list", "--json"])) as { name: string; uuid: string }[];
  let listed = await list();
  const idOf = (wanted: string) => listed.find(({ name }) => name === wanted)?.uuid;
  const missing = databases.map(({ database_name }) => database_name).filter((name) => !idOf(name));
  for (const name of missing) {
    await wrangler(["d1", "create", name, "--update-config=false"]);
    console.log(`  created the database ${name}`);
  }
  if (missing.length > 0) listed = await list();
  for (const database of databases) {
    database.database_id ??=
      idOf(database.database_name) ?? refuseUnlisted("database", database.database_name);
  }
}

async function namespaceId(title: string, wrangler: Wrangler) {
  const find = async () =>
    (JSON.parse(await wrangler(["kv", "namespace", "list"])) as { title: string; id: string }[]).find(
      (namespace) => namespace.title === title,
    )?.id;
  const id = await find();
  if (id) return id;
  await wrangler(["kv", "namespace", "create", title, "--update-config=false"]);
  console.log(`  created the KV namespace ${title}`);
  return (await find()) ?? refuseUnlisted("KV namespace", title);
}

/** The commands that create print the id for people only: it is read from the list. */
function refuseUnlisted(kind: string, name: string): never {
  throw new Error(`The ${kind} ${name} was created and is not listed yet.`);
}

async function ensureQueue(name: string, wrangler: Wrangler) {
  try {
    await wrangler(["queues", "create", name]);
    console.log(`  created the queue ${name}`);
  } catch (error) {
    const isThere = await wrangler(["queues", "info", name]).then(
      () => true,
      () => false,
    );
    if (!isThere) throw error;
  }
}

/**
 * Uploads the Worker and returns where it answers. In a terminal wrangler asks before it takes a domain away from
 * something else; that is why it is not captured.
 */
async function upload(file: string, account: string, keySecret: string | null) {
  const folder = await mkdtemp(join(tmpdir(), "rostrum-deploy-"));
  try {
    const output = join(folder, "output.ndjson");
    const env = { [ACCOUNT]: account, WRANGLER_OUTPUT_FILE_PATH: output };
    const secrets = join(folder, "secrets.json");
    if (keySecret !== null)
      writeFileSync(secrets, JSON.stringify({ [KEY_SECRET]: keySecret }), { mode: 0o600 });
    // The other secrets of the Worker stay.
    const withSecret = keySecret === null ? [] : ["--secrets-file", secrets];
    await run("wrangler", ["deploy", "--config", file, ...withSecret], { env, input: "inherit" });
    const entries = (await readFile(output, "utf8")).trim().split("\n");
    return entries.flatMap((entry) => (JSON.parse(entry) as { targets?: string[] }).targets ?? []);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const MAILS: Record<MailWay, string> = {
  smtp: "by the mail server of SMTP_URL",
  resend: "by Resend, with the key of RESEND_API_KEY",
  cloudflare: "by Cloudflare's Email Service, the binding EMAIL",
  console: "not sent",
  database: "not sent: no mail server is set, see docs/deploy.md#email",
};

const LETTERS: Record<LetterWay, string> = {
  resend: "by Resend, with the key of RESEND_API_KEY",
  smtp: "by the mail server of SMTP_URL",
  console: "not sent",
  none: "not sent: they need SMTP_URL or RESEND_API_KEY",
};

/** The names of the Worker's secrets; null if they cannot be listed, as before the first deployment. */
const listSecrets = (wrangler: Wrangler) =>
  wrangler(["secret", "list", "--format", "json"]).then(
    (list) => (JSON.parse(list) as { name: string }[]).map(({ name }) => name),
    () => null,
  );

/** How the deployed site sends emails and letters, by the site's own rule; null if the secrets are not known. */
function mailOf({ vars, send_email = [] }: Configuration, secrets: string[] | null) {
  if (!secrets) return null;
  const isSet = (name: string) => (secrets.includes(name) || vars[name] ? "set" : undefined);
  const key = isSet("RESEND_API_KEY");
  const ways = {
    config: { siteUrl: vars["SITE_URL"]!, smtpUrl: isSet("SMTP_URL"), resend: key && { key, url: "" } },
    hasEmail: send_email.some(({ name }) => name === "EMAIL"),
  };
  return { mails: MAILS[mailWayOf(ways)], letters: LETTERS[letterWayOf(ways)] };
}

type Deployed = {
  mail: ReturnType<typeof mailOf>;
  copies: string;
  /** The commands that lock the copies, as far as they are still needed. */
  locks: string[];
  hasNewKeySecret: boolean;
};

/** `targets` is wrangler's output of the addresses, crons and queues through which the Worker is reached. */
function greet(siteUrl: string, targets: string[], { mail, copies, locks, hasNewKeySecret }: Deployed) {
  const { host } = new URL(siteUrl);
  if (!targets.some((target) => target.includes(host))) {
    const addresses = targets.filter((target) => target.startsWith("https://"));
    throw new Stopped(
      `The site is deployed, but it answers at ${addresses.join(", ") || "no address"}, not at ${siteUrl}. Correct SITE_URL in .deploy.json.`,
    );
  }
  console.log(`
  Rostrum is deployed.
    the site     ${siteUrl}
    the admin    ${siteUrl}/admin  (first time: ${siteUrl}/admin/setup)${
      mail
        ? `
    emails       ${mail.mails}
    letters      ${mail.letters}`
        : ""
    }
    copies       ${copies}${
      locks.length === 0
        ? ""
        : `
    Cloudflare did not lock the copies against deletion. To do it by hand:
      ${locks.join("\n      ")}`
    }${
      hasNewKeySecret
        ? `
    KEY_SECRET   made, and stored in .deploy.json: keep it with your backups (docs/deploy.md#the-key-secret)`
        : ""
    }
`);
}

/** Shows each step, and the remedy if it fails. */
async function step<T>(name: string, work: () => Promise<T>, remedy: string) {
  console.log(`${name} …`);
  try {
    return await work();
  } catch (error) {
    throw new Stopped(
      `${error instanceof Error ? error.message : String(error)}\n\n${name} failed. ${remedy}`,
      { cause: error },
    );
  }
}

const readJson = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;
