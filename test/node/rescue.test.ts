import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { getPlatformProxy } from "wrangler";
import { listSuperAdmins, rescueAccount, type Run } from "../../scripts/rescue-account.ts";
import { makeTables } from "../support/made-tables.ts";

let folder: string;
let proxy: Awaited<ReturnType<typeof getPlatformProxy<Env>>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rostrum-rescue-"));
  proxy = await getPlatformProxy<Env>({ persist: { path: join(folder, "v3") }, remoteBindings: false });
  await makeTables(proxy.env.DB);
  const insert = (sql: string, ...values: unknown[]) => proxy.env.DB.prepare(sql).bind(...values);
  await proxy.env.DB.batch(
    [
      ["owner", "o'hara@example.com", "super_admin"],
      ["second", "second@example.com", "super_admin"],
      ["editor", "editor@example.com", "editor"],
    ].flatMap(([id, email, role]) => [
      insert(
        `insert into users (id, email, full_name, role, password_hash, is_active, email_verified, stamp, pending_email, created_at, updated_at)
        values (?1, ?2, 'A Name', ?3, 'hash', 1, 1, 'stamp', 'thief@example.com', 1, 1)`,
        id,
        email,
        role,
      ),
      insert(
        "insert into second_factors (user_id, secret, created_at, enabled_at) values (?1, 's', 1, 1)",
        id,
      ),
      insert("insert into recovery_codes (hash, user_id, created_at) values (?1, ?1, 1)", id),
      insert(
        `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
        values (?1, ?1, ?1, '', 0, '[]', 'A key', 1)`,
        id,
      ),
      insert("insert into known_devices (user_id, hash, first_at, last_at) values (?1, ?1, 1, 1)", id),
      insert(
        "insert into api_tokens (id, hash, user_id, name, scopes, created_at) values (?1, ?1, ?1, 'A script', '[]', 1)",
        id,
      ),
    ]),
  );
});
afterAll(async () => {
  await proxy.dispose();
  await rm(folder, { recursive: true });
});

const run: Run = async (statements) =>
  (await proxy.env.DB.batch<Record<string, unknown>>(statements.map((sql) => proxy.env.DB.prepare(sql)))).map(
    ({ results }) => results,
  );
const rowsOf = async (sql: string) => (await run([sql]))[0];

test("lists the super admins, with what a sign-in asks them for", async () => {
  assert.deepEqual(
    (await listSuperAdmins(run)).map(({ email, has_app, passkeys }) => [email, has_app, passkeys]),
    [
      ["o'hara@example.com", 1, 1],
      ["second@example.com", 1, 1],
    ],
  );
});

test("refuses an address that is not a super admin’s", async () => {
  for (const email of ["editor@example.com", "x' or '1'='1"])
    assert.match((await rescueAccount(run, { email })) ?? "", /^There is no super admin/);
  assert.deepEqual(await rowsOf("select count(*) as n from second_factors"), [{ n: 3 }]);
});

test("removes app, recovery codes, passkeys and API tokens of the one who is named, and is in the audit log", async () => {
  assert.equal(await rescueAccount(run, { email: " O'Hara@example.com" }), null);
  for (const table of ["second_factors", "recovery_codes", "passkeys", "api_tokens", "known_devices"])
    assert.deepEqual(await rowsOf(`select user_id from ${table} order by user_id`), [
      { user_id: "editor" },
      { user_id: "second" },
    ]);
  const [owner] = (await rowsOf("select stamp, password_hash, pending_email from users where id = 'owner'"))!;
  assert.notEqual(owner!["stamp"], "stamp");
  assert.equal(owner!["password_hash"], "hash");
  assert.equal(owner!["pending_email"], null);
  assert.deepEqual(await rowsOf("select kind, email, by from security_events"), [
    { kind: "second_factor_reset", email: "o'hara@example.com", by: "npm run rescue" },
  ]);
});

test("gives the account another address that is free, without a password, and both are in the audit log", async () => {
  const email = "second@example.com";
  for (const [newEmail, fault] of [
    ["editor@example.com", "Another user has the address editor@example.com."],
    ["not an address", "not an address is not an email address."],
  ])
    assert.equal(await rescueAccount(run, { email, newEmail }), fault);
  await run(["update users set email_verified = 0 where id = 'second'", "delete from security_events"]);
  assert.equal(await rescueAccount(run, { email, newEmail: "Own@example.com" }), null);
  assert.deepEqual(
    await rowsOf(
      "select email, email_verified, password_hash, pending_email, stamp = 'stamp' as same from users where id = 'second'",
    ),
    [{ email: "own@example.com", email_verified: 1, password_hash: null, pending_email: null, same: 0 }],
  );
  assert.deepEqual(await rowsOf("select user_id from passkeys"), [{ user_id: "editor" }]);
  assert.deepEqual(await rowsOf("select kind, email, by, detail from security_events order by id"), [
    { kind: "second_factor_reset", email: "own@example.com", by: "npm run rescue", detail: null },
    {
      kind: "address_changed",
      email: "own@example.com",
      by: "npm run rescue",
      detail: "second@example.com → own@example.com",
    },
  ]);
});
