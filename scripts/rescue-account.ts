import { isAddress, storedAddress } from "../worker/platform/text/email-address.ts";

/** Runs statements in the site's database, as one transaction, and returns the rows of each. */
export type Run = (statements: string[]) => Promise<Record<string, unknown>[][]>;

export type SuperAdmin = {
  email: string;
  full_name: string;
  is_active: number;
  has_app: number;
  passkeys: number;
};

/** The super admins of a site, with what a sign-in asks them for. */
export async function listSuperAdmins(run: Run) {
  const [rows = []] = await run([
    `select email, full_name, is_active,
      exists (select 1 from second_factors where user_id = users.id and enabled_at is not null) as has_app,
      (select count(*) from passkeys where user_id = users.id) as passkeys
    from users where role = 'super_admin' order by email`,
  ]);
  return rows as SuperAdmin[];
}

/** `by` in the audit log: only the owner of the account at Cloudflare can run it. */
const BY = "npm run rescue";

type Rescue = {
  /** The super admin's address. */
  email: string;
  /** Another one that the account gets: a thief may have changed it. */
  newEmail?: string | undefined;
};

/**
 * Removes a super admin's authenticator app, recovery codes, passkeys, API tokens, known devices and pending address, and ends their
 * sessions and links by a new stamp. The password stays, except with a new address: then it is the thief's, and "Forgot your
 * password?" sets another one. Returns why not, or null.
 */
export async function rescueAccount(run: Run, { email, newEmail }: Rescue) {
  const address = storedAddress(email);
  if (!(await listSuperAdmins(run)).some((admin) => admin.email === address))
    return `There is no super admin with the address ${address}.`;
  const next = newEmail === undefined ? address : storedAddress(newEmail);
  const fault = next === address ? null : await whyNotNew(run, next);
  if (fault) return fault;
  const user = `(select id from users where email = ${quoted(address)} and role = 'super_admin')`;
  const now = Date.now();
  const log = (kind: string, detail: string | null) =>
    `insert into security_events (at, kind, email, by, address, user_agent, detail)
      values (${now}, '${kind}', ${quoted(next)}, ${quoted(BY)}, '', '', ${detail === null ? "null" : quoted(detail)})`;
  const isMoved = newEmail !== undefined;
  await run([
    ...["second_factors", "recovery_codes", "passkeys", "api_tokens", "known_devices"].map(
      (table) => `delete from ${table} where user_id = ${user}`,
    ),
    `update users set stamp = lower(hex(randomblob(32))), pending_email = null, updated_at = ${now}
      ${isMoved ? `, email = ${quoted(next)}, email_verified = 1, password_hash = null` : ""} where id = ${user}`,
    // Guesses may have delayed the account.
    "delete from login_attempts",
    log("second_factor_reset", null),
    ...(next !== address ? [log("address_changed", `${address} → ${next}`)] : []),
  ]);
  return null;
}

async function whyNotNew(run: Run, address: string) {
  if (!isAddress(address)) return `${address} is not an email address.`;
  const [[taken] = []] = await run([`select id from users where email = ${quoted(address)}`]);
  return taken ? `Another user has the address ${address}.` : null;
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
