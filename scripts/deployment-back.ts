import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { Stopped } from "./deployment-plan.ts";

type Wrangler = (args: string[]) => Promise<string>;

/** The way back from a deployment; git ignores its file. */
export type WayBack = {
  /** ISO 8601. */
  deployedAt: string;
  worker: string;
  database: { name: string; id: string };
  /** The Worker's version before the deployment. */
  version: string;
  /** The database before the deployment, as D1's Time Travel names it. */
  bookmark: string;
  /** What the deployment changed in the database; null if it ended before that was known. */
  migrations: string[] | null;
};

type Site = Pick<WayBack, "worker" | "database">;

/**
 * Notes the live version and the database as it is now. Nothing for a Worker that is not live yet. If the deployment
 * before never went live, its own note stays: the database may have been changed since.
 */
export async function noteWayBack(file: string, site: Site, wrangler: Wrangler) {
  const version = await liveVersion(wrangler);
  if (version === null) return;
  if (readWayBack(file)?.version === version) return;
  const { bookmark } = JSON.parse(
    await wrangler(["d1", "time-travel", "info", site.database.name, "--json"]),
  ) as { bookmark: string };
  save(file, { deployedAt: new Date().toISOString(), ...site, version, bookmark, migrations: null });
}

/** Adds what the deployment changed in the database, as wrangler printed it. */
export function noteMigrations(file: string, printed: string) {
  const noted = readWayBack(file);
  if (!noted) return;
  const applied = printed.match(/\d{4}_\w+(?=\.sql)/g) ?? [];
  save(file, { ...noted, migrations: [...new Set([...(noted.migrations ?? []), ...applied])] });
}

export function readWayBack(file: string): WayBack | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as WayBack;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Error(`${file} cannot be read: ${String(error)}`, { cause: error });
  }
}

const save = (file: string, wayBack: WayBack) => writeFileSync(file, `${JSON.stringify(wayBack, null, 2)}\n`);

/** Null if the Worker has never been deployed. */
async function liveVersion(wrangler: Wrangler) {
  let status: string;
  try {
    status = await wrangler(["deployments", "status", "--json"]);
  } catch (error) {
    if (/has no deployments|does not exist/.test(String(error))) return null;
    throw error;
  }
  const { versions } = JSON.parse(status) as { versions: { version_id: string; percentage: number }[] };
  return versions.toSorted((a, b) => b.percentage - a.percentage)[0]?.version_id ?? null;
}

type Return = { file: string; wrangler: Wrangler; ask: (question: string) => Promise<string> };

/**
 * Makes the version before the last deployment live again; on request, with the database as it was then.
 * @throws {Stopped}
 */
export async function goBack({ file, wrangler, ask }: Return) {
  const wayBack = readWayBack(file);
  if (!wayBack)
    throw new Stopped("There is nothing to go back to: no deployment from here replaced a version.");
  const choice = await choose(wayBack, ask, wrangler);
  if (choice === null) throw new Stopped("Nothing was changed.");
  if ((await liveVersion(wrangler)) !== wayBack.version) {
    await wrangler(["rollback", wayBack.version, "--message", "npm run deploy -- --back", "--yes"]);
    console.log("  the earlier version is live");
  }
  if (choice === "data") await restoreDatabase(wayBack, wrangler);
  rmSync(file);
}

/** Changes are numbered, and a page that was cached since has a higher number than the restored database. */
const EXPIRE = "update cache_tags set version = version + 1000000000";

async function restoreDatabase({ database: { name }, bookmark, deployedAt }: WayBack, wrangler: Wrangler) {
  const said = await wrangler(["d1", "time-travel", "restore", name, `--bookmark=${bookmark}`, "--json"]);
  const { previous_bookmark: before } = JSON.parse(said) as { previous_bookmark: string };
  console.log(`  the database is as it was at ${deployedAt}
  to undo that: npx wrangler d1 time-travel restore ${name} --bookmark=${before}`);
  await execute(name, EXPIRE, wrangler);
}

type Choice = "code" | "data" | null;

/** What to go back with; null to change nothing. */
async function choose(wayBack: WayBack, ask: Return["ask"], wrangler: Wrangler): Promise<Choice> {
  const { question, answers } =
    wayBack.migrations?.length === 0
      ? { question: unmigrated(wayBack), answers: ["code"] }
      : { question: await migrated(wayBack, wrangler), answers: ["code", "data"] };
  let asked = question;
  for (;;) {
    const answer = (await ask(asked)).toLowerCase();
    if (answer === "") return null;
    if (answers.includes(answer)) return answer as Choice;
    asked = `"${answer}" is not an answer here. ${question}`;
  }
}

const unmigrated = ({ deployedAt }: WayBack) =>
  `Go back to the version before the deployment of ${deployedAt}? It did not change the database, so all data stays.
  code   go back
  Enter  change nothing`;

async function migrated({ deployedAt, migrations, database }: WayBack, wrangler: Wrangler) {
  const change = migrations
    ? `changed the database (${migrations.join(", ")})`
    : "may have changed the database";
  const letters = await lettersSince(deployedAt, database.name, wrangler);
  return `Go back to the version before the deployment of ${deployedAt}? It ${change}.
  data   with the database as it was. All that was saved since is lost. Files uploaded since are not served, and are
         deleted 30 days after their upload. Letters that were scheduled then are sent again (${letters} were sent
         since). People who unsubscribed or had their data deleted since are back.
  code   with today's database: nothing is lost, but the earlier version may fail with it
  Enter  change nothing`;
}

async function lettersSince(deployedAt: string, database: string, wrangler: Wrangler) {
  const select = `select count(*) as letters from letters where started_at >= ${Date.parse(deployedAt)}`;
  const [row] = await execute<{ letters: number }>(database, select, wrangler);
  return row!.letters;
}

async function execute<Row>(database: string, sql: string, wrangler: Wrangler) {
  const said = await wrangler(["d1", "execute", database, "--remote", "--yes", "--json", "--command", sql]);
  return (JSON.parse(said) as [{ results: Row[] }])[0].results;
}
