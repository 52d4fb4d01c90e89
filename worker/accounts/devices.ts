import { and, eq, lt } from "drizzle-orm";
import type { User } from "#worker/accounts/account-links.ts";
import { noticeRow } from "#worker/accounts/notices.ts";
import { knownDevices, users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { countWithinLimits } from "#worker/platform/http/rate.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";

/** Browsers that a user has signed in from, known by a cookie: what a browser says of itself is the same for many. */

const DAY = 86_400_000;
/** Milliseconds for which a device is known after its last sign-in; browsers keep a cookie no longer. */
export const DEVICE_KNOWN_MS = 400 * DAY;

/** Of new devices of one user, each of which is mailed about. */
const NEW_DEVICES_AN_HOUR = 10;

type Owner = Pick<User, "id" | "email">;

/**
 * Notes that the user has signed in with this device. A new one is mailed about, except where `isExpected`: the user has not
 * signed in before, or has just proved more than a sign-in does. The sign-in has succeeded whatever happens here.
 */
export const noteDevice = (
  ctx: Context,
  user: Owner,
  token: string,
  { isExpected }: { isExpected: boolean },
) => afterWrite("devices: a sign-in was not noted", storeDevice(ctx, user, token, isExpected));

/** A new device is stored with its notice, so that one which was not mailed about is new at its next sign-in. */
async function storeDevice(ctx: Context, user: Owner, token: string, isExpected: boolean) {
  const { db, now } = ctx;
  const device = { userId: user.id, hash: await sha256(token) };
  const [known] = await db
    .update(knownDevices)
    .set({ lastAt: now })
    .where(and(eq(knownDevices.userId, device.userId), eq(knownDevices.hash, device.hash)))
    .returning({ hash: knownDevices.hash });
  if (known) return;
  const store = db
    .insert(knownDevices)
    .values({ ...device, firstAt: now, lastAt: now })
    .onConflictDoNothing();
  if (isExpected) return void (await store);
  const limit = { subject: `new-devices:${user.id}`, most: NEW_DEVICES_AN_HOUR };
  if (!(await countWithinLimits(ctx, [limit]))) return;
  const [account] = await db.select({ stamp: users.stamp }).from(users).where(eq(users.id, user.id));
  if (!account) return;
  // The same for a concurrent sign-in with the device; another one once the account was recovered.
  const cause = `new-device-${user.id}-${device.hash}-${account.stamp}`;
  const mail = await noticeRow(ctx, { ...user, ...account }, () => NEW_DEVICE, cause);
  await db.batch([store, mail.statement.onConflictDoNothing()]);
  enqueue(ctx, mail.id);
}

const NEW_DEVICE = {
  subject: "A new device signed in to your account",
  parts: ["Your account was used to sign in from a device that it has not signed in from before."],
};

/** The statement that forgets all of a user's devices: in a recovered account, a stranger's may be among them. */
export const deleteDevicesOf = ({ db }: Pick<Context, "db">, userId: string) =>
  db.delete(knownDevices).where(eq(knownDevices.userId, userId));

export async function pruneDevices({ db, now }: Context) {
  await db.delete(knownDevices).where(lt(knownDevices.lastAt, new Date(now.getTime() - DEVICE_KNOWN_MS)));
}
