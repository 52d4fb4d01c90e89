import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { eventRow } from "#worker/accounts/audit-log.ts";
import type { SecurityEventKind } from "#worker/accounts/contract.ts";
import { followAlertChoice, sendLogAlerts } from "#worker/accounts/log-alerts.ts";
import { closeRefusals } from "#worker/accounts/refusals.ts";
import { leftOutRefusals, logAlerts, securityEvents } from "#worker/accounts/table.ts";
import { MAIL_TOPIC, type Mail } from "#worker/mail/message.ts";
import { createContext } from "#worker/platform/context.ts";
import { outbox } from "#worker/platform/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";
import { readOwnerAddress } from "#worker/accounts/notice-address.ts";
import { addUser, HOUR, rejectionOf, signedInAs } from "./support/accounts.ts";
import { jobContext, ownerContext } from "./support/client.ts";
import { faultyBindings } from "./support/faults.ts";
import { jobs } from "./support/newsletter.ts";
import { forgetRates } from "./support/rates.ts";

const MINUTE = 60_000;
const { db } = jobContext();
const start = Date.now();
/** The minute's cron, this often together. */
async function tick(minutes: number, times = 1) {
  const contexts = Array.from({ length: times }, () =>
    jobContext({ jobs, now: new Date(start + minutes * MINUTE) }),
  );
  await Promise.all(contexts.map(followAlertChoice));
  await Promise.all(contexts.map(sendLogAlerts));
}

const aboutSettings = ({ subject }: Mail) =>
  /^(?:Emails about security events were switched off|The site’s contact address was changed)/.test(subject);
const mails = async () => (await allMails()).filter((mail) => !aboutSettings(mail));
const allMails = async () =>
  (
    await db
      .select()
      .from(outbox)
      .where(eq(outbox.topic, MAIL_TOPIC))
      .orderBy(sql`rowid`)
  ).map(({ payload }) => payload as Mail);
const happens = async (kind: SecurityEventKind, count = 1) => {
  for (let n = 0; n < count; n++) await eventRow(ownerContext(), { kind, email: "a@example.com" });
};
const choose = (...kinds: SecurityEventKind[]) => updateSite(ownerContext(), { alerts: { kinds } });

beforeEach(async () => {
  await forgetRates();
  await choose();
  await db.delete(outbox);
  await db.delete(logAlerts);
  await db.delete(securityEvents);
});

describe("an email about security events", () => {
  it("is sent for the kinds that the owner has chosen, with their number, and not for earlier ones", async () => {
    await happens("login", 3);
    await choose("login", "user_created");
    await tick(0);
    expect(await mails()).toEqual([]);
    await happens("login", 2);
    await happens("logout", 5);
    await tick(1, 2);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail!.subject).toMatch(/^Signed in: /);
    expect(mail!.text).toContain("Signed in: 2");
    expect(mail!.text).not.toContain("Signed out");
  });

  it("is sent at most once an hour for a kind, and then counts all", async () => {
    await choose("login_failed", "user_created");
    await tick(0);
    await happens("login_failed", 2);
    await tick(1);
    await happens("login_failed", 30);
    await tick(30);
    expect(await mails()).toHaveLength(1);
    await happens("user_created");
    await tick(31);
    expect((await mails()).at(-1)!.text).toContain("User added: 1");
    await tick(61);
    expect((await mails()).at(-1)!.text).toContain("Sign-in refused: 30");
    expect(await mails()).toHaveLength(3);
  });

  it("is also about what happened between the choice and the next minute", async () => {
    await happens("login", 3);
    await choose("login");
    await happens("login", 2);
    await tick(0);
    const [mail] = await mails();
    expect(mail!.text).toContain("Signed in: 2");
  });

  it("counts the refusals that were left out of the log", async () => {
    await choose("access_refused");
    await tick(0);
    const hour = Math.floor(start / HOUR);
    const leftOut = { kind: "access_refused", email: "a@example.com", hour: hour - 1, count: 5000 } as const;
    await db.insert(leftOutRefusals).values(leftOut);
    await closeRefusals(jobContext());
    await happens("access_refused");
    await tick(1);
    expect((await mails()).at(-1)!.text).toContain("Access refused: 5001");
  });

  it("goes to the owner’s login, and not to the contact address", async () => {
    const owner = await addUser({ role: "super_admin" });
    await updateSite(ownerContext(), { contactEmail: "thief@example.com" });
    await choose("login");
    await happens("login");
    await tick(0);
    await updateSite(ownerContext(), { contactEmail: "" });
    expect((await mails()).map(({ to }) => to)).toEqual([owner.email]);
  });

  it("is left to the next minute if another cron has written one since the log was read", async () => {
    await choose("login", "logout");
    await tick(0);
    await happens("login");
    await happens("logout");
    const raced = new Proxy(db, {
      get: (target, name) =>
        name === "batch"
          ? async (statements: Parameters<typeof target.batch>[0]) => {
              const last = sql`(select max(id) from ${securityEvents})`;
              const sent = { throughId: last, sentAt: new Date(start + MINUTE) };
              await target.update(logAlerts).set(sent).where(eq(logAlerts.kind, "login"));
              return target.batch(statements);
            }
          : (Reflect.get(target, name) as unknown),
    });
    await sendLogAlerts(jobContext({ jobs, db: raced, now: new Date(start + MINUTE) }));
    expect(await mails()).toEqual([]);
    await tick(2);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail!.subject).toMatch(/^Signed out: /);
  });

  it("is not sent about a kind that is no longer chosen, nor afterwards about what came between", async () => {
    await choose("login");
    await tick(0);
    await choose("logout");
    await happens("login");
    await tick(1);
    await choose("login");
    await tick(2);
    await tick(90);
    expect(await mails()).toEqual([]);
  });
});

describe("a change of the site’s contact address", () => {
  it("is mailed to the super admins, and logged like that of other guarded settings", async () => {
    const owners = [await addUser({ role: "super_admin" }), await addUser({ role: "super_admin" })];
    const asOwner = signedInAs(owners[0]!, { jobs });
    const { email, retention } = siteDefaults;
    const change = {
      contactEmail: "thief@example.org",
      email: { ...email, replyTo: "thief@example.org" },
      retention: { ...retention, comments: 1 },
    };
    await db.delete(outbox);
    await updateSite(asOwner, change);
    await updateSite(asOwner, change);
    const all = await allMails();
    for (const owner of owners) {
      const [mail, ...others] = all.filter(({ to }) => to === owner.email);
      expect(others).toEqual([]);
      expect(mail!.subject).toMatch(/^The site’s contact address was changed/);
      expect(mail!.text).toContain(`Enquiries now go to thief@example.org, as ${owners[0]!.email} has set.`);
    }
    const events = await db.select().from(securityEvents).where(eq(securityEvents.email, owners[0]!.email));
    expect(events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ["contact_changed", "thief@example.org"],
      ["reply_to_changed", "thief@example.org"],
      ["retention_changed", "months: enquiries 24, comments 1"],
    ]);
    await updateSite(asOwner, { contactEmail: "", email, retention });
  });
});

describe("the emails about a change of the settings", () => {
  const contact = "The site’s contact address was changed";
  const alerts = "Emails about security events were switched off";
  /** A super admin whose site has another contact address and emails about more events than what `change` sets. */
  async function superAdmin() {
    const owner = await addUser({ role: "super_admin" });
    await updateSite(ownerContext(), { contactEmail: "", alerts: { kinds: ["login", "logout"] } });
    await db.delete(outbox);
    return owner;
  }
  const change = { contactEmail: "thief@example.org", alerts: { kinds: ["logout" as const] } };

  it("are written with it, so that they are sent although the answer is lost", async () => {
    const owner = signedInAs(await superAdmin());
    const { env: faulty } = faultyBindings(env, ({ queries }) =>
      queries.some((query) => query.startsWith('insert into "settings"')) ? "crash" : undefined,
    );
    const { actor, client } = owner;
    await expect(updateSite(createContext(faulty, { actor, client }), change)).rejects.toThrow();
    expect((await readSite(jobContext())).contactEmail).toBe(change.contactEmail);
    expect(new Set((await allMails()).map(({ subject }) => subject))).toEqual(new Set([contact, alerts]));
  });

  it("are not sent if it is refused because the settings were changed elsewhere", async () => {
    const owner = await superAdmin();
    const refused = updateSite(signedInAs(owner), { ...change, basedOn: 1 });
    expect((await rejectionOf(refused)).code).toBe("conflict");
    expect(await allMails()).toEqual([]);
  });
});

describe("an email about fewer of these emails", () => {
  it("goes to the owner with the events that were taken out, and not about added ones", async () => {
    const owner = await addUser({ role: "super_admin" });
    const asOwner = () => signedInAs(owner, { jobs });
    await choose("login", "logout", "user_created");
    await db.delete(outbox);
    await updateSite(asOwner(), { alerts: { kinds: ["login", "logout", "user_created", "role_changed"] } });
    expect(await allMails()).toEqual([]);
    await updateSite(asOwner(), { alerts: { kinds: ["logout"] } });
    const [mail, ...others] = await allMails();
    expect(others).toEqual([]);
    const to = await readOwnerAddress(jobContext());
    expect(mail).toMatchObject({
      to,
      subject: expect.stringMatching(/^Emails about security events were switched off/),
    });
    expect(mail!.text).toContain("Signed in\nUser added\nRole changed");
    // The same owner reads it, unless there was an earlier one in the database of this file.
    expect(mail!.text.includes("not-me")).toBe(to === owner.email);
    await updateSite(asOwner(), { alerts: { kinds: [] } });
    expect((await allMails())[1]!.text).toContain("Signed out");
  });
});

it("the choice of the events is in the security log when it changes", async () => {
  const changes = () =>
    db
      .select({ email: securityEvents.email, detail: securityEvents.detail })
      .from(securityEvents)
      .where(eq(securityEvents.kind, "alerts_changed"));
  for (const kinds of [["login", "logout"], ["login", "logout"], []] as const) await choose(...kinds);
  const email = "owner@example.com";
  expect(await changes()).toEqual([
    { email, detail: "Signed in, Signed out" },
    { email, detail: "none" },
  ]);
});
