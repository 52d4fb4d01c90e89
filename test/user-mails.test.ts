import { beforeEach, describe, expect, it } from "vitest";
import { changePassword } from "#worker/accounts/account-commands.ts";
import { updateUser, createUser, deleteUser, resendInvitation } from "#worker/accounts/user-commands.ts";
import { MAIL_TOPIC } from "#worker/mail/message.ts";
import { outbox } from "#worker/platform/table.ts";
import {
  addUser,
  anAddress,
  aUser,
  CHOSEN,
  mailsTo,
  PASSWORD,
  people,
  signedInAs,
} from "./support/accounts.ts";
import { jobContext } from "./support/client.ts";
import { forgetRates } from "./support/rates.ts";

const { db } = jobContext();

beforeEach(async () => {
  await db.delete(outbox);
  await forgetRates();
});

const atOnce = (count: number, work: (n: number) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, n) => work(n)));

/** Why the rejected ones were. */
const codesOf = (results: PromiseSettledResult<unknown>[]) =>
  new Set(results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : [])));

describe("emails that a signed-in person causes", () => {
  it("invite one mailbox at most thirty times an hour, also concurrently", async () => {
    const { asAdmin } = await people();
    const user = await addUser({ passwordHash: null, emailVerified: false });
    const results = await atOnce(80, () => resendInvitation(asAdmin, user.id));
    expect(await mailsTo(user.email)).toHaveLength(30);
    expect(codesOf(results)).toEqual(new Set(["too_many"]));
  });

  it("are counted by mailbox across all users", async () => {
    const user = await addUser({ passwordHash: null, emailVerified: false });
    for (const { asAdmin } of [await people(), await people()]) {
      await atOnce(20, () => resendInvitation(asAdmin, user.id));
    }
    expect(await mailsTo(user.email)).toHaveLength(30);
  });

  it("do not flood a user who is repeatedly added and deleted", async () => {
    const { asAdmin } = await people();
    const email = anAddress();
    const results: PromiseSettledResult<unknown>[] = [];
    for (let tries = 0; tries < 32; tries++) {
      const addAndDelete = async () => deleteUser(asAdmin, (await createUser(asAdmin, aUser({ email }))).id);
      results.push(...(await Promise.allSettled([addAndDelete()])));
    }
    expect(await mailsTo(email)).toHaveLength(30);
    expect(codesOf(results)).toEqual(new Set(["too_many"]));
  });

  it("do not flood whose address is moved back and forth", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    for (let tries = 0; tries < 32; tries++) {
      await updateUser(asAdmin, user.id, { email: anAddress() }).catch(() => {});
    }
    expect(await mailsTo(user.email)).toHaveLength(30);
  });

  it("do not flood a user whose password is repeatedly set", async () => {
    const { asAdmin } = await people();
    const user = await addUser();
    for (let tries = 0; tries < 29; tries++) await updateUser(asAdmin, user.id, { password: CHOSEN });
    const passwords = { currentPassword: CHOSEN, password: PASSWORD + " 9A" };
    await changePassword(signedInAs(user), passwords);
    await expect(updateUser(asAdmin, user.id, { password: CHOSEN })).rejects.toMatchObject({
      code: "too_many",
    });
    expect(await mailsTo(user.email)).toHaveLength(30);
  });

  it("are a hundred an hour, to however many mailboxes", async () => {
    const { asAdmin } = await people();
    const results = await atOnce(110, () => createUser(asAdmin, aUser()));
    const mails = (await db.select().from(outbox)).filter(({ topic }) => topic === MAIL_TOPIC);
    expect(mails).toHaveLength(100);
    expect(codesOf(results)).toEqual(new Set(["too_many"]));
  });
});
