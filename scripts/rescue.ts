import { parseArgs } from "node:util";
import { listSuperAdmins, rescueAccount, type Run } from "./rescue-account.ts";
import { capture } from "./tools.ts";

/**
 * For the last super admin who lost their second factor, or whose address a thief has changed: `npm run rescue` lists the super
 * admins, `npm run rescue -- ADDRESS` removes the second factor, the passkeys and the API tokens of one, and `--email NEW` gives
 * the account another address. In the local database without `--remote`; with it, only who has the account at Cloudflare can.
 */
const { values, positionals } = parseArgs({
  options: { remote: { type: "boolean" }, local: { type: "boolean" }, email: { type: "string" } },
  allowPositionals: true,
});
const [address] = positionals;
const place = values.remote ? "--remote" : "--local";

const inDatabase: Run = async (statements) => {
  const command = statements.join(";\n");
  const args = ["d1", "execute", "DB", place, "--yes", "--json", "--command", command];
  const said = await capture("wrangler", args);
  return (JSON.parse(said) as { results: Record<string, unknown>[] }[]).map(({ results }) => results);
};

const WITH_PASSWORD = `Sign in at /admin/login with the password. If it is lost, too, choose “Forgot your password?” there: the email's link
sets a new one.`;

if (address === undefined) await list();
else await rescue(address, values.email);

async function list() {
  const admins = await listSuperAdmins(inDatabase);
  for (const { email, full_name: name, is_active: isActive, has_app: hasApp, passkeys } of admins) {
    const notes = [
      hasApp ? "authenticator app" : "no authenticator app",
      passkeys === 1 ? "1 passkey" : `${passkeys} passkeys`,
      ...(isActive ? [] : ["may not sign in"]),
    ];
    console.log(`${email}  ${name}  (${notes.join(", ")})`);
  }
  console.log(
    admins.length === 0
      ? "There is no super admin here yet. Open /admin/setup."
      : `\nTo remove the second factor of one: npm run rescue -- ADDRESS${place === "--remote" ? " --remote" : ""}
If the address is no longer theirs, add --email and the one that is.`,
  );
}

async function rescue(email: string, newEmail: string | undefined) {
  const fault = await rescueAccount(inDatabase, { email, newEmail });
  if (fault !== null) {
    console.error(`${fault}\n`);
    await list();
    process.exit(1);
  }
  console.log(`The authenticator app, the recovery codes, the passkeys and the API tokens of ${email} are removed.
All their devices are signed out. The audit log has it.

${
  newEmail === undefined
    ? WITH_PASSWORD
    : `The account has the address ${newEmail} and no password. Choose “Forgot your password?” at /admin/login: the email's link
sets one.`
}
Then set up a second factor again under Your account.`);
}
