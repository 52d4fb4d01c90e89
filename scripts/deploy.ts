import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./local.ts";
import { root, run } from "./tools.ts";

/** Local values that must not go live: links in mails and feeds would lead nowhere, and nobody could sign in. */
const localValues: Record<string, RegExp> = {
  SITE_URL: /^SITE_URL = "(?!https:\/\/)/m,
  MAIL_FROM: /^MAIL_FROM = "[^"]*@example\./m,
  ADMIN_EMAIL: /^ADMIN_EMAIL = "[^"]*@example\./m,
  "the D1 database_id": /^database_id = "0{8}-/m,
  "the KV id": /^id = "0{32}"/m,
};

const configuration = readFileSync(join(root, "wrangler.toml"), "utf8");
const local = Object.entries(localValues).filter(([, pattern]) => pattern.test(configuration));
if (local.length > 0) {
  console.error(`Set ${local.map(([name]) => name).join(", ")} in wrangler.toml first (README, "Deploy").`);
  process.exit(1);
}

await build();
await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote"]);
await run("wrangler", ["deploy"]);
