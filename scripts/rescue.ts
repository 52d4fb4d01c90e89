import { listSuperAdmins, removeSecondFactor, type Run } from "./rescue-account.ts";
import { capture } from "./tools.ts";

/**
 * For the last super admin who lost their second factor: `npm run rescue` lists the super admins, `npm run rescue -- ADDRESS`
 * removes the second factor, the passkeys and the API tokens of one. In the local database without `--remote`; with it, only who has the
 * account at Cloudflare can.
 */
const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
const place = process.argv.includes("--remote") ? "--remote" : "--local";

const inDatabase: Run = async (statements) => {
  const command = statements.join(";\n");
  const args = ["d1", "execute", "DB", place, "--yes", "--json", "--command", command];
  const said = await capture("wrangler", args);
  return (JSON.parse(said) as { results: Record<string, unknown>[] }[]).map(({ results }) => results);
};

if (address === undefined) await list();
else await rescue(address);

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
      : `\nTo remove the second factor of one: npm run rescue -- ADDRESS${place === "--remote" ? " --remote" : ""}`,
  );
}

async function rescue(email: string) {
  if (!(await removeSecondFactor(inDatabase, email))) {
    console.error(`There is no super admin with the address ${email}. They are:\n`);
    await list();
    process.exit(1);
  }
  console.log(`The authenticator app, the recovery codes, the passkeys and the API tokens of ${email} are removed.
All their devices are signed out. The audit log has it.

Sign in at /admin/login with the password. If it is lost, too, choose “Forgot your password?” there: the email's link
sets a new one. Then set up a second factor again under Your account.`);
}
