import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig as readConfig } from "wrangler";
import { BadArchive } from "../worker/exports/contract.ts";
import { createContext, type Context } from "../worker/platform/context.ts";
import { AppError } from "../worker/platform/errors.ts";
import { STATE } from "./local.ts";
import { migrate } from "./migrations.ts";
import { restoreSite } from "./restore-site.ts";
import { capture } from "./tools.ts";

/**
 * `npm run restore -- FILE` restores the local, empty site from an archive (Settings → Export); with `--remote`, the one at
 * Cloudflare. Stop a local site first. After an interruption, the same command continues.
 */

type Bindings = {
  compatibility_date: string;
  d1_databases: { binding: string; database_name: string }[];
  r2_buckets: { binding: string; bucket_name: string }[];
};

const localProxy = () =>
  getPlatformProxy<Env>({ persist: { path: join(STATE, "v3") }, remoteBindings: false });

async function localSite() {
  const proxy = await localProxy();
  await migrate(proxy.env.DB);
  return proxy;
}

/** The local values, with the database and the bucket at Cloudflare. */
async function remoteSite() {
  const local = await localProxy();
  const { compatibility_date, d1_databases, r2_buckets } = readConfig({}, {}) as unknown as Bindings;
  const { database_name } = d1_databases.find(({ binding }) => binding === "DB")!;
  const { bucket_name } = r2_buckets.find(({ binding }) => binding === "MEDIA")!;
  const { uuid } = JSON.parse(await capture("wrangler", ["d1", "info", database_name, "--json"])) as {
    uuid: string;
  };
  const folder = await mkdtemp(join(tmpdir(), "rostrum-restore-"));
  const configPath = join(folder, "wrangler.json");
  await writeFile(
    configPath,
    JSON.stringify({
      name: "rostrum-restore",
      compatibility_date,
      d1_databases: [{ binding: "DB", database_name, database_id: uuid, remote: true }],
      r2_buckets: [{ binding: "MEDIA", bucket_name, remote: true }],
    }),
  );
  const remote = await getPlatformProxy<Env>({ configPath, persist: false });
  return {
    env: { ...local.env, DB: remote.env.DB, MEDIA: remote.env.MEDIA },
    async dispose() {
      await Promise.all([local.dispose(), remote.dispose()]);
      await rm(folder, { recursive: true });
    },
  };
}

async function main() {
  const [path, ...others] = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
  if (path === undefined) {
    console.error(
      "Name the archive, then those with its files: npm run restore -- site.zip site-files-1.zip",
    );
    process.exit(1);
  }
  const isRemote = process.argv.includes("--remote");
  const { env, dispose } = isRemote ? await remoteSite() : await localSite();
  try {
    const nothing = { send: async () => {}, sendBatch: async () => {} } as unknown as Context["imports"];
    const ctx = {
      ...createContext(env, { actor: { kind: "job", name: "restore" } }),
      imports: nothing,
      jobs: nothing,
    };
    const say = (line: string) => console.log(line);
    const report = await restoreSite(ctx, [path, ...others], say);
    console.log(report.join("\n"));
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof BadArchive)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    await dispose();
  }
}

await main();
