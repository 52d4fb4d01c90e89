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

/**
 * Removes a super admin's authenticator app, recovery codes, passkeys, API tokens and pending address, and ends their sessions and links
 * by a new stamp. The password stays. Returns false if there is no such super admin.
 */
export async function removeSecondFactor(run: Run, email: string) {
  const address = email.trim().toLowerCase();
  if (!(await listSuperAdmins(run)).some((admin) => admin.email === address)) return false;
  const user = `(select id from users where email = ${quoted(address)} and role = 'super_admin')`;
  const now = Date.now();
  await run([
    ...["second_factors", "recovery_codes", "passkeys", "api_tokens", "known_devices"].map(
      (table) => `delete from ${table} where user_id = ${user}`,
    ),
    `update users set stamp = lower(hex(randomblob(32))), pending_email = null, updated_at = ${now} where id = ${user}`,
    // Guesses may have delayed the account.
    "delete from login_attempts",
    `insert into security_events (at, kind, email, by, address, user_agent)
      values (${now}, 'second_factor_reset', ${quoted(address)}, ${quoted(BY)}, '', '')`,
  ]);
  return true;
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
