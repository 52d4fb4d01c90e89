import { expect } from "vitest";
import { hashPassword } from "#worker/accounts/passwords.ts";
import { users } from "#worker/accounts/table.ts";
import { AppError } from "#worker/platform/errors.ts";
import { fetchSite, jobContext, visitorContext } from "./client.ts";

export const PASSWORD = "correct horse battery";
export const SECOND = 1000;
export const HOUR = 3600 * SECOND;
export const DAY = 24 * HOUR;

/** A visitor's context at a moment. */
export const at = (time: number) => visitorContext({ now: new Date(time) });
export const later = (milliseconds: number) => at(Date.now() + milliseconds);

/** Each request in its own household, so that the limits of one test are not those of the next. */
let households = 0;
export const household = () => `2001:db8:0:${(households++).toString(16)}::1`;

export const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetchSite(`/api/admin${path}`, {
    method,
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": household(), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

export const errorOf = async (response: Response) => ((await response.json()) as { error: unknown }).error;

export const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("It was not refused."),
    (error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    },
  );

/** Somebody who may sign in with PASSWORD. */
export async function addUser(values: Partial<typeof users.$inferInsert> = {}) {
  const id = crypto.randomUUID();
  const now = new Date();
  const user = {
    id,
    email: `${id}@example.com`,
    fullName: "A Person",
    role: "editor",
    passwordHash: await hashPassword(PASSWORD),
    isActive: true,
    emailVerified: true,
    stamp: id,
    createdAt: now,
    updatedAt: now,
    ...values,
  } satisfies typeof users.$inferInsert;
  await jobContext().db.insert(users).values(user);
  return user;
}
